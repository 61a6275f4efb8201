import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

export interface LoadedType {
	name: string;
	icons: { light?: string; dark?: string };
	/** URLs that n8n links to, from a credential or from a node's codex. */
	documentation: string[];
	description: INodeTypeDescription | ICredentialType;
}

export interface LoadedPackage {
	nodes: LoadedType[];
	credentials: LoadedType[];
}

const packageRoot = process.argv[2];
if (!packageRoot) throw new Error('Usage: node scripts/loadAsN8n.mts FOLDER');

function iconsOf({ iconUrl }: Pick<INodeTypeDescription | ICredentialType, 'iconUrl'>): LoadedType['icons'] {
	return typeof iconUrl === 'object' ? iconUrl : {};
}

function documentationOf({ codex }: Pick<INodeTypeDescription, 'codex'>): string[] {
	const { primaryDocumentation = [], credentialDocumentation = [] } = codex?.resources ?? {};
	return [...primaryDocumentation, ...credentialDocumentation].map(({ url }) => url);
}

const loader = new PackageDirectoryLoader(packageRoot);
await loader.loadAll();

const loaded: LoadedPackage = {
	nodes: loader.types.nodes.map((description) => ({
		name: description.name,
		icons: iconsOf(description),
		documentation: documentationOf(description),
		description,
	})),
	credentials: loader.types.credentials.map((credential) => ({
		name: credential.name,
		icons: iconsOf(credential),
		documentation: credential.documentationUrl ? [credential.documentationUrl] : [],
		description: credential,
	})),
};
console.log(JSON.stringify(loaded));

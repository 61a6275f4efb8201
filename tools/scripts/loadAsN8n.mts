import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

export interface LoadedType {
	name: string;
	/** The URLs of the documentation that n8n links to, from a credential or from a node's codex. */
	documentation: string[];
	description: INodeTypeDescription | ICredentialType;
}

export type LoadedPackage = Record<'nodes' | 'credentials', LoadedType[]>;

function loadedType(description: INodeTypeDescription | ICredentialType): LoadedType {
	const { name } = description;
	const { primaryDocumentation = [], credentialDocumentation = [] } =
		('codex' in description && description.codex?.resources) || {};
	const links = [...primaryDocumentation, ...credentialDocumentation].map(({ url }) => url);
	const own = 'documentationUrl' in description ? description.documentationUrl : undefined;
	return { name, documentation: own ? [...links, own] : links, description };
}

const loader = new PackageDirectoryLoader(process.argv[2]!);
await loader.loadAll();
const { nodes, credentials } = loader.types;
console.log(JSON.stringify({ nodes: nodes.map(loadedType), credentials: credentials.map(loadedType) }));

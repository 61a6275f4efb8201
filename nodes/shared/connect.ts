import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	type ICredentialDataDecryptedObject,
} from 'n8n-workflow';

import { CredentialError, readCredential } from '../../client/credential';
import { ServiceClient } from '../../client/ServiceClient';
import { clock } from './clock';
import { n8nTransport, type RequestContext } from './n8nTransport';
import { pooledTransport } from './pooledTransport';

type ConnectContext = RequestContext & {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
};

/**
 * A client for the service of the node's credential.
 * @throws CredentialError
 */
export async function connect(context: ConnectContext): Promise<ServiceClient> {
	const fields = await context.getCredentials('inferenceServiceApi');
	const credential = readCredential(fields);
	checkDomain(context, fields, credential.baseUrl);
	const transport =
		fields.reuseConnections === true ? pooledTransport(context, credential.apiKey) : n8nTransport(context);
	return new ServiceClient({ credential, transport, clock, random: Math.random });
}

/** Once for all requests: they all go to the base URL, and redirects are never followed. */
function checkDomain(context: ConnectContext, fields: ICredentialDataDecryptedObject, baseUrl: string): void {
	const allowedDomains = allowedDomainsOf(context, fields);
	// n8n before 1.110 or so had no such restriction.
	if (allowedDomains === undefined || !isDomainAllowed || isDomainAllowed({ url: baseUrl, allowedDomains }))
		return;
	throw new CredentialError(
		`Credential field Base URL (baseUrl) names a domain that the credential's allowed domains do not: ${new URL(baseUrl).hostname}`,
	);
}

function allowedDomainsOf(
	context: ConnectContext,
	fields: ICredentialDataDecryptedObject,
): string | undefined {
	if (getCredentialAllowedDomains) {
		return getCredentialAllowedDomains({
			node: context.getNode(),
			credentialData: fields,
			credentialOwnedSurface: true,
		});
	}
	return fields.allowedHttpRequestDomains === 'domains' ? String(fields.allowedDomains ?? '') : undefined;
}

import { getCredentialAllowedDomains, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCredential } from '../../client/credential';
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
	const allowedDomains = getCredentialAllowedDomains?.({
		node: context.getNode(),
		credentialData: fields,
		credentialOwnedSurface: true,
	});
	const transport =
		fields.reuseConnections === true
			? pooledTransport(context, credential.apiKey, allowedDomains)
			: n8nTransport(context, allowedDomains);
	return new ServiceClient({ credential, transport, clock, random: Math.random });
}

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCredential } from '../../client/credential';
import { ServiceClient } from '../../client/ServiceClient';
import { clock } from './clock';
import { n8nTransport, type RequestContext } from './n8nTransport';

type ConnectContext = RequestContext & {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
};

/**
 * A client for the service of the node's credential.
 * @throws CredentialError
 */
export async function connect(context: ConnectContext): Promise<ServiceClient> {
	const fields = await context.getCredentials('inferenceServiceApi');
	return new ServiceClient({
		credential: readCredential(fields),
		transport: n8nTransport(context, fields),
		clock,
	});
}

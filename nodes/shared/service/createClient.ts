import { isDomainAllowed, LoggerProxy, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ServiceClient, type Attempt } from '../../../client/ServiceClient';
import { CredentialError, readCredential } from '../../../credentials/readCredential';
import { clock } from './clock';
import { n8nTransport, type RequestContext } from './n8nTransport';
import { pooledTransport } from './pooledTransport';
import { processState } from './processState';

type ClientContext = RequestContext & {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
};

/**
 * Makes a client for the service that the node's credential names.
 * @throws CredentialError
 */
export async function createClient(context: ClientContext): Promise<ServiceClient> {
	const fields = await context.getCredentials('inferenceServiceApi');
	const credential = readCredential(fields);
	checkDomain(fields, credential.baseUrl);
	const unpooled = n8nTransport(context, credential, fields);
	const transport =
		fields.reuseConnections === true ? pooledTransport(context, credential, unpooled) : unpooled;
	const { limiters } = processState;
	return new ServiceClient({
		clock,
		limiters,
		random: Math.random,
		credential,
		transport,
		onAttempt: logAttempt,
	});
}

/** Logs each request at debug level, for finding out which were slow or failed. */
function logAttempt({ method, path, status, failure, durationMs, number, traceId }: Attempt): void {
	const outcome = [status, failure].filter((part) => part !== undefined).join(' ');
	const trace = traceId === undefined ? '' : `, trace ID ${traceId}`;
	LoggerProxy.debug(`${method} ${path}: ${outcome} after ${durationMs} ms (attempt ${number}${trace})`);
}

/**
 * Enforces the credential's "Allowed HTTP Request Domains". One check covers all requests, because they all go to the base URL
 * and redirects are never followed. The stored fields are read directly, because n8n's own function takes other parameters and
 * treats "none" differently from version to version. "None" only keeps other nodes, such as HTTP Request, from using the
 * credential.
 * @throws CredentialError
 */
export function checkDomain(fields: ICredentialDataDecryptedObject, baseUrl: string): void {
	if (fields.allowedHttpRequestDomains !== 'domains') return;
	const allowedDomains = String(fields.allowedDomains ?? '').trim();
	if (allowedDomains !== '' && isAllowed(baseUrl, allowedDomains)) return;
	throw new CredentialError(
		`Base URL in the credential is outside its allowed domains: ${new URL(baseUrl).hostname}`,
	);
}

function isAllowed(url: string, allowedDomains: string): boolean {
	// Before about n8n 2.30, this function took the URL and the options as separate arguments.
	return isDomainAllowed.length === 1
		? isDomainAllowed({ url, allowedDomains })
		: (isDomainAllowed as unknown as (url: string, options: object) => boolean)(url, { allowedDomains });
}

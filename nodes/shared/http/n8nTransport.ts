import {
	NodeApiError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type RequestHelperFunctions,
} from 'n8n-workflow';

import type { Credential } from '../../../client/Credential';
import { TransportFailure, type Transport, type TransportResponse } from '../../../client/Transport';
import { chunksOf } from './chunksOf';
import { toTransportFailure } from './toTransportFailure';

const CREDENTIAL = 'inferenceServiceApi';

/** What a transport needs of n8n's contexts, those of executions and of searchable lists. */
export interface RequestContext {
	getNode: IExecuteFunctions['getNode'];
	helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication' | 'getSecureEgressFilter'>;
}

interface FullResponse {
	statusCode: number;
	statusMessage: string;
	/** As Node names them, in lower case. */
	headers: Record<string, string | string[] | undefined>;
	body: AsyncIterable<Uint8Array>;
}

/**
 * n8n's own request helper: it brings the proxy settings of the instance, its SSRF guard and its TLS settings. It opens
 * a connection for every request.
 * @param fields of the credential, which n8n signs every request with. Without them it would read the credential again each
 * time, and send the key of one that is edited meanwhile to the host of the one before.
 */
export function n8nTransport(
	context: RequestContext,
	{ baseUrl }: Credential,
	fields: ICredentialDataDecryptedObject,
): Transport {
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: fields };
	return {
		send: async ({ method, path, headers, body, signal }) => {
			const options: IHttpRequestOptions = {
				method,
				url: baseUrl + path,
				headers,
				body,
				// The client keeps the time. Without this, the helper gives up on response headers after its own 300 s.
				timeout: 0,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			};
			// The helper puts the context's cancel signal in place of any `abortSignal` of the options.
			const abortable = {
				__proto__: context,
				getExecutionCancelSignal: () => signal,
			} as unknown as IExecuteFunctions;
			const response = context.helpers.httpRequestWithAuthentication.call(abortable, CREDENTIAL, options, {
				credentialsDecrypted,
			}) as Promise<FullResponse>;
			return await response.then(toResponse, (error: unknown) => {
				throw failureOf(error);
			});
		},
	};
}

function toResponse({ statusCode, statusMessage, headers, body }: FullResponse): TransportResponse {
	const chunks = body[Symbol.asyncIterator]();
	return {
		status: statusCode,
		statusText: statusMessage ?? '',
		header: (name) => headers[name]?.toString(),
		body: chunksOf(() => chunks.next(), failureOf),
	};
}

/** The original error is dropped: axios keeps the request's headers, the credential among them, in it. */
function failureOf(error: unknown): TransportFailure {
	const cause = error instanceof NodeApiError ? error.cause : error;
	// n8n before 2.20 or so keeps no cause. It has no guard either that could have refused to send.
	if (cause === undefined) return new TransportFailure('network', (error as NodeApiError).message);
	const { code, message, isAxiosError, request } = cause as {
		code?: unknown;
		message?: string;
		isAxiosError?: unknown;
		request?: { reusedSocket?: boolean; socket?: { bytesRead?: number } };
	};
	const text = message ?? '';
	// Over TLS, these are the bytes within it. Those of a connection that is used again may be of an earlier response.
	const hasBegun = request?.reusedSocket !== true && (request?.socket?.bytesRead ?? 0) > 0;
	if (typeof code === 'string') return toTransportFailure({ message: text, code, hasBegun });
	// What the instance refuses to send (its SSRF guard) fails before there is a socket to name an errno.
	return isAxiosError === true
		? toTransportFailure({ message: text })
		: new TransportFailure('blocked', text);
}

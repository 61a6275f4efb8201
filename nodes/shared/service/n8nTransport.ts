import {
	NodeApiError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type RequestHelperFunctions,
} from 'n8n-workflow';

import {
	TransportFailure,
	type Credential,
	type Transport,
	type TransportResponse,
} from '../../../client/Transport';
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
	/** The names are in lower case, as in Node. */
	headers: Record<string, string | string[] | undefined>;
	body: AsyncIterable<Uint8Array>;
}

/**
 * n8n's own request helper, which uses the instance's proxy settings, SSRF guard and TLS settings. It opens a connection for
 * every request.
 * @param fields of the credential, which n8n signs every request with. Without them, n8n would read the credential again
 * each time, and after an edit send the new key to the old host.
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
				// The client measures the time. Without this, the helper gives up on response headers after its own 300 s.
				timeout: 0,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			};
			// The helper replaces any `abortSignal` of the options with the context's cancel signal.
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

/** The original error is dropped, because axios keeps the request's headers in it, and so the key. */
export function failureOf(error: unknown): TransportFailure {
	const cause = error instanceof NodeApiError ? error.cause : error;
	if (cause === undefined) {
		// n8n 2.20 and older keep only its message and code. They have no guard that could have refused the request.
		const { messages, message, httpCode } = error as NodeApiError;
		return toTransportFailure({ message: messages[0] ?? message, code: httpCode ?? undefined });
	}
	const { code, message, isAxiosError, request } = cause as {
		code?: unknown;
		message?: string;
		isAxiosError?: unknown;
		request?: { reusedSocket?: boolean; socket?: { bytesRead?: number } };
	};
	const text = message ?? '';
	// Over TLS, these are the decrypted bytes. On a reused connection, they may belong to an earlier response.
	const hasBegun = request?.reusedSocket !== true && (request?.socket?.bytesRead ?? 0) > 0;
	if (typeof code === 'string') return toTransportFailure({ message: text, code, hasBegun });
	// A request that the instance's SSRF guard refuses fails before a socket could report an errno.
	return isAxiosError === true
		? toTransportFailure({ message: text })
		: new TransportFailure('blocked', text);
}

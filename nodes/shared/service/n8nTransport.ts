import {
	NodeApiError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type RequestHelperFunctions,
} from 'n8n-workflow';

import type { Credential, Transport, TransportFailure, TransportResponse } from '../../../client/Transport';
import { chunksOf } from './chunksOf';
import { blocked, toBodyFailure, toTransportFailure, type FailureReason } from './toTransportFailure';

const CREDENTIAL = 'inferenceServiceApi';

/** Describes the part of n8n's contexts that a transport needs. Executions and searchable lists have different contexts. */
export interface RequestContext {
	getNode: IExecuteFunctions['getNode'];
	helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication' | 'getSecureEgressFilter'>;
}

export interface FullResponse {
	statusCode: number;
	statusMessage?: string;
	/** Header names are in lower case. */
	headers: Record<string, string | string[] | undefined>;
	body: AsyncIterable<Uint8Array>;
}

/**
 * Sends requests with n8n's request helper, which uses the instance's proxy settings, SSRF guard and TLS settings. It opens a
 * connection for every request.
 * @param fields the credential's fields, with which n8n signs every request. Otherwise, n8n would read the credential again for
 * each request, and if somebody edits it during a run, would send the new key to the old host.
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
				// The client has its own idle timeout. The helper's default would give up on response headers after 300 s.
				timeout: 0,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			};
			// The helper ignores `abortSignal` in the options and uses the context's cancel signal, so that is replaced here.
			const abortable = {
				__proto__: context,
				getExecutionCancelSignal: () => signal,
			} as unknown as IExecuteFunctions;
			const response = context.helpers.httpRequestWithAuthentication.call(abortable, CREDENTIAL, options, {
				credentialsDecrypted,
			}) as Promise<FullResponse>;
			return await response.then(toResponse, (error: unknown) => {
				throw transportFailureOf(error);
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
		body: chunksOf(
			() => chunks.next(),
			(error) => toBodyFailure(error as FailureReason),
		),
	};
}

/** Describes the part of Node's ClientRequest that shows how far an exchange got. */
interface Exchange {
	reusedSocket?: boolean;
	socket?: { bytesRead?: number } | null;
}

interface Cause {
	code?: unknown;
	message?: string;
	isAxiosError?: unknown;
	request?: Exchange;
}

/** Converts an error without keeping it as a cause, because axios stores the request's headers in it, which hold the key. */
export function transportFailureOf(error: unknown): TransportFailure {
	const cause = error instanceof NodeApiError ? error.cause : error;
	if (cause === undefined) {
		// n8n before 2.34 keeps only the message and the code, so it is not known whether a response had begun.
		const { messages, message, httpCode } = error as NodeApiError;
		return toTransportFailure({ message: messages[0] ?? message, code: httpCode ?? undefined }, undefined);
	}
	const { code, message = '', isAxiosError, request } = cause as Cause;
	// An error without a code that is not from axios comes from the instance's SSRF guard.
	if (typeof code !== 'string' && isAxiosError !== true) return blocked(message);
	return toTransportFailure(
		{ message, code: typeof code === 'string' ? code : undefined },
		request && hasBegun(request),
	);
}

/** Returns whether a byte of the response had arrived. It is undefined if that is unknown. */
function hasBegun({ reusedSocket, socket }: Exchange): boolean | undefined {
	// On a reused connection, the bytes may belong to an earlier response.
	if (reusedSocket === true) return undefined;
	// With TLS, the socket counts decrypted bytes.
	return (socket?.bytesRead ?? 0) > 0;
}

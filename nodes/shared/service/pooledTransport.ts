import type { NodeEgressFilter } from 'n8n-workflow';

import { isRecord } from '../../../client/values/records';
import {
	TransportFailure,
	type Credential,
	type Transport,
	type TransportResponse,
} from '../../../client/Transport';
import { untilAborted } from '../../../client/time/abort';
import { chunksOf } from './chunksOf';
import type { RequestContext } from './n8nTransport';
import { blocked, toBodyFailure, toTransportFailure, type FailureReason } from './toTransportFailure';

/** Node's built-in fetch gives up on headers, and on a stalled body, after 300 s. Only an agent of undici could change that. */
const MAX_TIMEOUT_MS = 300_000;

const NO_REASON_GIVEN =
	'The built-in fetch rejected the response and gave no reason. This happens when a proxy asks for a password (status 407)';

/**
 * Sends requests with Node's built-in fetch, which keeps connections open between requests. It ignores the instance's proxy
 * settings. The instance's network rules are checked before connecting, not while connecting.
 * @param unpooled sends the requests that need a connection of their own, which fetch cannot open
 */
export function pooledTransport(
	context: RequestContext,
	{ baseUrl, apiKey }: Credential,
	unpooled: Transport,
): Transport {
	return {
		maxTimeoutMs: MAX_TIMEOUT_MS,
		send: async (request) => {
			if (request.onOwnConnection) return await unpooled.send(request);
			const { method, path, headers, body, signal } = request;
			const url = baseUrl + path;
			await untilAborted(checkEgress(context, url), signal);
			const response = fetch(url, {
				method,
				// n8n's helper sends the same user agent.
				headers: { ...headers, authorization: `Bearer ${apiKey}`, 'user-agent': 'n8n' },
				body,
				redirect: 'manual',
				signal,
			});
			return await response.then(toResponse, (error: unknown) => {
				throw transportFailureOf(error);
			});
		},
	};
}

async function checkEgress(context: RequestContext, url: string): Promise<void> {
	// n8n before 2.28 does not have this function, and before 2.38 it returns nothing while n8n's network rules are off. The filter
	// throws if it cannot find the host.
	const filter = context.helpers.getSecureEgressFilter?.() as NodeEgressFilter | undefined;
	const checking = filter?.validateUrl(url);
	const verdict = await checking?.catch((error: unknown) => {
		throw toTransportFailure(reasonOf(error), false);
	});
	if (verdict && !verdict.ok) throw blocked(verdict.error.message);
}

function toResponse({ status, statusText, headers, body }: Response): TransportResponse {
	const reader = (body ?? new Blob().stream()).getReader();
	return {
		status,
		statusText,
		header: (name) => headers.get(name) ?? undefined,
		body: chunksOf(
			() => reader.read(),
			(error) => toBodyFailure(reasonOf(error)),
		),
	};
}

function transportFailureOf(error: unknown): TransportFailure {
	const cause = causeOf(error);
	if (cause.message === '' && cause.code === undefined && cause !== error) {
		return new TransportFailure('broken', NO_REASON_GIVEN);
	}
	return toTransportFailure(reasonOf(error), hasBegun(cause));
}

/**
 * Returns whether a byte of the response had arrived. It is undefined if that is unknown: fetch counts the bytes of a connection,
 * which may belong to an earlier response, and of a connection that was reset it tells nothing.
 */
function hasBegun({ socket }: Record<string, unknown>): boolean | undefined {
	return isRecord(socket) && socket.bytesRead === 0 ? false : undefined;
}

function reasonOf(error: unknown): FailureReason {
	const { message, code } = causeOf(error);
	const text = typeof message === 'string' ? message : '';
	if (typeof code !== 'string') return { message: text || String(error) };
	return { message: text.includes(code) ? text : `${text} ${code}`.trim(), code };
}

/**
 * Returns the reason of an error of fetch, whose own message is only "fetch failed" or "terminated". `instanceof` is not used,
 * because the errors may come from another JavaScript realm.
 */
function causeOf(error: unknown): Record<string, unknown> {
	const outer = isRecord(error) ? error : {};
	return isRecord(outer.cause) ? outer.cause : outer;
}

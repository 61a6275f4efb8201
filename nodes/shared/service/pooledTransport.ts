import { isRecord } from '../../../client/response/records';
import {
	TransportFailure,
	type Credential,
	type Transport,
	type TransportResponse,
} from '../../../client/Transport';
import { untilAborted } from '../../../client/time/abort';
import { chunksOf } from './chunksOf';
import type { RequestContext } from './n8nTransport';
import { toTransportFailure } from './toTransportFailure';

/** Node's built-in fetch gives up on headers, and on a stalled body, after 300 s. Only an agent of undici could change that. */
const MAX_TIMEOUT_MS = 300_000;

const NO_REASON_GIVEN =
	'The built-in fetch rejected the response and gave no reason. This happens when a proxy asks for a password (status 407)';

/**
 * Sends requests with Node's built-in fetch, which keeps connections open between requests. It ignores the instance's proxy
 * settings. The instance's network rules are checked before connecting, not while connecting.
 */
export function pooledTransport(context: RequestContext, { baseUrl, apiKey }: Credential): Transport {
	return {
		maxTimeoutMs: MAX_TIMEOUT_MS,
		send: async ({ method, path, headers, body, signal }) => {
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
	// n8n before 2.28 does not have this filter. It throws if it cannot find the host.
	const checking = context.helpers.getSecureEgressFilter?.().validateUrl(url);
	const verdict = await checking?.catch((error: unknown) => {
		throw transportFailureOf(error);
	});
	if (verdict && !verdict.ok) throw new TransportFailure('blocked', verdict.error.message);
}

function toResponse({ status, statusText, headers, body }: Response): TransportResponse {
	const reader = (body ?? new Blob().stream()).getReader();
	return {
		status,
		statusText,
		header: (name) => headers.get(name) ?? undefined,
		body: chunksOf(() => reader.read(), transportFailureOf),
	};
}

/**
 * Converts an error of fetch, whose own message is only "fetch failed" or "terminated"; the reason is in `cause`. `instanceof` is
 * not used, because the errors may come from another JavaScript realm.
 */
function transportFailureOf(error: unknown): TransportFailure {
	const outer = isRecord(error) ? error : {};
	const given = isRecord(outer.cause) ? outer.cause : outer;
	const reason = {
		message: typeof given.message === 'string' ? given.message : '',
		code: typeof given.code === 'string' ? given.code : undefined,
	};
	if (reason.message === '' && reason.code === undefined && outer.cause !== undefined) {
		return new TransportFailure('broken', NO_REASON_GIVEN);
	}
	// fetch counts bytes per connection, not per response, so it cannot tell whether this response had begun. It is assumed
	// that it had not: by far the most likely reason is that the service closed an idle connection just as it was reused.
	const message = [reason.message, reason.code].filter(Boolean).join(' ') || String(error);
	return toTransportFailure({ message, code: reason.code });
}

import { TransportFailure, type Transport, type TransportResponse } from '../../client/Transport';
import { chunksOf } from './chunksOf';
import type { RequestContext } from './n8nTransport';

/**
 * Node's built-in fetch, which keeps connections open between requests. It does not use the proxy settings of the
 * instance, and its host names are checked before it connects, not while.
 */
export function pooledTransport(context: RequestContext, apiKey: string): Transport {
	return {
		send: async ({ method, url, headers, body, signal }) => {
			await checkEgress(context, url);
			const response = fetch(url, {
				method,
				// n8n's helper names itself so too.
				headers: { ...headers, authorization: `Bearer ${apiKey}`, 'user-agent': 'n8n' },
				body,
				redirect: 'manual',
				signal,
			});
			return await response.then(toResponse, (error: unknown) => {
				throw toTransportFailure(error);
			});
		},
	};
}

async function checkEgress(context: RequestContext, url: string): Promise<void> {
	// n8n before 2.28 has no such filter.
	const verdict = await context.helpers.getSecureEgressFilter?.().validateUrl(url);
	if (verdict && !verdict.ok) throw new TransportFailure('blocked', verdict.error.message);
}

function toResponse({ status, statusText, headers, body }: Response): TransportResponse {
	return {
		status,
		statusText,
		header: (name) => headers.get(name) ?? undefined,
		body: chunksOf((body ?? new Blob().stream()).getReader(), toTransportFailure),
	};
}

/** fetch says "fetch failed" or "terminated" and keeps the reason in `cause`. */
function toTransportFailure(error: unknown): TransportFailure {
	if (!(error instanceof Error)) return new TransportFailure('network', String(error));
	const { cause } = error;
	const reason = cause instanceof Error ? cause : error;
	const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : '';
	return new TransportFailure(
		'network',
		[reason.message, code].filter((part) => part !== '').join(' ') || error.message,
	);
}

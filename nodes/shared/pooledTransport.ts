import { TransportFailure, type Transport, type TransportReply } from '../../client/Transport';
import type { RequestContext } from './n8nTransport';

/**
 * Node's built-in fetch, which keeps connections open between requests. It does not use the proxy settings of the
 * instance, and its host names are checked before it connects, not while.
 */
export function pooledTransport(context: RequestContext, apiKey: string): Transport {
	return {
		send: async ({ method, url, headers, body, signal }) => {
			await checkEgress(context, url);
			let response: Response;
			try {
				response = await fetch(url, {
					method,
					// n8n's helper names itself so too.
					headers: { ...headers, authorization: `Bearer ${apiKey}`, 'user-agent': 'n8n' },
					body,
					redirect: 'manual',
					signal,
				});
			} catch (error) {
				throw toTransportFailure(error);
			}
			return toReply(response);
		},
	};
}

async function checkEgress(context: RequestContext, url: string): Promise<void> {
	// n8n before 2.28 has no such filter.
	const verdict = await context.helpers.getSecureEgressFilter?.().validateUrl(url);
	if (verdict && !verdict.ok) throw new TransportFailure('blocked', verdict.error.message);
}

function toReply(response: Response): TransportReply {
	return {
		status: response.status,
		statusText: response.statusText,
		header: (name) => response.headers.get(name) ?? undefined,
		body: chunksOf(response.body),
	};
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
	if (!body) return;
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			yield value;
		}
	} catch (error) {
		throw toTransportFailure(error);
	} finally {
		reader.cancel().catch(() => {});
	}
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AccountChange } from './Account';
import type { Fault } from './Fault';
import type { RateLimit } from './RateLimit';
import type { RecordedRequest } from './RecordedRequest';
import type { ScriptedReply } from './Script';

/** The path of the admin routes; the service itself is under `/v1`. */
export const ADMIN_PREFIX = '/emulator';

/** What these routes do to an emulator. */
export interface Controls {
	readonly requests: RecordedRequest[];
	inFlight: number;
	maxInFlight: number;
	connections: number;
	latencyMs: number;
	tokenDelayMs: number;
	fault(fault: Fault): void;
	clearFaults(): void;
	setRateLimit(rateLimit?: RateLimit): void;
	setScript(replies?: readonly ScriptedReply[]): void;
	setAccount(change: AccountChange): void;
	reset(): void;
}

/**
 * Adds the routes by which another process controls an emulator. All bodies are JSON; one that cannot be used gets a 400
 * with `{ "error" }`.
 *
 * - `POST /emulator/faults` one fault or an array of them (no functions, no `Infinity`: use a large `times`);
 *   `DELETE /emulator/faults` removes all
 * - `GET /emulator/requests` what has arrived, without bytes
 * - `GET /emulator/counters` `{ inFlight, maxInFlight, connections, requests }`
 * - `POST /emulator/rate-limit` a rate limit, or null to lift it
 * - `POST /emulator/script` the next replies of the models, or null to have the emulator write again
 * - `POST /emulator/account` `{ "id", "balance", "chargeBalance" }`, or some of them
 * - `POST /emulator/latency` `{ "latencyMs", "tokenDelayMs" }`, or one of them
 * - `POST /emulator/reset`
 */
export function addAdminRoutes(server: FastifyInstance, emulator: () => Controls): void {
	const route = (method: 'GET' | 'POST' | 'DELETE', path: string, act: (body: unknown) => unknown): void => {
		server.route({
			method,
			url: ADMIN_PREFIX + path,
			handler: async (request: FastifyRequest, reply: FastifyReply) => {
				try {
					return await reply.send(act(jsonOf(request)) ?? { ok: true });
				} catch (error) {
					if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
					return await reply.code(400).send({ error: error.message });
				}
			},
		});
	};

	route('POST', '/faults', (body) => {
		for (const fault of [body].flat()) emulator().fault(fault as Fault);
	});
	route('DELETE', '/faults', () => emulator().clearFaults());
	route('GET', '/requests', () => requestsOf(emulator()));
	route('GET', '/counters', () => {
		const { inFlight, maxInFlight, connections, requests } = emulator();
		return { inFlight, maxInFlight, connections, requests: requests.length };
	});
	route('POST', '/rate-limit', (body) =>
		emulator().setRateLimit((body ?? undefined) as RateLimit | undefined),
	);
	route('POST', '/script', (body) =>
		emulator().setScript((body ?? undefined) as ScriptedReply[] | undefined),
	);
	route('POST', '/account', (body) => emulator().setAccount(body as AccountChange));
	route('POST', '/latency', (body) => {
		const { latencyMs, tokenDelayMs } = body as { latencyMs?: number; tokenDelayMs?: number };
		if (latencyMs !== undefined) emulator().latencyMs = latencyMs;
		if (tokenDelayMs !== undefined) emulator().tokenDelayMs = tokenDelayMs;
	});
	route('POST', '/reset', () => emulator().reset());
}

function jsonOf({ body }: FastifyRequest): unknown {
	return Buffer.isBuffer(body) && body.length > 0 ? (JSON.parse(body.toString()) as unknown) : undefined;
}

function requestsOf({ requests }: Controls): object[] {
	return requests.map(({ rawBody, multipart, ...request }) => ({
		...request,
		size: rawBody.length,
		...(multipart && {
			multipart: { ...multipart, files: multipart.files.map(({ bytes: _bytes, ...file }) => file) },
		}),
	}));
}

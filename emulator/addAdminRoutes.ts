import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AccountChange } from './Account';
import type { Fault } from './Fault';
import type { RateLimit } from './RateLimit';
import type { RecordedRequest } from './RecordedRequest';

/** The admin routes have this path. The service itself is under `/v1`. */
export const ADMIN_PREFIX = '/emulator';

/** Describes the methods of the emulator that the admin routes call. */
export interface Controls {
	readonly requests: RecordedRequest[];
	fault(fault: Fault): void;
	clearFaults(): void;
	setRateLimit(rateLimit?: RateLimit): void;
	setAccount(change: AccountChange): void;
}

/**
 * Adds the routes by which another process controls an emulator. All bodies are JSON. An invalid body gets a 400 with
 * `{ "error" }`.
 *
 * - `POST /emulator/faults` adds a fault or an array of faults (JSON has no `Infinity`: use a large `times`);
 *   `DELETE /emulator/faults` removes all faults.
 * - `GET /emulator/requests` returns the requests so far, without the bytes of their bodies.
 * - `POST /emulator/rate-limit` sets a rate limit, or removes it with null.
 * - `POST /emulator/account` sets the account's fields `id`, `balance` and `chargeBalance`, or some of them.
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
	route('POST', '/rate-limit', (body) =>
		emulator().setRateLimit((body ?? undefined) as RateLimit | undefined),
	);
	route('POST', '/account', (body) => emulator().setAccount(body as AccountChange));
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

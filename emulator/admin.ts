import Ajv2020 from 'ajv/dist/2020';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Emulator } from './Emulator';
import type { Fault } from './faults';
import type { RateLimit } from './rateLimit';

/** Where the admin surface lives; the service itself is under `/v1`. */
export const adminPrefix = '/emulator';

const point = { enum: ['before-headers', 'after-headers', 'mid-body'] };
const milliseconds = { type: 'number', minimum: 0 };
const headers = { type: 'object', additionalProperties: { type: 'string' } };

const ajv = new Ajv2020({ allowUnionTypes: true });

const isFault = ajv.compile<Fault>({
	type: 'object',
	additionalProperties: false,
	properties: {
		method: { type: 'string' },
		path: { type: 'string' },
		bodyIncludes: { type: 'string' },
		times: { type: 'integer', minimum: 1 },
		skip: { type: 'integer', minimum: 0 },
		probability: { type: 'number', minimum: 0, maximum: 1 },
		delayMs: milliseconds,
		status: { type: 'integer', minimum: 200, maximum: 599 },
		headers,
		body: { type: ['string', 'object', 'array'] },
		stream: {
			type: 'array',
			items: {
				type: 'object',
				required: ['bytes'],
				additionalProperties: false,
				properties: { bytes: { type: 'string' }, delayMs: milliseconds },
			},
		},
		end: { enum: ['close', 'cut', 'stall'] },
		truncate: { type: 'boolean' },
		split: { anyOf: [{ const: 'every-byte' }, { type: 'array', items: { type: 'integer', minimum: 0 } }] },
		splitDelayMs: milliseconds,
		cut: point,
		stall: point,
	},
});

const isRateLimit = ajv.compile<RateLimit>({
	type: 'object',
	required: ['perSecond', 'burst', 'limit'],
	additionalProperties: false,
	properties: {
		perSecond: { type: 'number', minimum: 0 },
		burst: { type: 'number', minimum: 0 },
		limit: { enum: ['RPM', 'TPM', 'IPM', 'RPD', 'TPD', 'IPD'] },
		retryAfter: { anyOf: [{ type: 'boolean' }, { type: 'number' }, { const: 'date' }] },
	},
});

function jsonOf(request: FastifyRequest): unknown {
	return Buffer.isBuffer(request.body) && request.body.length > 0
		? (JSON.parse(request.body.toString('utf8')) as unknown)
		: undefined;
}

/**
 * Adds the routes by which another process steers an emulator. All bodies are JSON; a wrong one is answered 400 with
 * `{ "error" }`.
 *
 * - `POST /emulator/faults` one fault or an array of them (no functions, no `Infinity`: use a large `times`);
 *   `DELETE /emulator/faults` removes all
 * - `GET /emulator/requests` what has arrived, without bytes
 * - `GET /emulator/counters` `{ inFlight, maxInFlight, connections, requests }`
 * - `POST /emulator/rate-limit` a rate limit, or null to lift it
 * - `POST /emulator/latency` `{ "latencyMs" }`
 * - `POST /emulator/reset`
 */
export function addAdminRoutes(server: FastifyInstance, emulator: () => Emulator): void {
	const route = (method: 'GET' | 'POST' | 'DELETE', path: string, act: (body: unknown) => unknown): void => {
		server.route({
			method,
			url: adminPrefix + path,
			handler: async (request: FastifyRequest, reply: FastifyReply) => {
				try {
					return await reply.send(act(jsonOf(request)) ?? { ok: true });
				} catch (error: unknown) {
					if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
					return await reply.code(400).send({ error: error.message });
				}
			},
		});
	};

	route('POST', '/faults', (body) => {
		const faults: unknown[] = Array.isArray(body) ? body : [body];
		for (const fault of faults)
			if (!isFault(fault)) throw new TypeError(ajv.errorsText(isFault.errors, { dataVar: 'fault' }));
		for (const fault of faults as Fault[]) emulator().fault(fault);
	});
	route('DELETE', '/faults', () => emulator().clearFaults());
	route('GET', '/requests', () =>
		emulator().requests.map(({ rawBody, multipart, ...request }) => ({
			...request,
			size: rawBody.length,
			...(multipart && {
				multipart: { ...multipart, files: multipart.files.map(({ bytes: _bytes, ...file }) => file) },
			}),
		})),
	);
	route('GET', '/counters', () => {
		const { inFlight, maxInFlight, connections, requests } = emulator();
		return { inFlight, maxInFlight, connections, requests: requests.length };
	});
	route('POST', '/rate-limit', (body) => {
		if (body === null || body === undefined) emulator().setRateLimit();
		else if (isRateLimit(body)) emulator().setRateLimit(body);
		else throw new TypeError(ajv.errorsText(isRateLimit.errors, { dataVar: 'rateLimit' }));
	});
	route('POST', '/latency', (body) => {
		const latencyMs = (body as { latencyMs?: unknown } | null | undefined)?.latencyMs;
		if (typeof latencyMs !== 'number' || latencyMs < 0) throw new TypeError('latencyMs must be 0 or more');
		emulator().latencyMs = latencyMs;
	});
	route('POST', '/reset', () => emulator().reset());
}

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Emulator } from './Emulator';
import {
	ACCOUNT_SCHEMA,
	FAULTS_SCHEMA,
	LATENCY_SCHEMA,
	RATE_LIMIT_SCHEMA,
	SCRIPT_SCHEMA,
} from './adminSchemas';
import type { AccountChange } from './Account';
import type { Fault } from './Fault';
import type { RateLimit } from './RateLimit';
import type { ScriptedReply } from './Script';

/** The path of the admin routes; the service itself is under `/v1`. */
export const ADMIN_PREFIX = '/emulator';

const AJV = new Ajv2020({ allowUnionTypes: true });
const IS_FAULTS = AJV.compile<Fault | Fault[]>(FAULTS_SCHEMA);
const IS_RATE_LIMIT = AJV.compile<RateLimit | null>(RATE_LIMIT_SCHEMA);
const IS_SCRIPT = AJV.compile<ScriptedReply[] | null>(SCRIPT_SCHEMA);
const IS_ACCOUNT = AJV.compile<AccountChange>(ACCOUNT_SCHEMA);
const IS_LATENCY = AJV.compile<{ latencyMs?: number; tokenDelayMs?: number }>(LATENCY_SCHEMA);

/**
 * Adds the routes by which another process controls an emulator. All bodies are JSON; a wrong one gets a 400 with
 * `{ "error" }`.
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
export function addAdminRoutes(server: FastifyInstance, emulator: () => Emulator): void {
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
		for (const fault of [checked(IS_FAULTS, body)].flat()) emulator().fault(fault);
	});
	route('DELETE', '/faults', () => emulator().clearFaults());
	route('GET', '/requests', () => requestsOf(emulator()));
	route('GET', '/counters', () => {
		const { inFlight, maxInFlight, connections, requests } = emulator();
		return { inFlight, maxInFlight, connections, requests: requests.length };
	});
	route('POST', '/rate-limit', (body) =>
		emulator().setRateLimit(checked(IS_RATE_LIMIT, body ?? null) ?? undefined),
	);
	route('POST', '/script', (body) => emulator().setScript(checked(IS_SCRIPT, body ?? null) ?? undefined));
	route('POST', '/account', (body) => emulator().setAccount(checked(IS_ACCOUNT, body)));
	route('POST', '/latency', (body) => {
		const { latencyMs, tokenDelayMs } = checked(IS_LATENCY, body);
		if (latencyMs !== undefined) emulator().latencyMs = latencyMs;
		if (tokenDelayMs !== undefined) emulator().tokenDelayMs = tokenDelayMs;
	});
	route('POST', '/reset', () => emulator().reset());
}

function jsonOf(request: FastifyRequest): unknown {
	return Buffer.isBuffer(request.body) && request.body.length > 0
		? (JSON.parse(request.body.toString('utf8')) as unknown)
		: undefined;
}

function checked<Value>(isValid: ValidateFunction<Value>, body: unknown): Value {
	if (isValid(body)) return body;
	throw new TypeError(AJV.errorsText(isValid.errors, { dataVar: 'body' }));
}

function requestsOf({ requests }: Emulator): object[] {
	return requests.map(({ rawBody, multipart, ...request }) => ({
		...request,
		size: rawBody.length,
		...(multipart && {
			multipart: { ...multipart, files: multipart.files.map(({ bytes: _bytes, ...file }) => file) },
		}),
	}));
}

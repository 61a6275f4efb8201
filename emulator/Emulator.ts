import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { AccountChange } from './Account';
import type { Controls } from './addAdminRoutes';
import { applyFault, replacementFor } from './applyFault';
import { createServer } from './createServer';
import type { Decider } from './Decider';
import { decideByName } from './decideByName';
import { deliver } from './deliver';
import type { EmulatedResponse } from './EmulatedResponse';
import type { Exchange, Exchanges } from './Exchange';
import type { Fault } from './Fault';
import { Faults } from './Faults';
import { ACCEPTED_MODELS } from './models';
import type { RateLimit } from './RateLimit';
import { RateLimiter } from './RateLimiter';
import type { RecordedRequest } from './RecordedRequest';
import { type Arrival, respond } from './respond';
import { type ScriptedReply, ServiceState } from './ServiceState';

export type { AccountChange } from './Account';
export type { Fault, FaultPiece, FaultPoint, FaultResponse } from './Fault';
export type { RateLimit } from './RateLimit';
export type { RecordedFile, RecordedMultipart, RecordedRequest } from './RecordedRequest';
export type { ScriptedReply } from './ServiceState';
export { ACCEPTED_MODELS, RESTRICTED_MODEL } from './models';

const HOST = '127.0.0.1';

/** A test waits so long for what happens within milliseconds, unless the machine is very busy. */
const PATIENCE_MS = 30_000;

export interface EmulatorOptions {
	/** The port is by default a free one. */
	port?: number;
	/** Holds the key that is accepted. The default is `emulator-key`. */
	apiKey?: string;
	/** Holds the milliseconds before a successful response begins. The default is 0. */
	latencyMs?: number;
	/**
	 * Holds the milliseconds between two events of a stream. The default is 0, which sends each event in its own turn of the
	 * event loop.
	 */
	tokenDelayMs?: number;
	/** There is by default no rate limit. */
	rateLimit?: RateLimit | undefined;
	/** Holds the models that /messages and /chat/completions know. The default is `ACCEPTED_MODELS`. */
	models?: readonly string[];
	/** Answers decisions. The default is `decideByName`, which needs no model. */
	decide?: Decider;
	/**
	 * Says whether requests are kept in `requests`. The default is true; turn it off for load tests, because they would fill the
	 * memory.
	 */
	recordRequests?: boolean;
}

/**
 * Emulates the service on a local port, and refuses every request that does not meet the contract. Its answers are described in
 * `decideByName.ts`, `decideByMeaning.ts`, `generateMessage.ts` and `setScript`, its failures in `Fault` and `RateLimit`.
 */
export class Emulator implements Exchanges, Controls {
	/** Holds the base URL, with `/v1`. */
	readonly url: string;
	/** Holds the API key that is accepted. It can be changed at any time. */
	apiKey: string;
	/** Holds the requests in order of arrival. */
	readonly requests: RecordedRequest[] = [];
	/** Counts the requests that have arrived and whose response is not complete. */
	inFlight = 0;
	maxInFlight = 0;
	/** Counts the connections opened so far. */
	connections = 0;
	latencyMs: number;

	private readonly faults = new Faults();
	private state: ServiceState;
	private limiter: RateLimiter | undefined;
	private completeRequests = 0;
	private closing = false;
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly options: EmulatorOptions,
		private readonly server: FastifyInstance,
		address: AddressInfo,
	) {
		this.url = `http://${HOST}:${address.port}/v1`;
		this.apiKey = options.apiKey ?? 'emulator-key';
		this.latencyMs = options.latencyMs ?? 0;
		this.state = this.newState();
		this.setRateLimit(options.rateLimit);
	}

	static async start(options: EmulatorOptions = {}): Promise<Emulator> {
		const started: { emulator?: Emulator } = {};
		const emulator = (): Emulator => {
			if (started.emulator === undefined) throw new Error('The emulator is still starting');
			return started.emulator;
		};
		const server = await createServer(emulator);
		await server.listen({ port: options.port ?? 0, host: HOST });
		started.emulator = new Emulator(options, server, server.server.address() as AddressInfo);
		return started.emulator;
	}

	/** Adds a fault, and returns a function that removes it. Throws a TypeError if the fault has no effect. */
	fault(fault: Fault): () => void {
		return this.faults.add(fault);
	}

	/**
	 * Answers the next request with this body and status 200, in place of the normal answer.
	 * @param more selects other requests, or says how the answer is sent
	 */
	answer(body: Exclude<Fault['body'], undefined>, more: Omit<Fault, 'status' | 'body'> = {}): () => void {
		return this.fault({ ...more, status: 200, body });
	}

	clearFaults(): void {
		this.faults.clear();
	}

	/** Sets a rate limit of which nothing is used yet, or removes it. */
	setRateLimit(rateLimit?: RateLimit): void {
		this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit);
	}

	/** Sets the replies of /messages and /chat/completions, one for each of the next valid requests. */
	setScript(replies: readonly ScriptedReply[]): void {
		this.state.script = [...replies];
	}

	/** Sets the given fields of the account. Throws a TypeError when an amount is not a decimal. */
	setAccount(change: AccountChange): void {
		this.state.account.set(change);
	}

	/**
	 * Resets the emulator to how it started: no faults, script, requests or counts; the rate limit, latency and token delay of the
	 * options; the first state of voices, batches, account and IDs. Requests in flight continue.
	 */
	reset(): void {
		this.faults.clear();
		this.requests.length = 0;
		this.completeRequests = 0;
		this.maxInFlight = this.inFlight;
		this.connections = 0;
		this.latencyMs = this.options.latencyMs ?? 0;
		this.state = this.newState();
		this.setRateLimit(this.options.rateLimit);
	}

	/** Waits until this many requests have arrived with their whole body. Rejects after `timeoutMs`. */
	async waitForRequests(count: number, timeoutMs = PATIENCE_MS): Promise<void> {
		await this.waitFor(() => this.completeRequests >= count, timeoutMs);
	}

	/** Waits until the predicate is true, which is tried every few milliseconds. Rejects after `timeoutMs`. */
	async waitFor(predicate: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
		const deadline = performance.now() + timeoutMs;
		while (!predicate()) {
			if (performance.now() > deadline) {
				throw new Error(
					`This did not happen within ${timeoutMs} ms; ${this.completeRequests} requests have arrived`,
				);
			}
			await setTimeout(3);
		}
	}

	/** Closes all connections and the server. */
	async close(): Promise<void> {
		this.closing = true;
		for (const socket of this.sockets) socket.destroy();
		await this.server.close();
	}

	connected(socket: Socket): void {
		this.connections += 1;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
	}

	begin(incoming: IncomingMessage, response: ServerResponse): Exchange {
		const request: RecordedRequest = {
			method: incoming.method ?? '',
			path: (incoming.url ?? '').replace(/^\/v1(?=\/)/, ''),
			headers: incoming.headers,
			body: undefined,
			rawBody: Buffer.alloc(0),
			receivedAtMs: performance.now(),
			complete: false,
			closedByClient: false,
			sentBytes: 0,
		};
		if (this.options.recordRequests ?? true) this.requests.push(request);
		this.inFlight += 1;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		const gone = new AbortController();
		const exchange: Exchange = { request, response, signal: gone.signal, endedHere: false };
		response.once('close', () => {
			this.inFlight -= 1;
			request.closedByClient = !response.writableFinished && !exchange.endedHere && !this.closing;
			gone.abort();
		});
		return exchange;
	}

	async respondTo(exchange: Exchange, arrival: Arrival): Promise<void> {
		const { request, response, signal } = exchange;
		request.complete = true;
		this.completeRequests += 1;
		const emulated = await this.responseTo(arrival, signal);
		if (signal.aborted) return;
		if (emulated.withHead) request.status = emulated.status;
		exchange.endedHere = emulated.end === 'cut';
		await deliver(response, emulated, signal, (bytes) => {
			request.sentBytes += bytes;
		});
	}

	private async responseTo(arrival: Arrival, signal: AbortSignal): Promise<EmulatedResponse> {
		const fault = this.faults.take(arrival.request);
		if (fault?.delayMs !== undefined && fault.delayMs > 0) {
			await setTimeout(fault.delayMs, undefined, { signal });
		}
		const replacement = fault && replacementFor(fault, arrival.request);
		const response = replacement ?? (await this.normalResponse(arrival, signal));
		return fault === undefined ? response : applyFault(fault, response);
	}

	private async normalResponse(arrival: Arrival, signal: AbortSignal): Promise<EmulatedResponse> {
		const { apiKey, state, limiter, latencyMs } = this;
		const response = await respond(arrival, { apiKey, state, limiter });
		if (response.status === 200 && latencyMs > 0) await setTimeout(latencyMs, undefined, { signal });
		return response;
	}

	private newState(): ServiceState {
		const { decide = decideByName, models = ACCEPTED_MODELS, tokenDelayMs = 0 } = this.options;
		return new ServiceState(models, tokenDelayMs, decide);
	}
}

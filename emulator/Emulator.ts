import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Answer, PlainStrings } from './Answer';
import { deliver } from './deliver';
import { type Fault, Faults, replacementFor, spoiled } from './faults';
import { acceptedModels } from './models';
import { Service } from './operations';
import { type RateLimit, TokenBucket } from './rateLimit';
import type { RecordedRequest } from './RecordedRequest';
import { type Arrival, respond } from './respond';
import { createServer } from './server';

export type { Fault, FaultAnswer, FaultPiece, FaultPoint } from './faults';
export type { RateLimit } from './rateLimit';
export type { RecordedFile, RecordedMultipart, RecordedRequest } from './RecordedRequest';
export { acceptedModels, restrictedModel } from './models';

/** How an emulator is set up. */
export interface EmulatorOptions {
	/** Default 0: a free one. */
	port?: number;
	/** Default `127.0.0.1`. */
	host?: string;
	/** The key that is accepted. Default `emulator-key`. */
	apiKey?: string;
	/** Milliseconds before a successful answer begins. Default 0. */
	latencyMs?: number;
	/** Milliseconds between two events of a stream. Default 0: each in a turn of the event loop of its own. */
	tokenDelayMs?: number;
	/** Default: none. */
	rateLimit?: RateLimit | undefined;
	/** PEM texts; with them, the emulator speaks HTTPS. */
	tls?: { key: string; cert: string };
	/** Top-level body fields that are accepted although the contract does not show them. */
	extraFields?: string[];
	/** Models that /messages and /chat/completions know. Default: `acceptedModels`. */
	models?: readonly string[];
	/** Whether plain-string bodies are quoted as JSON (default) or bare text. */
	plainStrings?: PlainStrings;
	/** Whether requests are kept in `requests`. Default true; switch it off for load. */
	recordRequests?: boolean;
	/** Seed of the faults' probabilities. Default 1. */
	seed?: number;
}

/** A request on its way through the emulator. */
export interface Exchange {
	request: RecordedRequest;
	response: ServerResponse;
	/** Fires when the connection is gone, or the answer complete. */
	signal: AbortSignal;
	/** Whether it is the emulator that ends the connection. */
	endedHere: boolean;
}

/**
 * The whole service on a local port, as strict as the contract. For what it answers, see `decide.ts` and
 * `generate.ts`; for what can go wrong on purpose, `Fault`.
 */
export class Emulator {
	/** The base address, with `/v1`. */
	readonly url: string;
	readonly apiKey: string;
	/** In order of arrival. */
	readonly requests: RecordedRequest[] = [];
	/** Requests that have arrived and are not answered completely. */
	inFlight = 0;
	/** The most at once so far. */
	maxInFlight = 0;
	/** Connections opened so far. */
	connections = 0;
	/** Milliseconds before a successful answer begins. */
	latencyMs: number;

	private readonly faults: Faults;
	private service: Service;
	private bucket: TokenBucket | undefined;
	private completeRequests = 0;
	private closing = false;
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly options: EmulatorOptions,
		private readonly server: FastifyInstance,
		address: AddressInfo,
	) {
		const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
		this.url = `${options.tls ? 'https' : 'http'}://${host}:${address.port}/v1`;
		this.apiKey = options.apiKey ?? 'emulator-key';
		this.latencyMs = options.latencyMs ?? 0;
		this.faults = new Faults(options.seed ?? 1);
		this.service = this.newService();
		this.setRateLimit(options.rateLimit);
	}

	/** Starts an emulator. Rejects when the port is taken. */
	static async start(options: EmulatorOptions = {}): Promise<Emulator> {
		const started: { emulator?: Emulator } = {};
		const emulator = (): Emulator => {
			if (started.emulator === undefined) throw new Error('The emulator is still starting');
			return started.emulator;
		};
		const server = await createServer(emulator, options.tls);
		await server.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
		started.emulator = new Emulator(options, server, server.server.address() as AddressInfo);
		return started.emulator;
	}

	/** Sets a fault, and returns its remover. Throws a TypeError when the fault has no effect. */
	fault(fault: Fault): () => void {
		return this.faults.add(fault);
	}

	/** Removes all faults. */
	clearFaults(): void {
		this.faults.clear();
	}

	/** Sets the rate limit, with a full bucket, or lifts it. */
	setRateLimit(rateLimit?: RateLimit): void {
		this.bucket = rateLimit === undefined ? undefined : new TokenBucket(rateLimit, performance.now());
	}

	/**
	 * Back to the start: no faults, requests or counts, the options' rate limit and latency, and the first state of
	 * voices, batches, balances and identifiers. Requests in flight go on.
	 */
	reset(): void {
		this.faults.clear();
		this.requests.length = 0;
		this.completeRequests = 0;
		this.maxInFlight = this.inFlight;
		this.connections = 0;
		this.latencyMs = this.options.latencyMs ?? 0;
		this.service = this.newService();
		this.setRateLimit(this.options.rateLimit);
	}

	/** Resolves when so many requests have arrived with their whole body. Rejects after `timeoutMs`. */
	async waitForRequests(count: number, timeoutMs = 5000): Promise<void> {
		await this.waitFor(() => this.completeRequests >= count, timeoutMs);
	}

	/** Resolves when the predicate holds; it is tried every few milliseconds. Rejects after `timeoutMs`. */
	async waitFor(predicate: () => boolean, timeoutMs = 5000): Promise<void> {
		const deadline = performance.now() + timeoutMs;
		while (!predicate()) {
			if (performance.now() > deadline)
				throw new Error(`Not so within ${timeoutMs} ms; ${this.completeRequests} requests have arrived`);
			await setTimeout(3);
		}
	}

	/** Ends every connection, and the emulator. */
	async close(): Promise<void> {
		this.closing = true;
		for (const socket of this.sockets) socket.destroy();
		await this.server.close();
	}

	/** For the server: counts a connection. */
	connected(socket: Socket): void {
		this.connections += 1;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
	}

	/** For the server: a request's head has arrived. */
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

	/** For the server: a request's body has arrived; answers it. */
	async answer(exchange: Exchange, arrival: Arrival): Promise<void> {
		const { request, response, signal } = exchange;
		request.complete = true;
		this.completeRequests += 1;
		const answer = await this.answerFor(arrival, signal);
		if (signal.aborted) return;
		if (answer.withHead) request.status = answer.status;
		exchange.endedHere = answer.end === 'cut';
		await deliver(response, answer, signal, (bytes) => {
			request.sentBytes += bytes;
		});
	}

	private async answerFor(arrival: Arrival, signal: AbortSignal): Promise<Answer> {
		const fault = this.faults.take(arrival.request);
		if (fault?.delayMs !== undefined && fault.delayMs > 0)
			await setTimeout(fault.delayMs, undefined, { signal });
		const replacement = fault && replacementFor(fault, arrival.request, this.service.plainStrings);
		const answer = replacement ?? (await this.normalAnswer(arrival, signal));
		return fault === undefined ? answer : spoiled(fault, answer);
	}

	private async normalAnswer(arrival: Arrival, signal: AbortSignal): Promise<Answer> {
		const { apiKey, service, bucket, latencyMs } = this;
		const answer = respond(arrival, {
			apiKey,
			service,
			bucket,
			extraFields: this.options.extraFields ?? [],
		});
		if (answer.status === 200 && latencyMs > 0) await setTimeout(latencyMs, undefined, { signal });
		return answer;
	}

	private newService(): Service {
		const { models = acceptedModels, plainStrings = 'json', tokenDelayMs = 0 } = this.options;
		return new Service(models, plainStrings, tokenDelayMs);
	}
}

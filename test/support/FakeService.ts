import type { VirtualClock } from './VirtualClock';
import { decodeText } from '../../client/response/decodeJson';
import { LimiterRegistry } from '../../client/limiter/LimiterRegistry';
import { RunCalls } from '../../client/limiter/RunCalls';
import { ItemCalls } from '../../client/limiter/ItemCalls';
import type { Repeat } from '../../client/retry';
import { ServiceClient, type CallPolicy } from '../../client/ServiceClient';
import { ServiceError, type Effect } from '../../client/ServiceError';
import { TransportFailure, type Decoder, type TransportResponse } from '../../client/Transport';

export interface Reaction {
	status?: number;
	body?: string;
	headers?: Record<string, string>;
	fails?: true;
	/** Says whether a request that fails was not sent, because no connection was made. */
	isUnsent?: boolean;
	hangs?: true;
	delayMs?: number;
}

export type CallOptions = Partial<CallPolicy> & {
	repeat?: Repeat;
	effect?: Effect;
	maxWaitMs?: number;
	decode?: Decoder<unknown>;
	/** Holds the model that the request names. Without one, the request reads the account. */
	model?: string;
};

/** Represents a service in virtual time. Its response depends on the number of the request and on the time. */
export class FakeService {
	readonly startedAtMs: number[] = [];

	statuses: number[] = [];

	inFlight = 0;

	readonly client: ServiceClient;

	readonly calls = new RunCalls();

	constructor(
		readonly clock: VirtualClock,
		private readonly react: (number: number, now: number) => Reaction,
		random: () => number = () => 0.5,
		limiters = new LimiterRegistry({ clock, random }),
	) {
		this.client = new ServiceClient({
			credential: { baseUrl: 'https://service.example/v1', apiKey: 'key' },
			clock,
			random,
			limiters,
			transport: { send: async ({ signal }) => await this.send(signal) },
		});
	}

	private async send(signal: AbortSignal): Promise<TransportResponse> {
		const reaction = this.react(this.startedAtMs.length, this.clock.now());
		this.startedAtMs.push(this.clock.now());
		this.inFlight++;
		try {
			await this.clock.wait(reaction.hangs ? 1e9 : (reaction.delayMs ?? 50), signal);
		} catch {
			// The sockets of Node.js fail with this message.
			throw new TransportFailure('network', 'socket hang up');
		} finally {
			this.inFlight--;
		}
		if (reaction.fails) throw new TransportFailure('network', 'read ECONNRESET', reaction.isUnsent);
		this.statuses.push(reaction.status ?? 200);
		return {
			status: reaction.status ?? 200,
			statusText: '',
			header: (name) => ({ date: new Date(this.clock.now()).toUTCString(), ...reaction.headers })[name],
			body: (async function* () {
				yield new TextEncoder().encode(reaction.body ?? '{}');
			})(),
		};
	}

	call({
		maxWaitMs = 300_000,
		repeat = 'always',
		effect,
		decode = decodeText,
		model,
		...policy
	}: CallOptions = {}): Promise<unknown> {
		const wanted =
			model === undefined
				? ({ method: 'GET', path: '/user/info' } as const)
				: ({ method: 'POST', path: '/systemone', json: { model } } as const);
		return this.client.call(
			{ ...wanted, repeat, effect, decode, read: (body) => body },
			{
				timeoutMs: 60_000,
				maxRetries: 3,
				item: new ItemCalls(this.calls, maxWaitMs),
				signal: new AbortController().signal,
				...policy,
			},
		);
	}

	/** Sends items in order and with bounded concurrency, as a node does. */
	async callAll(count: number, concurrency: number, options: CallOptions = {}) {
		let next = 0;
		const results: Array<ServiceError | undefined> = new Array<undefined>(count);
		this.calls.setItemsToBegin(count);
		const work = async () => {
			while (next < count) {
				const index = next++;
				this.calls.setItemsToBegin(count - next);
				await this.call(options).catch((error: unknown) => {
					if (!(error instanceof ServiceError)) throw error;
					results[index] = error;
				});
			}
		};
		await this.clock.run(Promise.all(Array.from({ length: concurrency }, work)));
		return results;
	}
}

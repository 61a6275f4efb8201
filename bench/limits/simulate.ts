import { seededRandom } from '../../emulator/seededRandom';
import { ServiceError, type RateLimitName } from '../../client/ServiceError';
import { ExecutionBudget, WaitBudget } from '../../client/limiter/WaitBudget';
import { Limiter } from '../../client/limiter/Limiter';
import type { ServiceLimit } from './ServiceLimit';
import { VirtualClock } from './VirtualClock';

export interface Scenario {
	name: string;
	/** The service's limit, made anew for each run. `beginMs` is when the run begins. */
	limit: (random: () => number, beginMs: number) => ServiceLimit;
	/** The same limit as the ideal sender has it, where that is not all of it. */
	idealLimit?: (random: () => number, beginMs: number) => ServiceLimit;
	items: number;
	/** Most in flight at once in an execution. */
	concurrency: number;
	/** Milliseconds between a request and its response. */
	latencyMs: number;
	/** Milliseconds of `Retry-After`, from what is left in truth. */
	header?: (leftMs: number) => number;
	limitName?: RateLimitName;
	/** Tokens of one request, 1 where the limit counts requests. */
	cost?: (random: () => number) => number;
	/** Each item an execution of its own, over so many milliseconds. */
	formsOverMs?: number;
	/** Processes that do not know of each other, each with all items. */
	processes?: number;
	/** Requests a minute of a client that takes no notice. */
	othersPerMinute?: number;
	/** For the items that are always refused. */
	isPoisoned?: (item: number) => boolean;
	maxWaitMs?: number;
}

export interface Outcome {
	delivered: number;
	failed: number;
	items: number;
	/** Milliseconds until the last item was done. */
	timeMs: number;
	idealMs: number;
	requests: number;
	refused: number;
	/** Share of the requests, without the first refusals up to the concurrency. */
	refusedShare: number;
	longestWaitMs: number;
	startsMs: number[];
	failedAtMs: number[];
}

/** What stands between calls and the service: the limiter, or another to compare it with. */
export interface Gate {
	acquire(item: WaitBudget, signal: AbortSignal): Promise<GatePermit>;
}
export interface GatePermit {
	succeeded(facts?: { tokens?: number }): void;
	throttled(refusal: ServiceError): boolean;
}

export type GateFactory = (clock: VirtualClock, random: () => number) => (execution: ExecutionBudget) => Gate;

export const newGates: GateFactory = (clock, random) => {
	const limiter = new Limiter({ clock, random });
	return () => limiter;
};

const UPLINK_MS = 25;

export async function simulate(
	scenario: Scenario,
	seed: number,
	gates: GateFactory = newGates,
): Promise<Outcome> {
	const random = seededRandom(seed * 7919 + 13);
	const beginMs = 6e6 + Math.floor(random() * 60_000);
	const limitSeed = Math.floor(random() * 1e9);
	const clock = new VirtualClock(beginMs);
	const limit = scenario.limit(seededRandom(limitSeed), beginMs);
	const { latencyMs, concurrency, items, processes = 1, formsOverMs, maxWaitMs = 300_000 } = scenario;
	const total = items * processes;
	const costs = Array.from({ length: total }, () => scenario.cost?.(random) ?? 1);
	const outcome = { delivered: 0, failed: 0, requests: 0, refused: 0, longestWaitMs: 0 };
	const startsMs: number[] = [];
	const failedAtMs: number[] = [];
	let running = true;

	const jitter = (share: number) => 1 - share + 2 * share * random();
	const uplinkMs = () => Math.min(UPLINK_MS, latencyMs / 2) * jitter(0.2);

	async function send(item: number): Promise<ServiceError | undefined> {
		const upMs = uplinkMs();
		const totalMs = Math.max(upMs, latencyMs * jitter(0.1));
		await clock.wait(upMs);
		outcome.requests++;
		const cost = costs[item]!;
		const poisoned = scenario.isPoisoned?.(item) ?? false;
		const arrivedMs = clock.now();
		startsMs.push(arrivedMs - beginMs);
		const admitted = !poisoned && limit.admit(arrivedMs, cost);
		const leftMs = admitted ? 0 : limit.nextAdmissionMs(arrivedMs, cost) - arrivedMs;
		await clock.wait(totalMs - upMs);
		if (admitted) return undefined;
		outcome.refused++;
		return new ServiceError({
			kind: 'status',
			httpStatus: 429,
			message: 'Too many requests',
			limit: scenario.limitName,
			retryAfterMs: scenario.header?.(leftMs),
		});
	}

	async function callItem(item: number, gate: Gate, execution: ExecutionBudget): Promise<void> {
		const budget = new WaitBudget(execution, maxWaitMs);
		const signal = new AbortController().signal;
		for (;;) {
			let permit: GatePermit;
			try {
				permit = await gate.acquire(budget, signal);
			} catch {
				break;
			}
			const refusal = await send(item);
			if (!refusal) {
				permit.succeeded({ tokens: scenario.cost ? costs[item]! : undefined });
				outcome.delivered++;
				outcome.longestWaitMs = Math.max(outcome.longestWaitMs, budget.waitedMs);
				return;
			}
			if (!permit.throttled(refusal)) break;
		}
		outcome.failed++;
		failedAtMs.push(clock.now() - beginMs);
	}

	async function others(perMinute: number): Promise<void> {
		await clock.wait(random() * 1000);
		while (running) {
			limit.admit(clock.now(), 1);
			await clock.wait((60_000 / perMinute) * (0.5 + random()));
		}
	}

	if (scenario.othersPerMinute) void others(scenario.othersPerMinute);
	const work: Array<Promise<void>> = [];
	for (let process = 0; process < processes; process++) {
		const gateOf = gates(clock, random);
		const first = process * items;
		if (formsOverMs !== undefined) {
			for (let item = 0; item < items; item++) {
				work.push(
					(async () => {
						await clock.wait((item * formsOverMs) / items + random() * 10);
						const execution = new ExecutionBudget();
						await callItem(first + item, gateOf(execution), execution);
					})(),
				);
			}
			continue;
		}
		const execution = new ExecutionBudget();
		const gate = gateOf(execution);
		let next = first;
		for (let worker = 0; worker < concurrency; worker++) {
			work.push(
				(async () => {
					while (next < first + items) await callItem(next++, gate, execution);
				})(),
			);
		}
	}
	await clock.run(Promise.all(work));
	running = false;
	const notCounted = Math.min(outcome.refused, concurrency * processes);
	return {
		...outcome,
		items: total,
		timeMs: clock.now() - beginMs,
		idealMs: idealMs(scenario, costs, beginMs, limitSeed),
		refusedShare: (outcome.refused - notCounted) / outcome.requests,
		startsMs,
		failedAtMs,
	};
}

/** What a sender needs that knows the limit, and when it has places. */
function idealMs(scenario: Scenario, costs: number[], beginMs: number, limitSeed: number): number {
	const { concurrency, processes = 1, latencyMs, items, formsOverMs } = scenario;
	const limit = (scenario.idealLimit ?? scenario.limit)(seededRandom(limitSeed), beginMs);
	const slots = formsOverMs === undefined ? concurrency * processes : costs.length;
	const free = new Array<number>(slots).fill(beginMs);
	const upMs = Math.min(UPLINK_MS, latencyMs / 2);
	let endMs = beginMs;
	let lastMs = beginMs;
	let slot = 0;
	for (const [index, cost] of costs.entries()) {
		const readyMs =
			formsOverMs === undefined ? free[slot]! : beginMs + ((index % items) * formsOverMs) / items;
		let atMs = Math.max(lastMs, readyMs + upMs);
		for (;;) {
			const nextMs = limit.nextAdmissionMs(atMs, cost);
			if (nextMs <= atMs) break;
			// The limit may change while one waits.
			atMs = Math.min(nextMs, atMs + 1000);
		}
		if (!limit.admit(atMs, cost)) throw new Error('The ideal sender was refused');
		lastMs = atMs;
		free[slot] = atMs - upMs + latencyMs;
		endMs = Math.max(endMs, free[slot]!);
		slot = (slot + 1) % slots;
	}
	return endMs - beginMs;
}

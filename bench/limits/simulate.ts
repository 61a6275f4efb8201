import { seededRandom } from '../../emulator/seededRandom';
import { backOff } from '../../client/backOff';
import { ServiceError, type RateLimitName } from '../../client/ServiceError';
import type { ExecutionBudget, WaitBudget } from '../../client/limiter/WaitBudget';
import { limiter, type Design, type Gate, type GatePermit } from './design';
import type { ServiceLimit } from './ServiceLimit';
import { VirtualClock } from './VirtualClock';
import { worstSpan } from './worstSpan';

/** Creates the limit again for each run. `beginMs` is when the run begins. */
type LimitFactory = (random: () => number, beginMs: number) => ServiceLimit;

export interface ExecutionPlan {
	/** Milliseconds after the first execution. */
	beginMs: number;
	items: number;
	/** The maximum number of requests in flight. */
	concurrency: number;
	maxWaitMs?: number;
}

/** What the service sees when a request arrives. */
export interface Arrival {
	/** Milliseconds since the run began. */
	atMs: number;
	/** How many requests the service is working on, including this one. */
	inFlight: number;
	random: () => number;
}

export interface Scenario {
	name: string;
	limit: LimitFactory;
	/** The limit for the ideal sender, if it may not use all of it. */
	idealLimit?: LimitFactory;
	/** How many items one execution has; ignored if `executions` are given. */
	items: number;
	/** The maximum number of requests in flight in an execution. */
	concurrency: number;
	/** Milliseconds between a request and its response. */
	latencyMs: number;
	/** The milliseconds of `Retry-After`, from the true remaining time and the milliseconds since the run began. */
	header?: (leftMs: number, atMs: number) => number | undefined;
	limitName?: RateLimitName;
	/** The tokens of one request; 1 if the limit counts requests. */
	cost?: (random: () => number) => number;
	/** Each item is its own execution; they begin over this many milliseconds. */
	formsOverMs?: number;
	/** Several executions on one limiter; those of one item are forms. */
	executions?: ExecutionPlan[];
	/** How many processes there are. They do not know of each other, and each has all items. */
	processes?: number;
	/** How many milliseconds after one process the next begins; all begin together if not given. */
	processesApartMs?: number;
	/** The requests per minute of another client, which ignores this one. */
	othersPerMinute?: number;
	/** Whether that client tries again soon when it is refused. */
	othersTryAgain?: boolean;
	/** Whether an item is always refused. */
	isPoisoned?: (item: number) => boolean;
	/** The status of a refusal that has nothing to do with the limit. */
	mishap?: (arrival: Arrival) => 429 | 503 | undefined;
	/** The maximum number of requests that the ideal sender has in flight, if the service limits it. */
	idealConcurrency?: number;
	maxWaitMs?: number;
	/** The length of the spans that are compared with the ideal sender's, in milliseconds. */
	spanMs?: number;
}

export interface Outcome {
	delivered: number;
	failed: number;
	/** Items that failed although the service does not always refuse them. */
	lost: number;
	items: number;
	/** Milliseconds until all items are done, except those that are always refused. */
	timeMs: number;
	idealMs: number;
	requests: number;
	refused: number;
	/** The share of refused requests, without the first refusals up to the concurrency. */
	refusedShare: number;
	/** The longest time that an item waited for the limiter. */
	longestWaitMs: number;
	/** Timers that are left when all items are done. */
	pendingTimers: number;
	/** The pauses that the service's `Retry-After` imposed, in milliseconds since the run began. */
	pausesMs: Array<[from: number, until: number]>;
	/** When the last item began. */
	demandEndsMs: number;
	ideal: IdealSender;
	/** When the requests arrived. */
	startsMs: number[];
	/** When the requests arrived that got through. */
	admittedMs: number[];
	failedAtMs: number[];
	/** How long each form waited, including the failed ones. */
	formWaitsMs: number[];
	/** The highest number of starts that another execution had while a form waited. */
	startsBeforeForm: number;
	/** The share of its requests that the other client got through; 1 without another client. */
	othersShare: number;
	/** When the first process ends: the most that one process has delivered, divided by the least. */
	processRatio: number;
	/** The smallest share of the ideal sender's deliveries that any span reached; 1 if no spans are compared. */
	worstSpan: number;
}

const UPLINK_MS = 25;

const MAX_WAIT_MS = 300_000;

/** How often a call is repeated after failures other than rate limits. */
const MAX_RETRIES = 3;

/** The longest time that a run may take. */
const LONGEST_MS = 1e9;

/** How often the other client tries one request. */
const TRIES_OF_ANOTHER = 10;

export async function simulate(
	scenario: Scenario,
	seed: number,
	{ newGate, budgets }: Design = limiter,
): Promise<Outcome> {
	const random = seededRandom(seed * 7919 + 13);
	const beginMs = 6e6 + Math.floor(random() * 60_000);
	const limitSeed = Math.floor(random() * 1e9);
	const clock = new VirtualClock(beginMs);
	const limit = scenario.limit(seededRandom(limitSeed), beginMs);
	const { latencyMs, concurrency, processes = 1, processesApartMs = 0 } = scenario;
	const plans = plansOf(scenario);
	const itemsOfProcess = plans.reduce((sum, { items }) => sum + items, 0);
	const total = itemsOfProcess * processes;
	const costs = Array.from({ length: total }, () => scenario.cost?.(random) ?? 1);
	const isPoisoned = (item: number) => scenario.isPoisoned?.(item) ?? false;
	const outcome = { delivered: 0, failed: 0, lost: 0, requests: 0, refused: 0, longestWaitMs: 0 };
	const startsMs: number[] = [];
	const admittedMs: number[] = [];
	const failedAtMs: number[] = [];
	const pausesMs: Array<[from: number, until: number]> = [];
	const formWaitsMs: number[] = [];
	const begun: ExecutionCall[] = [];
	const deliveredBy = new Array<number>(processes).fill(0);
	let processRatio: number | undefined;
	let startsBeforeForm = 0;
	let lastEndMs = beginMs;
	let lastBeginMs = beginMs;
	let inService = 0;
	let running = true;

	const jitter = (share: number) => 1 - share + 2 * share * random();
	const uplinkMs = () => Math.min(UPLINK_MS, latencyMs / 2) * jitter(0.2);

	async function send(item: number): Promise<ServiceError | undefined> {
		const upMs = uplinkMs();
		const totalMs = Math.max(upMs, latencyMs * jitter(0.1));
		await clock.wait(upMs);
		outcome.requests++;
		inService++;
		const cost = costs[item]!;
		const arrivedMs = clock.now();
		const atMs = arrivedMs - beginMs;
		startsMs.push(atMs);
		const status = isPoisoned(item) ? 429 : scenario.mishap?.({ atMs, inFlight: inService, random });
		const admitted = status === undefined && limit.admit(arrivedMs, cost);
		const leftMs = admitted ? 0 : limit.nextAdmissionMs(arrivedMs, cost) - arrivedMs;
		if (admitted) admittedMs.push(atMs);
		await clock.wait(totalMs - upMs);
		inService--;
		if (admitted) return undefined;
		outcome.refused++;
		if (status === 503) {
			return new ServiceError({ kind: 'status', httpStatus: 503, message: 'Model service overloaded' });
		}
		const retryAfterMs = Number.isFinite(leftMs) ? scenario.header?.(leftMs, atMs) : undefined;
		const nowMs = clock.now() - beginMs;
		if (retryAfterMs) pausesMs.push([nowMs, nowMs + retryAfterMs]);
		return new ServiceError({
			kind: 'status',
			httpStatus: 429,
			message: 'Too many requests',
			limit: scenario.limitName,
			retryAfterMs,
		});
	}

	/** @returns whether the item was delivered */
	async function callItem(item: number, call: ExecutionCall): Promise<boolean> {
		const budget = new budgets.WaitBudget(call.budget, call.plan.maxWaitMs ?? MAX_WAIT_MS);
		const isDelivered = await tryItem(item, call, budget);
		outcome.longestWaitMs = Math.max(outcome.longestWaitMs, budget.waitedMs);
		if (call.isForm) formWaitsMs.push(budget.waitedMs);
		return isDelivered;
	}

	async function tryItem(item: number, call: ExecutionCall, budget: WaitBudget): Promise<boolean> {
		const { gate } = call;
		const signal = new AbortController().signal;
		for (let failures = 0; ;) {
			const isTurnOwed = call.isForm && !isPoisoned(item);
			const others = isTurnOwed ? begun.filter((other) => other !== call && other.gate === gate) : [];
			const startsThen = others.map(({ starts }) => starts);
			let permit: GatePermit;
			try {
				permit = await gate.acquire(budget, signal);
			} catch {
				return false;
			} finally {
				for (const [index, { starts }] of others.entries()) {
					startsBeforeForm = Math.max(startsBeforeForm, starts - startsThen[index]!);
				}
			}
			call.starts++;
			if (++call.inFlight > call.plan.concurrency) throw new Error('More in flight than allowed');
			const refusal = await send(item);
			call.inFlight--;
			if (!refusal) {
				permit.succeeded({ tokens: scenario.cost ? costs[item]! : undefined });
				return true;
			}
			if (refusal.facts.httpStatus === 503) {
				permit.overloaded(refusal);
				if (++failures > MAX_RETRIES) return false;
				await clock.wait(backOff(failures, random));
			} else if (!permit.throttled(refusal)) return false;
		}
	}

	/** Begins items in order, as many at once as the execution may. Items that are set aside take no place. */
	function runAll(call: ExecutionCall, firstItem: number): Promise<void> {
		const { budget, plan } = call;
		return new Promise((resolve, reject) => {
			let begun = 0;
			let ended = 0;
			const end = (item: number, isDelivered: boolean) => {
				ended++;
				if (isDelivered) {
					outcome.delivered++;
					deliveredBy[call.process]!++;
				} else {
					outcome.failed++;
					if (!isPoisoned(item)) outcome.lost++;
					failedAtMs.push(clock.now() - beginMs);
				}
				if (!isPoisoned(item)) lastEndMs = clock.now();
				if (ended === plan.items) resolve();
				else begin();
			};
			const begin = () => {
				while (begun < plan.items && begun - ended - (budget.setAside ?? 0) < plan.concurrency) {
					const item = firstItem + begun++;
					lastBeginMs = clock.now();
					callItem(item, call).then((isDelivered) => end(item, isDelivered), reject);
				}
			};
			budget.onSetAside = begin;
			begin();
		});
	}

	const others = { wanted: 0, admitted: 0 };

	async function other(intervalMs: number): Promise<void> {
		let isAdmitted = limit.admit(clock.now(), 1);
		const tries = scenario.othersTryAgain ? TRIES_OF_ANOTHER : 1;
		for (let tried = 1; !isAdmitted && tried < tries; tried++) {
			await clock.wait(intervalMs * (0.1 + 0.4 * random()));
			isAdmitted = limit.admit(clock.now(), 1);
		}
		if (!running) return;
		others.wanted++;
		if (isAdmitted) others.admitted++;
	}

	async function allOthers(perMinute: number): Promise<void> {
		await clock.wait(random() * 1000);
		while (running) {
			void other(60_000 / perMinute);
			await clock.wait((60_000 / perMinute) * (0.5 + random()));
		}
	}

	if (scenario.othersPerMinute) void allOthers(scenario.othersPerMinute);
	const work: Array<Promise<unknown>> = [];
	for (let process = 0; process < processes; process++) {
		const gate = newGate(clock, random);
		let firstItem = process * itemsOfProcess;
		const calls = plans.map((plan) => {
			const first = firstItem;
			firstItem += plan.items;
			const begin = () => {
				const budget = new budgets.ExecutionBudget(plan.concurrency);
				const isForm = scenario.executions !== undefined && plan.items === 1;
				const call = { plan, process, budget, isForm, inFlight: 0, starts: 0, gate };
				begun.push(call);
				return runAll(call, first);
			};
			const afterMs = process * processesApartMs + plan.beginMs;
			if (scenario.formsOverMs === undefined && afterMs === 0) return begin();
			return clock.wait(afterMs + random() * 10).then(begin);
		});
		const all = Promise.all(calls).then(() => {
			processRatio ??= Math.max(...deliveredBy) / Math.max(1, Math.min(...deliveredBy));
		});
		work.push(all);
	}
	await clock.run(Promise.all(work));
	running = false;
	const mostAtOnce = scenario.executions
		? plans.reduce((sum, plan) => sum + (plan.items === 1 ? 0 : plan.concurrency), 0)
		: concurrency;
	const notCounted = Math.min(outcome.refused, mostAtOnce * processes);
	const ideal = new IdealSender(scenario, costs, beginMs, limitSeed);
	return {
		...outcome,
		items: total,
		timeMs: lastEndMs - beginMs,
		idealMs: ideal.timeMs(),
		refusedShare: (outcome.refused - notCounted) / outcome.requests,
		pendingTimers: clock.pending,
		pausesMs,
		demandEndsMs: lastBeginMs - beginMs,
		ideal,
		startsMs,
		admittedMs,
		failedAtMs,
		formWaitsMs,
		startsBeforeForm,
		othersShare: others.wanted === 0 ? 1 : others.admitted / others.wanted,
		processRatio: processRatio ?? 1,
		worstSpan:
			scenario.spanMs === undefined
				? 1
				: worstSpan(admittedMs, ideal.admissionsMs(lastBeginMs - beginMs), scenario.spanMs, {
						fromMs: 0,
						untilMs: lastBeginMs - beginMs,
					}),
	};
}

interface ExecutionCall {
	plan: ExecutionPlan;
	process: number;
	budget: ExecutionBudget;
	gate: Gate;
	isForm: boolean;
	inFlight: number;
	/** How many requests it has started so far. */
	starts: number;
}

/** The executions of one process. */
function plansOf(scenario: Scenario): ExecutionPlan[] {
	const { items, concurrency, formsOverMs, executions, maxWaitMs } = scenario;
	if (executions) return executions.map((plan) => ({ maxWaitMs, ...plan }));
	if (formsOverMs === undefined) return [{ beginMs: 0, items, concurrency, maxWaitMs }];
	return Array.from({ length: items }, (_, index) => ({
		beginMs: (index * formsOverMs) / items,
		items: 1,
		concurrency: 1,
		maxWaitMs,
	}));
}

interface IdealExecution {
	beginMs: number;
	/** When each of its places is free. */
	freeMs: number[];
	items: number[];
}

/** A sender that knows the limit, when it has places, and which items are always refused. */
export class IdealSender {
	constructor(
		private readonly scenario: Scenario,
		private readonly costs: number[],
		private readonly beginMs: number,
		private readonly limitSeed: number,
	) {}

	/** Milliseconds until its last item is done. */
	timeMs(): number {
		let endMs = this.beginMs;
		for (const { atMs } of this.send(this.executions())) {
			endMs = Math.max(endMs, atMs - this.upMs + this.scenario.latencyMs);
		}
		return endMs - this.beginMs;
	}

	/**
	 * When its requests would arrive if its executions never ran out of items. Times are milliseconds since the run
	 * began.
	 * @param pausesMs in which it starts nothing either
	 */
	admissionsMs(untilMs: number, pausesMs: ReadonlyArray<[from: number, until: number]> = []): number[] {
		const admissions: number[] = [];
		for (const { atMs } of this.send(this.executions(), { isEndless: true, pausesMs })) {
			if (atMs - this.beginMs > untilMs) break;
			admissions.push(atMs - this.beginMs);
		}
		return admissions;
	}

	private get upMs(): number {
		return Math.min(UPLINK_MS, this.scenario.latencyMs / 2);
	}

	/** All processes count as one sender with the places of all, because they share the limit and have the same work. */
	private executions(): IdealExecution[] {
		const { scenario, beginMs, costs } = this;
		const { processes = 1, idealConcurrency = Infinity } = scenario;
		const plans = plansOf(scenario);
		const itemsOfProcess = costs.length / processes;
		let first = 0;
		return plans.map((plan) => {
			const items: number[] = [];
			for (let process = 0; process < processes; process++) {
				for (let index = 0; index < plan.items; index++) {
					const item = process * itemsOfProcess + first + index;
					if (!scenario.isPoisoned?.(item)) items.push(item);
				}
			}
			first += plan.items;
			const places = Math.min(plan.concurrency * processes, idealConcurrency);
			const atMs = beginMs + plan.beginMs;
			return { beginMs: atMs, freeMs: new Array<number>(places).fill(atMs), items };
		});
	}

	private *send(
		executions: IdealExecution[],
		{ isEndless = false, pausesMs = [] as ReadonlyArray<[from: number, until: number]> } = {},
	): Generator<{ item: number; atMs: number }> {
		const { scenario, beginMs, upMs } = this;
		const limit = (scenario.idealLimit ?? scenario.limit)(seededRandom(this.limitSeed), beginMs);
		const waiting = executions
			.filter(({ items }) => items.length > 0)
			.map((execution) => ({ ...execution, slot: 0, next: 0 }));
		let lastMs = beginMs;
		let pause = 0;
		while (waiting.length > 0) {
			let index = 0;
			for (let other = 1; other < waiting.length; other++) {
				if (readyMs(waiting[other]!) < readyMs(waiting[index]!)) index = other;
			}
			const execution = waiting[index]!;
			const item = execution.items[execution.next % execution.items.length]!;
			const cost = this.costs[item]!;
			let atMs = Math.max(lastMs, readyMs(execution) + upMs);
			for (;;) {
				for (; pause < pausesMs.length && pausesMs[pause]![0] + beginMs <= atMs - upMs; pause++) {
					atMs = Math.max(atMs, pausesMs[pause]![1] + beginMs + upMs);
				}
				const nextMs = limit.nextAdmissionMs(atMs, cost);
				if (nextMs <= atMs) break;
				// The limit may change during the wait.
				atMs = Math.min(nextMs, atMs + 1000);
				if (atMs - beginMs > LONGEST_MS) throw new Error('The ideal sender waits endlessly');
			}
			if (!limit.admit(atMs, cost)) throw new Error('The ideal sender was refused');
			lastMs = atMs;
			execution.freeMs[execution.slot] = atMs - upMs + scenario.latencyMs;
			execution.slot = (execution.slot + 1) % execution.freeMs.length;
			execution.next++;
			const goesOn = isEndless && execution.items.length > 1;
			if (!goesOn && execution.next >= execution.items.length) waiting.splice(index, 1);
			yield { item, atMs };
		}
	}
}

/**
 * Places are taken in turn, and all requests take equally long, so the next place is the one that becomes free first.
 */
function readyMs({ freeMs, slot }: { freeMs: number[]; slot: number }): number {
	return freeMs[slot]!;
}

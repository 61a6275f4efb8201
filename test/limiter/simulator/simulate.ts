import { backOff } from '../../../client/backOff';
import { RunCalls } from '../../../client/limiter/RunCalls';
import { ItemCalls } from '../../../client/limiter/ItemCalls';
import type { Failure } from '../../../client/ServiceError';
import { seededRandom } from '../../../emulator/seededRandom';
import { Limiter } from '../../../client/limiter/Limiter';
import type { Permit } from '../../../client/limiter/Permit';
import { idealMs } from './IdealSender';
import type { ServiceLimit } from './ServiceLimit';
import { UPLINK_MS, type Mishap, type Run, type Scenario } from './Scenario';
import { VirtualClock } from '../../support/VirtualClock';

export interface Outcome {
	items: number;
	/** Counts the items that failed, without those that the service always refuses. */
	lost: number;
	/** Holds the milliseconds until all items are done, except those that are always refused. */
	timeMs: number;
	/** Holds the milliseconds that the ideal sender would need. */
	idealMs: number;
	requests: number;
	/** Counts the refusals, without those of items that are always refused, and without as many first ones as were in flight. */
	refused: number;
	/** Says when the requests arrived, in milliseconds since the simulation began. */
	arrivalsMs: number[];
	/** Holds the spans from a refusal with `Retry-After` until its end, in milliseconds since the simulation began. */
	pausesMs: Array<[fromMs: number, untilMs: number]>;
	/** Holds the highest number of requests that another run started while a run of one item waited. */
	startsBeforeForm: number;
	/** Holds the longest time from the beginning of a run of one item to its answer, in milliseconds. */
	slowestFormMs: number;
	/** Counts the timers that are left at the end. */
	pendingTimers: number;
}

/** A call is repeated at most so often after failures other than rate limits. */
const MAX_RETRIES = 3;

const NEVER = new AbortController().signal;

/** Runs a scenario in virtual time. */
export const simulate = async (scenario: Scenario, seed: number): Promise<Outcome> =>
	await new Simulation(scenario, seed).run();

interface RunningRun extends Run {
	limiters: Limiter[];
	calls: RunCalls;
	firstItem: number;
	inFlight: number;
	starts: number;
}

class Simulation {
	private readonly random: () => number;

	private readonly beginMs: number;

	private readonly clock: VirtualClock;

	private readonly limits: ServiceLimit[];

	private readonly costs: number[];

	private readonly running: RunningRun[] = [];

	private inService = 0;

	private isOver = false;

	private lastEndMs: number;

	private readonly outcome: Outcome;

	constructor(
		private readonly scenario: Scenario,
		seed: number,
	) {
		this.random = seededRandom(seed * 7919 + 13);
		this.lastEndMs = this.beginMs = 6e6 + Math.floor(this.random() * 60_000);
		this.clock = new VirtualClock(this.beginMs);
		this.limits = this.forEachModel(() => scenario.limit(this.beginMs, 1));
		const items = scenario.processesMs.length * sum(scenario.runs.map((run) => run.items));
		this.costs = Array.from({ length: items }, () => scenario.cost?.(this.random) ?? 1);
		this.outcome = {
			items,
			lost: 0,
			timeMs: 0,
			idealMs: idealMs(scenario, this.costs, this.beginMs),
			requests: 0,
			refused: 0,
			arrivalsMs: [],
			pausesMs: [],
			startsBeforeForm: 0,
			slowestFormMs: 0,
			pendingTimers: 0,
		};
	}

	async run(): Promise<Outcome> {
		const { clock, outcome, scenario } = this;
		let firstItem = 0;
		const all = scenario.processesMs.map(async (processMs) => {
			const limiters = this.forEachModel(() => new Limiter({ clock, random: this.random }));
			const runs = scenario.runs.map((run) => {
				const calls = new RunCalls();
				calls.limitTo(run.concurrency);
				const running = { ...run, limiters, calls, firstItem, inFlight: 0, starts: 0 };
				firstItem += run.items;
				return running;
			});
			await Promise.all(
				runs.map(async (run) => {
					if (processMs + run.beginMs > 0) await clock.wait(processMs + run.beginMs);
					this.running.push(run);
					await this.runAll(run);
				}),
			);
		});
		if (scenario.other) void this.sendAsOther(scenario.other.perMinute);
		await clock.run(Promise.all(all));
		this.isOver = true;
		const atOnce = scenario.processesMs.length * sum(scenario.runs.map((run) => run.concurrency));
		outcome.refused = Math.max(0, outcome.refused - atOnce);
		return { ...outcome, timeMs: this.lastEndMs - this.beginMs, pendingTimers: clock.pending };
	}

	/** Begins items in order, up to the concurrency of the run. Items that are set aside take no slot. */
	private async runAll(run: RunningRun): Promise<void> {
		const { calls, firstItem, items, concurrency } = run;
		await new Promise<void>((resolve, reject) => {
			let begun = 0;
			let ended = 0;
			const begin = () => {
				while (begun < items && begun - ended - calls.setAside < concurrency) {
					const item = firstItem + begun++;
					calls.setItemsToBegin(items - begun);
					this.runItem(item, run).then((isDelivered) => {
						ended++;
						const isRefused = this.scenario.isRefused?.(item) ?? false;
						if (!isRefused) this.lastEndMs = this.clock.now();
						if (!isRefused && !isDelivered) this.outcome.lost++;
						if (ended === items) resolve();
						else begin();
					}, reject);
				}
			};
			calls.whenSetAside(begin);
			begin();
		});
	}

	/**
	 * Sends the requests of an item.
	 * @returns whether the item succeeded
	 */
	private async runItem(item: number, run: RunningRun): Promise<boolean> {
		const calls = new ItemCalls(run.calls, this.scenario.maxWaitMs);
		const leave = this.ofModel(run.limiters, item).enter(calls);
		try {
			return await this.repeat(item, calls, run);
		} finally {
			leave();
		}
	}

	private async repeat(item: number, calls: ItemCalls, run: RunningRun): Promise<boolean> {
		const { clock, outcome } = this;
		const beginMs = clock.now();
		for (let failures = 0; ;) {
			const others = run.items === 1 ? this.running.filter((other) => other !== run) : [];
			const starts = others.map((other) => other.starts);
			let permit: Permit;
			try {
				permit = await this.ofModel(run.limiters, item).acquire(calls, NEVER);
			} catch {
				return false;
			}
			const before = others.map((other, index) => other.starts - starts[index]!);
			outcome.startsBeforeForm = Math.max(outcome.startsBeforeForm, ...before);
			run.starts++;
			if (++run.inFlight > run.concurrency) throw new Error('More in flight than allowed');
			const failure = await this.send(item);
			run.inFlight--;
			if (!failure) {
				permit.end('succeeded');
				const tookMs = clock.now() - beginMs;
				if (run.items === 1) outcome.slowestFormMs = Math.max(outcome.slowestFormMs, tookMs);
				return true;
			}
			if (failure.httpStatus !== 429) {
				permit.end('unavailable', failure);
				const { httpStatus, retryAfterMs = 0 } = failure;
				if (++failures > MAX_RETRIES || retryAfterMs > calls.leftMs) return false;
				calls.setAside(true);
				const leastMs = Math.max(retryAfterMs, httpStatus === 503 ? 500 : 0);
				await clock.wait(Math.max(leastMs, backOff(failures, this.random)));
				calls.countWait(retryAfterMs);
			} else if (!permit.end('rateLimited', failure)) {
				return false;
			}
		}
	}

	private async send(item: number): Promise<Failure | undefined> {
		const { clock, scenario, outcome, random } = this;
		const limit = this.ofModel(this.limits, item);
		const { latencyMs } = scenario;
		const upMs = Math.min(UPLINK_MS, latencyMs / 2) * this.jitter(0.2);
		await clock.wait(upMs);
		outcome.requests++;
		this.inService++;
		const nowMs = clock.now();
		const atMs = nowMs - this.beginMs;
		outcome.arrivalsMs.push(atMs);
		const isRefused = scenario.isRefused?.(item) ?? false;
		const cost = this.costs[item]!;
		const index = outcome.requests - 1;
		const mishap: Mishap | undefined = isRefused
			? { status: 429, retryAfterMs: scenario.refusedItemsHeaderMs }
			: scenario.mishap?.({ atMs, index, inFlight: this.inService, random });
		const isAdmitted = !mishap && limit.admit(nowMs, cost);
		const leftMs = isAdmitted ? 0 : limit.nextAdmissionMs(nowMs, cost) - nowMs;
		const tookMs = (isAdmitted ? latencyMs : (scenario.refusalMs ?? latencyMs)) * this.jitter(0.1);
		await clock.wait(Math.max(0, tookMs - upMs));
		this.inService--;
		if (isAdmitted) return undefined;
		if (!isRefused) outcome.refused++;
		if (mishap && mishap.status !== 429) return failureOf(mishap.status, mishap.retryAfterMs);
		const headerMs = Number.isFinite(leftMs) ? scenario.header?.(leftMs) : undefined;
		const retryAfterMs = mishap?.retryAfterMs ?? headerMs;
		const endMs = clock.now() - this.beginMs;
		if (retryAfterMs) outcome.pausesMs.push([endMs, endMs + retryAfterMs]);
		return failureOf(429, retryAfterMs);
	}

	/** Simulates another client, which sends each of its requests once. */
	private async sendAsOther(perMinute: number): Promise<void> {
		while (!this.isOver) {
			await this.clock.wait((60_000 / perMinute) * (0.5 + this.random()));
			this.limits[0]!.admit(this.clock.now(), this.scenario.cost?.(this.random) ?? 1);
		}
	}

	private forEachModel<Thing>(make: () => Thing): Thing[] {
		return Array.from({ length: this.scenario.models ?? 1 }, make);
	}

	/** Returns the one that belongs to the model that an item names. */
	private ofModel<Thing>(things: Thing[], item: number): Thing {
		return things[item % things.length]!;
	}

	private jitter(share: number): number {
		return 1 - share + 2 * share * this.random();
	}
}

/**
 * Makes the failure of a simulated request.
 * @param httpStatus undefined for a connection that is refused
 */
function failureOf(httpStatus: number | undefined, retryAfterMs = 0): Failure {
	if (httpStatus === undefined) return { kind: 'network', message: 'Refused' };
	return { kind: 'status', httpStatus, message: String(httpStatus), retryAfterMs };
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

import fc from 'fast-check';

import { limiter, type Design } from '../../bench/limits/design';
import { limitOf, type Kind } from '../../bench/limits/row';
import { simulate, type Outcome, type Scenario } from '../../bench/limits/simulate';
import { median } from '../../bench/median';
import { VirtualClock } from '../../bench/limits/VirtualClock';
import { Limiter } from '../../client/limiter/Limiter';
import { ExecutionBudget, WaitBudget } from '../../client/limiter/WaitBudget';
import { ServiceError } from '../../client/ServiceError';

const NEVER = new AbortController().signal;

/** The same on each run, so that a failure is the change's. */
const PARAMETERS = { seed: 1, numRuns: 25 };

const refusal = (retryAfterMs: number) =>
	new ServiceError({ kind: 'status', httpStatus: 429, message: 'Too many requests', retryAfterMs });

const seeds = fc.integer({ min: 1, max: 1e6 });

const kinds = fc.constantFrom<Kind>('clock', 'anchored', 'first', 'sliding', 'bucket', 'small bucket');

const limits = fc.record({ kind: kinds, perMinute: fc.integer({ min: 60, max: 600 }) });

const scenarioOf = (
	{ kind, perMinute }: { kind: Kind; perMinute: number },
	options: Partial<Scenario>,
): Scenario => ({
	name: `RPM ${perMinute} ${kind}`,
	limit: limitOf({ kind, perMinute, limit: () => perMinute }),
	items: 2 * perMinute,
	concurrency: 8,
	latencyMs: 50,
	maxWaitMs: 3_600_000,
	...options,
});

/** Runs a scenario, after which nothing may be left. */
async function runToItsEnd(scenario: Scenario, seed: number): Promise<Outcome> {
	const executions: ExecutionBudget[] = [];
	class KeptBudget extends ExecutionBudget {
		constructor(concurrency?: number) {
			super(concurrency);
			executions.push(this);
		}
	}
	const gates: Limiter[] = [];
	const design: Design = {
		...limiter,
		newGate: (clock, random) => {
			const gate = new Limiter({ clock, random });
			gates.push(gate);
			return gate;
		},
		budgets: { ExecutionBudget: KeptBudget, WaitBudget },
	};
	const outcome = await simulate(scenario, seed, design);
	expect(outcome.pendingTimers).toBe(0);
	expect(gates.map(({ unusedSinceMs }) => Number.isFinite(unusedSinceMs))).toEqual(gates.map(() => true));
	expect(executions.map(({ setAside }) => setAside)).toEqual(executions.map(() => 0));
	return outcome;
}

test('executions take turns: each other one starts at most two requests while a form waits', async () => {
	const run = fc.record({
		beginMs: fc.integer({ min: 0, max: 30_000 }),
		items: fc.integer({ min: 50, max: 300 }),
		concurrency: fc.integer({ min: 1, max: 16 }),
	});
	const formsAtMs = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 5 });
	const property = fc.asyncProperty(
		limits,
		fc.array(run, { minLength: 1, maxLength: 4 }),
		formsAtMs,
		seeds,
		async (limit, runs, forms, seed) => {
			const executions = [...runs, ...forms.map((beginMs) => ({ beginMs, items: 1, concurrency: 1 }))];
			const outcome = await runToItsEnd(scenarioOf(limit, { executions }), seed);
			expect(outcome.startsBeforeForm).toBeLessThanOrEqual(2);
			expect(outcome.lost).toBe(0);
		},
	);
	await fc.assert(property, PARAMETERS);
});

/** Median time of nine runs, as a multiple of the ideal sender's. */
async function medianTime(scenario: Scenario): Promise<number> {
	const times: number[] = [];
	for (let seed = 1; seed <= 9; seed++) {
		const { lost, timeMs, idealMs } = await simulate(scenario, seed);
		expect(lost).toBe(0);
		times.push(timeMs / idealMs);
	}
	return median(times);
}

test.each([
	{ windowMs: 2000, perMinute: 300 },
	{ windowMs: 5000, perMinute: 240 },
])('a window of $windowMs ms is not mistaken for a longer one', async ({ windowMs, perMinute }) => {
	const limit = limitOf({ kind: 'anchored', perMinute, limit: () => perMinute, windowMs });
	const scenario = scenarioOf({ kind: 'anchored', perMinute }, { limit, items: 8 * perMinute });
	expect(await medianTime(scenario)).toBeLessThan(1.1);
});

test('an item that is always refused does not hold up another execution', async () => {
	const formsAtMs = fc.integer({ min: 0, max: 90_000 });
	const property = fc.asyncProperty(limits, formsAtMs, seeds, async (limit, beginMs, seed) => {
		const run = { beginMs: 0, items: 2 * limit.perMinute, concurrency: 8 };
		const form = { beginMs, items: 1, concurrency: 1 };
		const scenario = scenarioOf(limit, { executions: [form, run], isPoisoned: (item) => item === 0 });
		const { lost, failed, timeMs, idealMs } = await runToItsEnd(scenario, seed);
		expect(lost).toBe(0);
		expect(failed).toBe(1);
		expect(timeMs).toBeLessThan(idealMs + 120_000);
	});
	await fc.assert(property, PARAMETERS);
});

test('a Retry-After longer than an hour is probed after a minute by calls that come later', async () => {
	const property = fc.asyncProperty(
		fc.integer({ min: 3_600_001, max: 1e10 }),
		fc.integer({ min: 0, max: 59_000 }),
		fc.integer({ min: 0, max: 300_000 }),
		async (retryAfterMs, beforeMs, afterMs) => {
			const clock = new VirtualClock(1e9);
			const gate = new Limiter({ clock, random: () => 0.5 });
			const acquire = async () =>
				await clock.run(gate.acquire(new WaitBudget(new ExecutionBudget(), 300_000), NEVER));
			const go = async (milliseconds: number) => await clock.run(clock.wait(milliseconds));
			const error = refusal(retryAfterMs);
			expect((await acquire()).throttled(error)).toBe(false);
			await go(beforeMs);
			await expect(acquire()).rejects.toBe(error);
			await go(61_000 - beforeMs + afterMs);
			const askedMs = clock.now();
			(await acquire()).succeeded();
			expect(clock.now()).toBe(askedMs);
			expect(clock.pending).toBe(0);
		},
	);
	await fc.assert(property, PARAMETERS);
});

test('with 20,000 waiting calls, each costs at most ten times as much as with 200, and an abort visits only its own', async () => {
	const few = await costOfQueue(200, 100);
	const many = await costOfQueue(20_000, 1);
	expect(many.wait / few.wait).toBeLessThan(10);
	expect(many.abort / few.abort).toBeLessThan(10);
	expect(many.start / few.start).toBeLessThan(10);
}, 30_000);

interface QueueCost {
	wait: number;
	abort: number;
	start: number;
}

/** CPU time of all calls of all repetitions. Half of the calls are aborted. */
async function costOfQueue(calls: number, repetitions: number): Promise<QueueCost> {
	const cost: QueueCost = { wait: 0, abort: 0, start: 0 };
	for (let repetition = 0; repetition < repetitions; repetition++) {
		const clock = new VirtualClock(1e9);
		const gate = new Limiter({ clock, random: () => 0.5 });
		const execution = new ExecutionBudget(calls);
		const newItem = () => new WaitBudget(execution, 3_600_000);
		(await gate.acquire(newItem(), NEVER)).throttled(refusal(1000));
		const aborts = Array.from({ length: calls }, () => new AbortController());
		const waiting: Array<Promise<void>> = [];
		cost.wait += await cpuOf(async () => {
			for (const { signal } of aborts) {
				waiting.push(gate.acquire(newItem(), signal).then((permit) => permit.succeeded()));
			}
			await Promise.resolve();
		});
		const all = Promise.allSettled(waiting);
		cost.abort += await cpuOf(async () => {
			for (const [index, abort] of aborts.entries()) if (index % 2 === 1) abort.abort();
			await Promise.resolve();
		});
		cost.start += await cpuOf(async () => await clock.run(all));
		expect(clock.pending).toBe(0);
	}
	return cost;
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
	const begin = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begin);
	return user + system;
}

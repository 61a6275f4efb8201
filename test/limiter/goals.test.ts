import { measureRow, isLostBeyond } from './simulator/measure';
import { GOALS, ROWS } from './simulator/rows';
import type { Scenario } from './simulator/Scenario';
import { LIMITS } from './simulator/ServiceLimit';
import { simulate } from './simulator/simulate';

/** The limiter was not tuned on scenarios with this seed. */
const SEED = 77_001;

/**
 * The goals are for medians of three runs of all scenarios. This test makes a single run of every second one, and so may exceed
 * them by this factor. `npm run bench -- --scenario everyLimit` runs all.
 */
const ALLOWANCE = 1.25;

test.each(Object.entries(GOALS))(
	'%s: no scenario loses more items than its goal, and the mean time is near its goal',
	async (group, goal) => {
		const figures = [];
		const rows = ROWS.filter((one) => one.group === group);
		for (const row of rows.filter((_, index) => index % 2 === 0)) {
			figures.push(await measureRow(row, { seeds: 1, firstSeed: SEED }));
		}
		expect(
			figures.filter((one) => isLostBeyond(one, goal)).map(({ row, lost }) => `${row.name}: ${lost} lost`),
		).toEqual([]);
		const mean = figures.reduce((sum, { time }) => sum + time, 0) / figures.length;
		expect(mean).toBeLessThanOrEqual(ALLOWANCE * goal.mean);
	},
);

test('a limit of 10 a second that begins after 4000 requests does not stall the run for 10 s', async () => {
	const limit = (beginMs: number) =>
		LIMITS.bucket({
			perMinute: (atMs) => (atMs - beginMs < 10_000 ? 1e9 : 600),
			burst: 10,
			windowMs: 60_000,
			edgeMs: 0,
		});
	const runs = [{ beginMs: 0, items: 4150, concurrency: 16 }];
	const { arrivalsMs } = await simulate(
		{ name: 'begins', limit, runs, processesMs: [0], latencyMs: 40, maxWaitMs: 3_600_000 },
		1,
	);
	const gapsMs = arrivalsMs.map((atMs, index) => atMs - (arrivalsMs[index - 1] ?? 0));
	expect(Math.max(...gapsMs)).toBeLessThan(10_000);
});

/** Two runs with a Concurrency of 8 share a limit of 300 requests a minute. */
const two: Scenario = {
	name: 'two runs',
	limit: (beginMs) =>
		LIMITS.fixed({ perMinute: () => 300, burst: 1, windowMs: 60_000, edgeMs: beginMs + 20_000 }),
	runs: [0, 5000].map((beginMs) => ({ beginMs, items: 300, concurrency: 8 })),
	processesMs: [0],
	latencyMs: 50,
	maxWaitMs: 3_600_000,
};

test('while a run of one item waits, such as that of a form, each other run starts at most two requests', async () => {
	const forms = [10_000, 30_000, 70_000].map((beginMs) => ({ beginMs, items: 1, concurrency: 1 }));
	const outcome = await simulate({ ...two, runs: [...two.runs, ...forms] }, 1);
	expect(outcome.startsBeforeForm).toBeLessThanOrEqual(2);
	expect([outcome.lost, outcome.pendingTimers]).toEqual([0, 0]);
});

test('a form beside a run of 240 items at 60 requests a minute has its answer within 3 s', async () => {
	const limit = () => LIMITS.bucket({ perMinute: () => 60, burst: 60, windowMs: 60_000, edgeMs: 0 });
	const forms = Array.from({ length: 40 }, (_, index) => ({
		beginMs: 70_000 + index * 2700,
		items: 1,
		concurrency: 1,
	}));
	const runs = [{ beginMs: 0, items: 240, concurrency: 8 }, ...forms];
	const outcome = await simulate(
		{ name: 'form', limit, runs, processesMs: [0], latencyMs: 300, maxWaitMs: 3_600_000 },
		SEED,
	);
	expect(outcome.slowestFormMs).toBeLessThan(3000);
});

test('a run at a limit of 10 a second is as fast after two forms in the minute before as it is alone', async () => {
	const limit = () => LIMITS.bucket({ perMinute: () => 600, burst: 20, windowMs: 60_000, edgeMs: 0 });
	const forms = [0, 20_000].map((beginMs) => ({ beginMs, items: 1, concurrency: 1 }));
	const runs = [...forms, { beginMs: 50_000, items: 600, concurrency: 16 }];
	const { timeMs } = await simulate(
		{ name: 'forms before', limit, runs, processesMs: [0], latencyMs: 50, maxWaitMs: 3_600_000 },
		SEED,
	);
	const idealMs = (600 - 20) * 100;
	expect(timeMs - 50_000).toBeLessThan(1.1 * idealMs);
});

test('of two runs at a limit, neither sends anything before a Retry-After is over', async () => {
	const { pausesMs, arrivalsMs } = await simulate({ ...two, header: (leftMs) => leftMs + 5000 }, 1);
	// A request that was sent before takes at most 31 ms to arrive.
	const isEarly = (atMs: number) =>
		pausesMs.some(([fromMs, untilMs]) => atMs > fromMs + 31 && atMs < untilMs);
	expect(pausesMs.length).toBeGreaterThan(0);
	expect(arrivalsMs.filter(isEarly)).toEqual([]);
});

import { idealMs } from './simulator/IdealSender';
import { GOALS, ROWS } from './simulator/rows';
import type { Scenario } from './simulator/Scenario';
import { LIMITS } from './simulator/ServiceLimit';
import { simulate } from './simulator/simulate';

const BEGIN_MS = 6_000_000;

const numbers = { perMinute: () => 60, burst: 2, windowMs: 10_000, edgeMs: BEGIN_MS };

/** The limit is ten requests in ten seconds, for 25 items. */
const ten: Scenario = {
	name: 'ten at a time',
	limit: () => LIMITS.sliding(numbers),
	runs: [{ beginMs: 0, items: 25, concurrency: 5 }],
	processesMs: [0],
	latencyMs: 1000,
	maxWaitMs: 300_000,
};

const ideal = (changes: Partial<Scenario>) => {
	const scenario = { ...ten, ...changes };
	return idealMs(scenario, new Array<number>(50).fill(1), BEGIN_MS);
};

const none = () => LIMITS.none();

test.each<[name: string, changes: Partial<Scenario>, expectedMs: number]>([
	['takes each place of a sliding window when it is back', {}, 21_000],
	['sends when a fixed window turns', { limit: () => LIMITS.fixed(numbers) }, 21_000],
	[
		'sends at the rate of a bucket once its burst is gone',
		{ limit: () => LIMITS.bucket(numbers), runs: [{ beginMs: 0, items: 5, concurrency: 5 }] },
		4000,
	],
	['has no more in flight than it may', { limit: none }, 5000],
	[
		'leaves out items that are always refused',
		{ limit: none, isRefused: (item: number) => item >= 20 },
		4000,
	],
	['keeps to what the service works on at once', { limit: none, mostInFlight: 1 }, 25_000],
	['has a limit for each model', { models: 2 }, 11_000],
	['has the places of all processes', { limit: none, processesMs: [0, 0] }, 5000],
	[
		'leaves another client its share',
		{
			limit: (_: number, share: number) => LIMITS.sliding({ ...numbers, perMinute: () => 60 * share }),
			other: { perMinute: 30, share: 0.5 },
		},
		41_000,
	],
])('the ideal sender %s', (_, changes, expectedMs) => {
	expect(Math.round(ideal(changes) / 100) * 100).toBe(expectedMs);
});

test('the ideal sender waits while a limit admits no request', () => {
	const perMinute = (atMs: number) => (atMs - BEGIN_MS < 7000 ? 0 : 60);
	const limit = () => LIMITS.sliding({ ...numbers, perMinute });
	const ms = ideal({ limit, runs: [{ beginMs: 0, items: 5, concurrency: 5 }] });
	expect(ms).toBeGreaterThanOrEqual(8000 - 25);
	expect(ms).toBeLessThan(9000);
});

test('a window of any length admits its share of the rate', () => {
	for (const limit of [LIMITS.fixed(numbers), LIMITS.sliding(numbers)]) {
		const times = Array.from({ length: 300 }, (_, index) => BEGIN_MS + index * 100);
		expect(times.filter((atMs) => limit.admit(atMs, 1))).toHaveLength(30);
	}
});

test('there are at most 150 rows, some for each group, and a seed always draws the same numbers', () => {
	expect(ROWS.length).toBeLessThanOrEqual(150);
	expect(new Set(ROWS.map(({ group }) => group))).toEqual(new Set(Object.keys(GOALS)));
	for (const row of ROWS) expect(row.draw(7).name).toBe(row.draw(7).name);
});

describe('the simulator of a service', () => {
	const SEED = 1;

	test('answers every item in the time of the ideal sender if there is no limit', async () => {
		const outcome = await simulate({ ...ten, limit: none }, SEED);
		expect(outcome).toMatchObject({ items: 25, requests: 25, lost: 0, refused: 0, pendingTimers: 0 });
		expect(outcome.arrivalsMs).toHaveLength(25);
		expect(outcome.timeMs / outcome.idealMs).toBeCloseTo(1, 0);
	});

	test('refuses requests above the limit, which are sent again, and is slower than the ideal sender', async () => {
		const outcome = await simulate(ten, SEED);
		expect(outcome.lost).toBe(0);
		expect(outcome.requests).toBeGreaterThan(25);
		expect(outcome.timeMs).toBeGreaterThan(outcome.idealMs);
	});

	test('lets no request in flight exceed the concurrency of the run', async () => {
		const { timeMs } = await simulate(
			{ ...ten, limit: none, runs: [{ ...ten.runs[0]!, concurrency: 1 }] },
			SEED,
		);
		expect(timeMs).toBeGreaterThan(25 * 1000 * 0.9);
	});

	test('counts an item as lost if each of its requests fails', async () => {
		const mishap = () => ({ status: 502 }) as const;
		const outcome = await simulate({ ...ten, limit: none, maxWaitMs: 5000, mishap }, SEED);
		expect(outcome.lost).toBe(25);
	});

	test('counts an item that the service always refuses neither as lost nor as refused', async () => {
		const isRefused = (item: number) => item === 3;
		const outcome = await simulate({ ...ten, limit: none, maxWaitMs: 5000, isRefused }, SEED);
		expect(outcome).toMatchObject({ lost: 0, refused: 0 });
	});

	test('has the same outcome with the same seed, and another with another', async () => {
		const outcome = await simulate(ten, SEED);
		expect(await simulate(ten, SEED)).toEqual(outcome);
		expect(await simulate(ten, SEED + 1)).not.toEqual(outcome);
	});
});

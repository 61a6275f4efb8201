import { limiter } from '../bench/limits/design';
import { row } from '../bench/limits/row';
import { simulate, type Scenario } from '../bench/limits/simulate';
import {
	AllLimits,
	ClockWindow,
	FirstRequestWindow,
	SlidingWindow,
	TokenBucket,
} from '../bench/limits/ServiceLimit';
import { worstSpan } from '../bench/limits/worstSpan';
import type { WaitBudget } from '../client/limiter/WaitBudget';

const ten: Scenario = {
	name: 'ten at a time',
	limit: () => new SlidingWindow({ limit: () => 10, windowMs: 10_000 }),
	items: 25,
	concurrency: 5,
	latencyMs: 1000,
};

/** Requests arrive 25 ms after they are sent. */
const UP_MS = 25;

async function idealMs(scenario: Partial<Scenario>): Promise<number> {
	return (await simulate({ ...ten, ...scenario }, 1)).idealMs;
}

test('the ideal sender takes each place of a sliding window when it is back', async () => {
	// 10 at 0 and 1 s, 10 at 10 and 11 s, 5 at 20 s.
	expect(await idealMs({})).toBe(21_000);
});

test('the ideal sender of a fixed window sends as soon as it turns, and no more at once than it may', async () => {
	const limit = () => new FirstRequestWindow({ limit: () => 10, windowMs: 10_000 });
	expect(await idealMs({ limit })).toBe(21_000);
	expect(await idealMs({ limit, concurrency: 1, items: 12 })).toBe(12_000);
});

test('the ideal sender of a bucket sends at its rate once the burst is gone', async () => {
	const limit = () => new TokenBucket({ limit: () => 60, burst: 2 });
	// It was empty 25 ms after the begin; the third to fifth arrive a second after each other.
	expect(await idealMs({ limit, items: 5 })).toBeCloseTo(4000, 0);
});

test("the ideal sender leaves out items that are always refused, and keeps to the service's concurrency", async () => {
	const limit = () => new TokenBucket({ limit: () => 6e6, burst: 1e6 });
	expect(await idealMs({ limit })).toBe(5000);
	expect(await idealMs({ limit, isPoisoned: (item) => item >= 20 })).toBe(4000);
	expect(await idealMs({ limit, idealConcurrency: 1 })).toBe(25_000);
	expect(await idealMs({ limit, processes: 2 })).toBe(5000);
});

test('the ideal sender waits while a limit lets nothing through', async () => {
	const limit = (_: unknown, beginMs: number) =>
		new SlidingWindow({ limit: (atMs) => (atMs - beginMs < 7000 ? 0 : 10), windowMs: 10_000 });
	const ms = await idealMs({ limit, items: 5 });
	expect(ms).toBeGreaterThanOrEqual(8000 - UP_MS);
	expect(ms).toBeLessThan(9000);
});

test('the ideal sender serves executions in the order in which they are ready', async () => {
	const run = { beginMs: 0, items: 20, concurrency: 5 };
	// 10 of the run at once, the others and the form from 10 s on.
	expect(await idealMs({ executions: [run, { beginMs: 5000, items: 1, concurrency: 1 }] })).toBe(21_000);
});

test('the ideal sender starts nothing in the pauses that it is bound by', async () => {
	const { ideal } = await simulate(ten, 1);
	const arrivals = (pausesMs: Array<[number, number]>) =>
		ideal.admissionsMs(12_000, pausesMs).map((atMs) => Math.round(atMs / 100) / 10);
	expect(arrivals([])).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11]);
	expect(arrivals([[500, 3000]])).toEqual([0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 10, 10, 10, 10, 10]);
});

test('of two limits the one that is reached first counts, and what it refuses takes no place of the other', () => {
	const limit = new AllLimits([
		{ limit: new ClockWindow({ limit: () => 2, windowMs: 1000, offsetMs: 0 }), counts: 'requests' },
		{ limit: new SlidingWindow({ limit: () => 100, windowMs: 60_000 }), counts: 'tokens' },
	]);
	expect([0, 1, 2].map((atMs) => limit.admit(atMs, 30))).toEqual([true, true, false]);
	expect(limit.nextAdmissionMs(2, 30)).toBe(1000);
	expect(limit.admit(1000, 40)).toBe(true);
	expect(limit.nextAdmissionMs(1001, 1)).toBe(60_000);
});

test('a window of another length lets through its share of the rate', () => {
	const limit = row({ kind: 'anchored', perMinute: 120, windowMs: 10_000 }).scenario.limit(() => 0, 5000);
	const admitted = Array.from({ length: 300 }, (_, index) => limit.admit(5000 + index * 100, 1)).filter(
		Boolean,
	);
	expect(admitted).toHaveLength(60);
});

test('a span in which nothing gets through is found, and one that just misses an edge is not held against anyone', () => {
	const everySecond = Array.from({ length: 100 }, (_, index) => index * 1000);
	const range = { fromMs: 0, untilMs: 90_000 };
	expect(worstSpan(everySecond, everySecond, 20_000, range)).toBe(1);
	const withGap = everySecond.filter((atMs) => atMs < 40_000 || atMs >= 60_000);
	expect(worstSpan(withGap, everySecond, 20_000, range)).toBeLessThan(0.2);
	expect(worstSpan(withGap, everySecond, 20_000, { ...range, exceptMs: [[40_000, 60_000]] })).toBe(1);
	const late = everySecond.map((atMs) => atMs + 1500);
	expect(worstSpan(late, everySecond, 20_000, range)).toBe(1);
});

test('what the other client wanted and got is reported', async () => {
	const limit = () => new TokenBucket({ limit: () => 6e6, burst: 1e6 });
	const alone = await simulate({ ...ten, limit, items: 200, othersPerMinute: 60 }, 1);
	expect(alone.othersShare).toBe(1);
	const nothing = await simulate({ ...ten, othersPerMinute: 600 }, 1);
	expect(nothing.othersShare).toBeLessThan(0.5);
});

test('a limiter that has more in flight than an execution may is detected', async () => {
	const permit = { succeeded: () => undefined, throttled: () => true, overloaded: () => undefined };
	const newGate = () => ({
		acquire: ({ execution }: WaitBudget) => {
			execution.setAside++;
			execution.onSetAside?.();
			return Promise.resolve(permit);
		},
	});
	await expect(simulate(ten, 1, { ...limiter, newGate })).rejects.toThrow('More in flight');
});

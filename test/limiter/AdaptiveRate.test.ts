import { AdaptiveRate } from '../../client/limiter/AdaptiveRate';

/**
 * Returns the interval between two starts after 14 successes and two 429s of these items.
 * @param isLate whether each request counted as admitted before its 429 came
 */
function gapAfter(items: [object, object], isLate = false): number {
	const rate = new AdaptiveRate(() => 0.5);
	let now = 0;
	const start = (item: object) => {
		now = Math.max(now, rate.nextStartMs(true));
		return rate.started(now, item, true);
	};
	for (let count = 0; count < 10; count++) rate.succeeded(start({}), (now += 100));
	// A `Retry-After` shows that there is a limit, so a rate is set.
	rate.rateLimited(start({}), now, 1000);
	const rest = () => rate.succeeded(start({}), now);
	// A first 429 at that rate ends its doubling.
	rest();
	rate.rateLimited(start({}), now, 0);
	for (let count = 0; count < 8; count++) rest();
	for (const item of items) {
		const request = start(item);
		if (isLate) rate.admit(request, now);
		rate.rateLimited(request, now, 0);
	}
	for (let count = 0; count < 6; count++) rest();
	start({});
	const beforeMs = now;
	start({});
	return now - beforeMs;
}

test('two 429s in a row of the same item count once for the rate', () => {
	const item = {};
	expect(gapAfter([item, item])).toBeLessThan(gapAfter([{}, {}]));
});

test('a 429 of a request that had counted as admitted counts for the rate like any other', () => {
	expect(gapAfter([{}, {}], true)).toBe(gapAfter([{}, {}]));
});

/** Sends requests at the pace of a rate, and returns how many gaps between them had the same length, in turn. */
function gapsOf(
	answer: (rate: AdaptiveRate, count: number, send: () => void) => void,
	requests: number,
): number[] {
	const rate = new AdaptiveRate(() => 0.5);
	let now = 0;
	const send = () => {
		now = Math.max(now, rate.nextStartMs(true));
		return rate.started(now, {}, true);
	};
	for (let count = 0; count < 10; count++) rate.succeeded(send(), (now += 1000));
	rate.rateLimited(send(), now, 1000);
	const startsMs: number[] = [];
	for (let count = 0; count < requests; count++) {
		const request = send();
		startsMs.push(now);
		answer(rate, count, () => rate.succeeded(request, now));
		if (rate.lastAdmittedIndex < request.index) rate.rateLimited(request, now, 0);
	}
	const gapsMs = startsMs.slice(1).map((atMs, index) => Math.round(atMs - startsMs[index]!));
	const lengths: Array<{ gapMs: number; times: number }> = [];
	for (const gapMs of gapsMs.slice(1)) {
		const last = lengths.at(-1);
		if (last?.gapMs === gapMs) last.times++;
		else lengths.push({ gapMs, times: 1 });
	}
	return lengths.map(({ times }) => times);
}

test('the first rate doubles after every four successes', () => {
	const times = gapsOf((_, __, succeed) => succeed(), 24);
	expect(times.slice(1, 4)).toEqual([4, 4, 4]);
});

test('after the first 429, the rate grows after 16 successes, and then after every four as long as there is no 429', () => {
	const times = gapsOf((_, count, succeed) => count !== 2 && succeed(), 60);
	expect(times.slice(-5, -1)).toEqual([4, 4, 4, 4]);
	expect(times).toContain(16);
});

/**
 * Sends ten requests in a second, gets two 429s, and lets the first probe through.
 * @param pauseMs the wait of a `Retry-After`, or 0 if there is none
 * @returns the time from the first 429 to that probe, and then the gap between two starts
 */
function firstGap(pauseMs: number): { probingMs: number; gapMs: number } {
	const rate = new AdaptiveRate(() => 0.5);
	let now = 0;
	const start = () => {
		now = Math.max(now, rate.nextStartMs(true));
		return rate.started(now, {}, true);
	};
	for (let count = 0; count < 10; count++) rate.succeeded(start(), (now += 100));
	const refusedMs = now;
	for (let count = 0; count < 2; count++) rate.rateLimited(start(), now, pauseMs);
	rate.succeeded(start(), now);
	const probingMs = now - refusedMs;
	start();
	const beforeMs = now;
	start();
	return { probingMs, gapMs: now - beforeMs };
}

test('without a Retry-After, the first rate is at most two requests per time that the probes took', () => {
	const { probingMs, gapMs } = firstGap(0);
	expect(probingMs).toBeGreaterThanOrEqual(1000);
	expect(gapMs).toBeCloseTo(probingMs / 2);
});

test('with a Retry-After, the first rate is the one before the 429, however long the probes took', () => {
	const { probingMs, gapMs } = firstGap(5000);
	expect(probingMs).toBeGreaterThanOrEqual(5000);
	expect(gapMs).toBeLessThan(150);
});

test('after four 429s in a row, no item is blamed, unless it was certain for the earlier ones', () => {
	const rate = new AdaptiveRate(() => 0.5);
	const refuse = (isCertain: boolean) => rate.refusedByItemsFault(rate.started(0, {}, false), 0, isCertain);
	for (let count = 0; count < 8; count++) refuse(true);
	for (let count = 0; count < 3; count++) refuse(false);
	expect(rate.mayBeItem).toBe(true);
	refuse(false);
	expect(rate.mayBeItem).toBe(false);
	rate.succeeded(rate.started(0, {}, true), 0);
	expect(rate.mayBeItem).toBe(true);
});

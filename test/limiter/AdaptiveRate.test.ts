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

test('the rate grows after 16 successes, and then after every four as long as there is no 429', () => {
	const rate = new AdaptiveRate(() => 0.5);
	let now = 0;
	const send = () => {
		now = Math.max(now, rate.nextStartMs(true));
		return rate.started(now, {}, true);
	};
	for (let count = 0; count < 10; count++) rate.succeeded(send(), (now += 1000));
	rate.rateLimited(send(), now, 1000);
	const startsMs: number[] = [];
	for (let count = 0; count < 40; count++) {
		const request = send();
		startsMs.push(now);
		rate.succeeded(request, now);
	}
	const gapsMs = startsMs.slice(1).map((atMs, index) => Math.round(atMs - startsMs[index]!));
	const sizes = [...new Set(gapsMs.slice(1))].map(
		(gapMs) => gapsMs.filter((other) => other === gapMs).length,
	);
	expect(sizes.slice(0, 4)).toEqual([16, 4, 4, 4]);
});

import { AdaptiveRate } from '../../client/limiter/AdaptiveRate';

/** The interval between two starts after a round of 14 successes and two 429 that belong to the items. */
function gapAfter(items: [object, object]): number {
	const rate = new AdaptiveRate(() => 0.5);
	let now = 0;
	const start = (item: object) => {
		now = Math.max(now, rate.nextStartMs(true));
		return rate.started(now, item, true);
	};
	for (let count = 0; count < 10; count++) rate.succeeded(start({}), (now += 100));
	// A `Retry-After` says that there is a limit, and the rate begins.
	rate.rateLimited(start({}), now, 1000);
	const rest = () => rate.succeeded(start({}), now);
	for (let count = 0; count < 8; count++) rest();
	for (const item of items) rate.rateLimited(start(item), now, 0);
	for (let count = 0; count < 6; count++) rest();
	start({});
	const beforeMs = now;
	start({});
	return now - beforeMs;
}

test('a 429 of an item that was the last to be refused does not count twice for the rate', () => {
	const item = {};
	expect(gapAfter([item, item])).toBeLessThan(gapAfter([{}, {}]));
});

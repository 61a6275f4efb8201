import { Pace } from '../../client/limiter/Pace';

/** The interval between two starts after a round of 14 successes and two 429 that belong to the items. */
function gapAfter(items: [object, object]): number {
	const pace = new Pace(() => 0.5);
	let now = 0;
	const start = (item: object) => {
		now = Math.max(now, pace.nextStartMs(true));
		return pace.started(now, item, true);
	};
	for (let count = 0; count < 10; count++) pace.succeeded(start({}), (now += 100));
	// A `Retry-After` says that there is a limit, and the pace begins.
	pace.rateLimited(start({}), now, 1000);
	const rest = () => pace.succeeded(start({}), now);
	for (let count = 0; count < 8; count++) rest();
	for (const item of items) pace.rateLimited(start(item), now, 0);
	for (let count = 0; count < 6; count++) rest();
	start({});
	const beforeMs = now;
	start({});
	return now - beforeMs;
}

test('a 429 of an item that was the last to be refused does not count twice for the pace', () => {
	const item = {};
	expect(gapAfter([item, item])).toBeLessThan(gapAfter([{}, {}]));
});

import { MinuteWindow } from '../../client/limiter/MinuteWindow';
import { History, timesFrom } from './History';

/** Kept at first between the return of a place and its use. */
const MARGIN_MS = 20;

/** When the request is refused that a window is measured by. */
const REFUSED_MS = 100_000;

const MINUTE_AGO_MS = REFUSED_MS - 60_000;

const EDGE = { afterMs: 9_000, byMs: 10_000 };

function windowOf(capacity: number, history = new History()): { history: History; window: MinuteWindow } {
	const window = new MinuteWindow(history.usage);
	window.capacity = capacity;
	return { history, window };
}

/** How much later than a minute the place comes back that was taken last. */
function marginOf(window: MinuteWindow, history: History): number {
	const requests = history.usage.startedBetween(-Infinity, Infinity);
	const lastMs = requests.findLast(({ outcome }) => outcome === 'passed')!.startMs;
	window.edge = undefined;
	window.capacity = 1;
	return window.nextReturnMs(lastMs + 59_000) - lastMs - 60_000;
}

describe('places', () => {
	test('have no number at first', () => {
		const { history, window } = windowOf(Infinity);
		history.pass(...timesFrom(0, 1000));
		expect([window.isUnlimited, window.fits(1000)]).toEqual([true, true]);
		window.capacity = 1000;
		expect([window.isUnlimited, window.fits(1000)]).toEqual([false, false]);
	});

	test('come back a minute after they were taken, and a margin', () => {
		const { history, window } = windowOf(2);
		history.pass(0);
		expect(window.fits(1)).toBe(true);
		history.pass(10_000);
		expect(window.nextReturnMs(20_000)).toBe(60_000 + MARGIN_MS);
		expect(window.fits(60_000 + MARGIN_MS - 1)).toBe(false);
		expect(window.fits(60_000 + MARGIN_MS)).toBe(true);
	});

	test('must come back one after the other where too many are taken', () => {
		const { history, window } = windowOf(1);
		history.pass(0, 10_000);
		expect(window.nextReturnMs(20_000)).toBe(70_000 + MARGIN_MS);
	});

	test('come back all at once where the edge is known', () => {
		const { history, window } = windowOf(3);
		history.pass(9_500, 10_000, 20_000, 30_000);
		window.edge = EDGE;
		// What was taken before the edge no longer counts.
		expect(window.fits(30_000)).toBe(false);
		history.log.settle(history.log.at(3)!, 'refused');
		expect(window.fits(30_000)).toBe(true);
		history.pass(30_000);
		expect(window.nextReturnMs(40_000)).toBe(70_000 + MARGIN_MS);
		expect(window.fits(69_999)).toBe(false);
		expect(window.fits(70_000)).toBe(true);
		window.fits(250_500);
		expect(window.edge).toEqual({ afterMs: 249_000, byMs: 250_000 });
	});

	test('are looked for once a second where one request needs more than there are, and at the edge', () => {
		const { history, window } = windowOf(5, new History('tokens'));
		history.take(10, 10_000);
		expect(window.nextReturnMs(20_000)).toBe(21_000);
		window.edge = EDGE;
		expect(window.nextReturnMs(69_500)).toBe(70_000 + MARGIN_MS);
	});

	test('are enough for a request that has started if they were before it did', () => {
		const { history, window } = windowOf(2);
		history.pass(0);
		const [second] = history.start(1);
		expect(window.fits(1, second)).toBe(true);
		const [third] = history.start(1);
		expect(window.fits(1, third)).toBe(false);
	});

	test('are used to the last one, however many tokens they are', () => {
		const { history, window } = windowOf(2e8, new History('tokens'));
		history.take(1e8, 0);
		expect(window.fits(1)).toBe(true);
		const { history: thirds, window: small } = windowOf(0.7, new History('tokens'));
		for (const atMs of timesFrom(0, 6)) thirds.take(0.1, atMs);
		expect(small.fits(10)).toBe(true);
	});

	test('leave a gap if none comes back within a quarter of a second, and the margin', () => {
		const { history, window } = windowOf(1);
		history.pass(0);
		expect(window.hasGap(59_749)).toBe(true);
		expect(window.hasGap(59_750)).toBe(false);
	});

	test('that refused requests have taken too come back in their order, and a little later', () => {
		const { history, window } = windowOf(2);
		history.pass(0, 1000);
		history.refuse(2000, 3000);
		expect(window.nextReturnCountingRefusedMs()).toBe(62_000 + MARGIN_MS + 30);
	});

	// Of four places.
	test.each([
		{ taken: 3, cost: 1, now: 2, waitMs: 0 },
		{ taken: 3, cost: 4, waitMs: 0 },
		{ taken: 3, cost: 5, waitMs: 30_020 },
		{ taken: 3, cost: 8, waitMs: 30_020 },
		{ taken: 3, cost: 9, waitMs: 90_020 },
		{ taken: 4, cost: 4, waitMs: 30_020 },
		// The second must have come back too.
		{ taken: 5, cost: 7, waitMs: 30_021 },
	])(
		'take, $taken taken, $waitMs ms at least until $cost are free',
		({ taken, cost, now = 30_000, waitMs }) => {
			const { history, window } = windowOf(4);
			history.pass(...timesFrom(0, taken));
			expect(Math.max(0, window.leastWaitMs(now, cost))).toBe(waitMs);
		},
	);
});

describe('the number of places', () => {
	test('is what got through in the minute before a refusal, with what may have overtaken it', () => {
		const { history, window } = windowOf(Infinity);
		history.pass(MINUTE_AGO_MS, MINUTE_AGO_MS + 1, REFUSED_MS - 1);
		const refused = history.refuseOne(REFUSED_MS);
		history.pass(REFUSED_MS + 30, REFUSED_MS + 31);
		window.measure(refused);
		expect(window.capacity).toBe(3);
	});

	test('is one at least', () => {
		const { history, window } = windowOf(Infinity);
		window.measure(history.refuseOne(REFUSED_MS));
		expect(window.capacity).toBe(1);
	});

	test.each([
		{ edgeMs: REFUSED_MS - 30_000, capacity: 2 },
		{ edgeMs: REFUSED_MS, capacity: 1 },
		// That is not past yet.
		{ edgeMs: REFUSED_MS + 1, capacity: 3 },
		// That is past for so long that another must have been.
		{ edgeMs: REFUSED_MS - 90_000, capacity: 3 },
	])('is counted from an edge at $edgeMs on', ({ edgeMs, capacity }) => {
		const { history, window } = windowOf(Infinity);
		history.pass(MINUTE_AGO_MS, REFUSED_MS - 30_001, REFUSED_MS - 30_000, REFUSED_MS);
		window.edge = { afterMs: edgeMs - 1000, byMs: edgeMs };
		window.measureAt(REFUSED_MS);
		expect(window.capacity).toBe(capacity);
	});

	test('begins again with what got through in the minute before a refusal, whatever the edge was', () => {
		const { history, window } = windowOf(50);
		window.edge = { afterMs: REFUSED_MS - 1000, byMs: REFUSED_MS - 500 };
		history.pass(MINUTE_AGO_MS, MINUTE_AGO_MS + 1, MINUTE_AGO_MS + 2);
		const refused = history.refuseOne(REFUSED_MS);
		history.pass(REFUSED_MS + 1);
		window.restart(refused);
		expect([window.capacity, window.edge]).toEqual([2, undefined]);
		const { history: empty, window: other } = windowOf(50);
		other.restart(empty.refuseOne(REFUSED_MS));
		expect(other.capacity).toBe(1);
	});
});

describe('at a refusal with places left', () => {
	// Of ten; the last gets through a moment after the refusal.
	test.each([
		{ before: 2, within: 8, overtaking: 0, isExplained: true },
		{ before: 2, within: 7, overtaking: 1, isExplained: true },
		{ before: 1, within: 8, overtaking: 0, isExplained: false },
		{ before: 2, within: 9, overtaking: 0, isExplained: false },
	])(
		'places come back a little later than thought, with $before a little older and $within+$overtaking in the minute: $isExplained',
		({ before, within, overtaking, isExplained }) => {
			const { history, window } = windowOf(10);
			// A second more than a minute is more than a little.
			history.pass(MINUTE_AGO_MS - 1000, ...timesFrom(MINUTE_AGO_MS - 999, before));
			history.pass(...timesFrom(MINUTE_AGO_MS + 1, within));
			const refused = history.refuseOne(REFUSED_MS);
			history.pass(...timesFrom(REFUSED_MS + 30, overtaking));
			window.measure(refused);
			expect(window.capacity).toBe(isExplained ? 10 : within);
			expect(marginOf(window, history)).toBe(isExplained ? 2 * MARGIN_MS : MARGIN_MS);
		},
	);

	test('they come back a second later at most', () => {
		const { history, window } = windowOf(10);
		history.pass(...timesFrom(MINUTE_AGO_MS - 500, 3), ...timesFrom(REFUSED_MS - 100, 7));
		const refused = history.refuseOne(REFUSED_MS);
		const margins: number[] = [];
		for (let count = 0; count < 6; count++) {
			window.measure(refused);
			expect(window.capacity).toBe(10);
			margins.push(marginOf(window, history));
			window.capacity = 10;
		}
		expect(margins).toEqual([40, 80, 160, 320, 640, 1000]);
		window.measure(refused);
		expect(window.capacity).toBe(7);
	});

	// Of twenty.
	test.each([
		{ beforeEdge: 20, sinceEdge: 5, capacity: 25, isExplained: true },
		{ beforeEdge: 5, sinceEdge: 15, capacity: 20, isExplained: true },
		{ beforeEdge: 4, sinceEdge: 16, capacity: 16, isExplained: false },
		{ beforeEdge: 14, sinceEdge: 5, capacity: 5, isExplained: false },
	])(
		'the edge was none, with $beforeEdge before it and $sinceEdge since: $isExplained',
		({ beforeEdge, sinceEdge, capacity, isExplained }) => {
			const { history, window } = windowOf(20);
			const edge = { afterMs: REFUSED_MS - 31_000, byMs: REFUSED_MS - 30_000 };
			window.edge = edge;
			history.pass(...timesFrom(REFUSED_MS - 50_000, beforeEdge), ...timesFrom(edge.byMs, sinceEdge));
			window.measure(history.refuseOne(REFUSED_MS));
			expect(window.capacity).toBe(capacity);
			expect(window.edge).toEqual(isExplained ? undefined : edge);
		},
	);

	test.each([
		{ capacity: 10, passed: 7, refused: 3, isExplained: true },
		{ capacity: 10, passed: 8, refused: 3, isExplained: true },
		{ capacity: 10, passed: 6, refused: 3, isExplained: true },
		{ capacity: 10, passed: 5, refused: 3, isExplained: false },
		{ capacity: 10, passed: 8, refused: 2, isExplained: false },
		{ capacity: 20, passed: 7, refused: 10, isExplained: true },
		{ capacity: 20, passed: 13, refused: 10, isExplained: true },
		{ capacity: 20, passed: 14, refused: 10, isExplained: false },
		{ capacity: 20, passed: 6, refused: 10, isExplained: false },
	])(
		'$refused refused take the places that are missing from $capacity, with $passed others: $isExplained',
		({ capacity, passed, refused, isExplained }) => {
			for (const unit of ['requests', 'tokens'] as const) {
				const { history, window } = windowOf(capacity, new History(unit));
				const cost = unit === 'tokens' ? 500 : 1;
				window.capacity *= cost;
				// As old as a minute.
				history.refuse(MINUTE_AGO_MS);
				for (const atMs of timesFrom(REFUSED_MS - 1000, passed)) history.take(cost, atMs);
				history.refuse(...timesFrom(REFUSED_MS - 500, refused));
				window.measure(history.refuseOne(REFUSED_MS));
				expect(window.capacity).toBe((isExplained ? capacity : passed) * cost);
				expect(history.usage.refusedAreCounted).toBe(isExplained);
			}
		},
	);

	test('refused requests that count already explain nothing', () => {
		const { history, window } = windowOf(10);
		history.usage.countRefused();
		history.pass(...timesFrom(REFUSED_MS - 1000, 2));
		history.refuse(...timesFrom(REFUSED_MS - 500, 3));
		window.measure(history.refuseOne(REFUSED_MS));
		expect(window.capacity).toBe(6);
	});
});

test('a probe that is refused when places should be back widens the margin, to 640 ms at most', () => {
	const { history, window } = windowOf(1);
	history.pass(0);
	const margins = Array.from({ length: 6 }, () => {
		window.widenMargin();
		return marginOf(window, history);
	});
	expect(margins).toEqual([40, 80, 160, 320, 640, 640]);
});

describe('the return of places after an outage', () => {
	test.each([
		{ capacity: 3, probeMs: 60_500, expected: 'predicted' },
		// None had expired.
		{ capacity: 5, probeMs: 30_000, expected: 'unexpected' },
		// One had expired, which was one too many.
		{ capacity: 2, probeMs: 60_500, expected: 'unexpected' },
	])('of $capacity at $probeMs is $expected', ({ capacity, probeMs, expected }) => {
		const { history, window } = windowOf(capacity);
		history.pass(0, 1000, 2000);
		history.refuse(3000);
		const [probe] = history.pass(probeMs);
		history.pass(probeMs + 1);
		expect(window.readReturn(probe!, 3000)).toBe(expected);
		expect(window.edge).toBe(undefined);
	});

	test('to the last token is as predicted', () => {
		const { history, window } = windowOf(2e8, new History('tokens'));
		history.take(1e8, 0);
		history.take(1e8, 1000);
		expect(window.readReturn(history.take(1e8, 60_500), 3000)).toBe('predicted');
	});

	test.each([
		{ refusedMs: 69_000, probeMs: 70_000, expected: 'predicted', edge: { afterMs: 69_000, byMs: 70_000 } },
		{ refusedMs: 20_000, probeMs: 69_999, expected: 'predicted', edge: { afterMs: 69_000, byMs: 70_000 } },
		{ refusedMs: 69_500, probeMs: 70_000, expected: 'predicted', edge: { afterMs: 69_500, byMs: 70_000 } },
		{ refusedMs: 20_000, probeMs: 76_000, expected: 'predicted', edge: { afterMs: 69_000, byMs: 76_000 } },
		{
			refusedMs: 190_000,
			probeMs: 250_000,
			expected: 'predicted',
			edge: { afterMs: 249_000, byMs: 250_000 },
		},
		{ refusedMs: 68_000, probeMs: 69_998, expected: 'near', edge: { afterMs: 68_000, byMs: 69_998 } },
		{ refusedMs: 68_000, probeMs: 69_001, expected: 'near', edge: { afterMs: 68_000, byMs: 69_001 } },
		{ refusedMs: 68_000, probeMs: 69_000, expected: 'unexpected', edge: EDGE },
	])('at $probeMs is $expected where the edge was known', ({ refusedMs, probeMs, expected, edge }) => {
		const { history, window } = windowOf(3);
		window.edge = EDGE;
		history.pass(...timesFrom(20_000, 3));
		const [probe] = history.pass(probeMs);
		expect(window.readReturn(probe!, refusedMs)).toBe(expected);
		expect(window.edge).toEqual(edge);
	});
});

import { Usage } from '../../client/limiter/Usage';
import { History } from './History';

describe('a request costs', () => {
	test('one of a limit on requests, whatever its tokens', () => {
		const history = new History();
		expect(history.usage.costOf(history.take(500, 0))).toBe(1);
		expect(history.usage.nextCost).toBe(1);
	});

	test('of a limit on tokens what its answer told, and until then the mean of the others', () => {
		const history = new History('tokens');
		const taken = history.take(500, 0);
		const [open] = history.start(0);
		const free = history.take(0, 0);
		expect([taken, open!, free].map((entry) => history.usage.costOf(entry))).toEqual([500, 500, 0]);
		expect(history.usage.nextCost).toBe(250);
	});

	test('nothing where it was refused, unless refused requests count too', () => {
		const history = new History();
		const refused = history.refuseOne(0);
		expect([history.usage.costOf(refused), history.usage.refusedAreCounted]).toEqual([0, false]);
		history.usage.countRefused();
		expect([history.usage.costOf(refused), history.usage.refusedAreCounted]).toEqual([1, true]);
	});
});

describe('what requests took since a moment that moves on', () => {
	test('is counted without those at the moment itself', () => {
		const history = new History();
		history.pass(0, 1000, 2000);
		expect(history.usage.after(-1)).toBe(3);
		expect(history.usage.after(0)).toBe(2);
		history.pass(3000);
		expect(history.usage.after(1999)).toBe(2);
		expect(history.usage.after(2000)).toBe(1);
		expect(history.usage.after(5000)).toBe(0);
	});

	test('changes with what becomes of them', () => {
		const history = new History('tokens');
		const [old, open, refused] = history.start(0, 1000, 2000);
		expect(history.usage.after(0)).toBe(2);
		// It is no longer counted.
		history.log.settle(old!, 'passed', 10);
		expect(history.usage.after(0)).toBe(2);
		history.log.settle(open!, 'passed', 10);
		history.log.settle(refused!, 'refused');
		expect(history.usage.after(0)).toBe(10);
		// It is not counted yet when it is settled.
		history.take(5, 3000);
		expect(history.usage.after(0)).toBe(15);
		history.usage.countRefused();
		expect(history.usage.after(0)).toBe(16);
		expect(history.usage.after(2000)).toBe(5);
	});

	test('counts what a log holds already', () => {
		const history = new History();
		history.pass(0, 1000);
		const usage = new Usage(history.log, 'requests');
		expect(usage.after(-1)).toBe(2);
		history.start(2000);
		expect(usage.after(0)).toBe(2);
	});

	test('goes on when the log has forgotten more than the moment', () => {
		const history = new History();
		history.pass(0, 1000);
		expect(history.usage.after(-1)).toBe(2);
		history.pass(70_000);
		expect(history.log.beginIndex).toBe(2);
		expect(history.usage.after(-1)).toBe(1);
		history.pass(71_000);
		expect(history.usage.after(70_000)).toBe(1);
	});
});

test.each([
	{ excess: 0.5, startMs: 1000 },
	{ excess: 10, startMs: 1000 },
	{ excess: 10 + 1e-10, startMs: 1000 },
	{ excess: 11, startMs: 2000 },
	{ excess: 30, startMs: 2000 },
	{ excess: 31, startMs: undefined },
])('an excess of $excess is over when the request at $startMs leaves', ({ excess, startMs }) => {
	const history = new History('tokens');
	history.take(100, 0);
	history.take(10, 1000);
	history.take(20, 2000);
	history.usage.after(0);
	expect(history.usage.startOfExcess(excess)).toBe(startMs);
});

test('what requests took before one of them, and after a moment', () => {
	const history = new History();
	const [, , third] = history.pass(0, 1000, 2000);
	history.refuse(3000);
	const { usage } = history;
	expect([-1, 0, 1000, 5000].map((fromMs) => usage.since(fromMs))).toEqual([3, 2, 1, 0]);
	expect([-1, 0, 1000].map((fromMs) => usage.since(fromMs, third))).toEqual([2, 1, 0]);
	expect(usage.since(0, undefined, ({ outcome }) => (outcome === 'refused' ? 7 : 0))).toBe(7);
});

test('what requests took from after one moment to another', () => {
	const history = new History();
	history.pass(0, 1000, 2000, 3000);
	expect(history.usage.startedBetween(0, 2000).map(({ startMs }) => startMs)).toEqual([1000, 2000]);
	expect(history.usage.between(0, 2000)).toBe(2);
	expect(history.usage.between(-1, 3000)).toBe(4);
	expect(history.usage.between(3000, 9000)).toBe(0);
});

test.each([
	{ capacity: 9, startMs: 3000 },
	{ capacity: 10, startMs: 2000 },
	{ capacity: 19, startMs: 2000 },
	{ capacity: 20, startMs: 1000 },
	{ capacity: 39, startMs: 1000 },
	{ capacity: 40, startMs: -Infinity },
])(
	'with refused requests, the one at $startMs must leave of a limit of $capacity',
	({ capacity, startMs }) => {
		const history = new History('tokens');
		history.take(20, 1000);
		const [refused] = history.start(2000);
		history.take(0, 3000);
		history.log.settle(refused!, 'refused');
		// The mean is what a request is expected to take, and what a refused one took.
		expect(history.usage.nextCost).toBe(10);
		expect(history.usage.startOfExcessCountingRefused(capacity)).toBe(startMs);
	},
);

import { RequestLog, type LoggedRequest } from '../../client/limiter/RequestLog';
import { History, timesFrom } from './History';

test('requests are counted from 0, and are open until they are settled', () => {
	const { log } = new History();
	expect([log.beginIndex, log.endIndex, log.at(0)]).toEqual([0, 0, undefined]);
	const first = log.start(1000);
	const second = log.start(2000);
	expect(first).toEqual({ startMs: 1000, index: 0, expectedTokens: 1, outcome: 'open' });
	expect([log.at(0), log.at(1), log.at(2)]).toEqual([first, second, undefined]);
	log.settle(second, 'passed', 7);
	expect(second).toMatchObject({ outcome: 'passed', tokens: 7 });
	expect(first.outcome).toBe('open');
	expect([log.beginIndex, log.endIndex]).toEqual([0, 2]);
});

test('what listens sees a request before and after it is settled, whoever else listens', () => {
	const log = new RequestLog();
	const seen: Array<[string, LoggedRequest['outcome'], LoggedRequest['outcome']]> = [];
	for (const name of ['one', 'other']) {
		log.listen((entry, change) => {
			const before = entry.outcome;
			change();
			seen.push([name, before, entry.outcome]);
		});
	}
	log.settle(log.start(0), 'refused');
	expect(seen.toSorted()).toEqual([
		['one', 'open', 'refused'],
		['other', 'open', 'refused'],
	]);
});

describe('a request is expected to take', () => {
	test('one token before any answer has told, then the mean of those that did', () => {
		const { log } = new History();
		expect(log.meanTokens).toBe(1);
		log.settle(log.start(0), 'passed');
		log.settle(log.start(0), 'refused');
		expect(log.meanTokens).toBe(1);
		log.settle(log.start(0), 'passed', 100);
		expect(log.meanTokens).toBe(100);
		log.settle(log.start(0), 'passed', 0);
		expect(log.start(0).expectedTokens).toBe(50);
	});

	test('soon what another kind of requests takes, as older ones count half', () => {
		const history = new History('tokens');
		for (let count = 0; count < 64; count++) history.take(100, 0);
		history.take(199, 0);
		expect(history.log.meanTokens).toBe((32 * 100 + 199) / 33);
		for (let count = 0; count < 31; count++) history.take(100, 0);
		// The 64th after the halving.
		expect(history.log.meanTokens).toBe((63 * 100 + 199) / 64);
		history.take(100, 0);
		expect(history.log.meanTokens).toBe((63 * 50 + 99.5 + 100) / 33);
	});
});

describe('requests are forgotten', () => {
	const begins = (...atMs: number[]) => {
		const { log } = new History();
		for (const at of atMs) log.start(at);
		return log.beginIndex;
	};

	test('more than 65 s after their start, when the next one starts', () => {
		expect(begins(0, 65_000)).toBe(0);
		expect(begins(0, 65_001)).toBe(1);
		expect(begins(0, 1000, 2000, 66_500)).toBe(2);
	});

	test('when they are a quarter of the log, as the others are moved each time', () => {
		expect(begins(0, ...timesFrom(10_000, 4), 66_000)).toBe(0);
		expect(begins(0, ...timesFrom(10_000, 3), 66_000)).toBe(1);
	});

	test('and keep their indexes', () => {
		const { log } = new History();
		for (const at of [0, 1000]) log.start(at);
		const third = log.start(66_500);
		expect([log.beginIndex, log.endIndex]).toEqual([2, 3]);
		expect([log.at(1), log.at(2), third.index]).toEqual([undefined, third, 2]);
	});

	test('if more than 50,000 are kept, and a quarter more', () => {
		const { log } = new History();
		const most = 50_000;
		for (let count = 0; count <= (most * 4) / 3; count++) log.start(0);
		expect(log.beginIndex).toBe(0);
		log.start(0);
		expect([log.beginIndex, log.endIndex]).toEqual([16_667, 66_668]);
	});
});

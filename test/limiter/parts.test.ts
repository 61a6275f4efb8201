import { AdmittedStarts } from '../../client/limiter/AdmittedStarts';
import { RunCalls } from '../../client/limiter/RunCalls';
import { FairQueue } from '../../client/limiter/FairQueue';
import { ItemBackoff } from '../../client/limiter/ItemBackoff';
import { ItemCalls } from '../../client/limiter/ItemCalls';
import { ProbePhase } from '../../client/limiter/ProbePhase';
import { PacedRate } from '../../client/limiter/PacedRate';
import { RetryAfter } from '../../client/limiter/RetryAfter';
import type { SentRequest } from '../../client/limiter/SentRequest';
import { SteadyRefusals } from '../../client/limiter/SteadyRefusals';
import { WaitingCall } from '../../client/limiter/WaitingCall';
import { WaitReport, type Waiting } from '../../client/limiter/WaitReport';

const half = () => 0.5;

const requestOf = (index: number, startMs: number, item: object = {}): SentRequest => ({
	index,
	startMs,
	item,
	isFirst: true,
	isAdmitted: false,
});

describe('the fair queue', () => {
	const callOf = (run: RunCalls) =>
		new WaitingCall(new ItemCalls(run, 300_000), 0, 300_000, { start: () => {}, fail: () => {} });
	const next = (queue: FairQueue, rank: (call: WaitingCall) => number = () => 0) =>
		queue.next(() => false, rank);

	test('lets the run go whose latest start is longest ago', () => {
		const queue = new FairQueue();
		const [run, form] = [new RunCalls(), new RunCalls()];
		queue.takeTurn(run, 0);
		const ofRun = callOf(run);
		queue.add(ofRun, 5);
		queue.takeTurn(run, 4);
		const ofForm = callOf(form);
		queue.add(ofForm, 5);
		expect(next(queue)).toBe(ofRun);
		const giveBack = queue.takeTurn(run, 5);
		expect(next(queue)).toBe(ofForm);
		giveBack();
		expect(next(queue)).toBe(ofRun);
	});

	test('keeps items in order within a run, but lets those with a lower rank go first', () => {
		const queue = new FairQueue();
		const run = new RunCalls();
		const [first, second] = [callOf(run), callOf(run)];
		queue.add(second, 0);
		queue.add(first, 0);
		expect(next(queue)).toBe(first);
		expect(next(queue, (call) => (call === first ? 1 : 0))).toBe(second);
	});

	test('says of each call that is removed whether it was the last one of its run', () => {
		const queue = new FairQueue();
		const run = new RunCalls();
		const [first, second] = [callOf(run), callOf(run)];
		for (const call of [first, second]) queue.add(call, 0);
		expect([queue.remove(first), queue.remove(second)]).toEqual([false, true]);
		expect([queue.size, next(queue)]).toEqual([0, undefined]);
	});

	test('leaves out runs whose slots are taken', () => {
		const queue = new FairQueue();
		const run = new RunCalls();
		run.limitTo(1);
		queue.add(callOf(run), 0);
		run.changeInFlight(1, 0);
		expect([next(queue), queue.size, queue.waitingForLimiter]).toEqual([undefined, 1, 0]);
	});
});

describe("an item's own backoff", () => {
	const refused = (
		backoff: ItemBackoff,
		now: number,
		facts: { index: number; last?: number; few?: boolean },
	) =>
		backoff.refused({
			index: facts.index,
			lastAdmittedIndex: facts.last ?? -1,
			mayBeItem: facts.few ?? true,
			now,
			pauseMs: 0,
			random: half,
		});

	test('begins at the second 429 if another request was admitted in between, and grows with each until one succeeds', () => {
		const backoff = new ItemBackoff();
		expect(refused(backoff, 0, { index: 0 })).toBe(false);
		const waitsMs = [2, 4, 6, 8, 10, 12].map((index) => {
			expect(refused(backoff, 1000, { index, last: index - 1 })).toBe(true);
			return backoff.endMs(1000) - 1000;
		});
		expect(waitsMs).toEqual([250, 1000, 4000, 16_000, 64_000, 64_000]);
		expect(backoff.failuresInARow).toBe(7);
		backoff.succeeded();
		expect([backoff.failuresInARow, refused(backoff, 1000, { index: 14, last: 13 })]).toEqual([0, false]);
	});

	test('does not begin if nothing was admitted in between, or if a limit is more likely to be the reason', () => {
		const backoff = new ItemBackoff();
		refused(backoff, 0, { index: 4 });
		expect(refused(backoff, 0, { index: 5, last: 3 })).toBe(false);
		expect(refused(backoff, 0, { index: 7, last: 6, few: false })).toBe(false);
		expect(refused(backoff, 0, { index: 9, last: 8 })).toBe(true);
	});
});

describe('a probe phase', () => {
	test('lets one request go after 0.5, 1, 2, 4 and then every 8 s', () => {
		const probing = new ProbePhase(requestOf(0, 0), false, 0, half);
		probing.refused(requestOf(0, 0), 0, 0);
		let now = 0;
		const gapsMs = [1, 2, 3, 4, 5, 6].map((index) => {
			const gapMs = probing.nextStartMs(true, false) - now;
			now += gapMs;
			const probe = requestOf(index, now);
			probing.started(probe);
			expect(probing.nextStartMs(true, true)).toBe(Infinity);
			probing.refused(probe, now, 0);
			return gapMs;
		});
		expect(gapsMs).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
	});

	test('waits two seconds for requests in flight after a 429 that may be chance, and without them lets an item that had no 429 start at once', () => {
		const probing = new ProbePhase(requestOf(3, 1000), true, 1000, half);
		probing.refused(requestOf(3, 1000), 1050, 0);
		expect(probing.nextStartMs(true, true)).toBe(3000);
		expect(probing.nextStartMs(true, false)).toBe(-Infinity);
		expect(probing.nextStartMs(false, false)).toBe(1500);
		expect([probing.isChanceAfter(requestOf(2, 900)), probing.isChanceAfter(requestOf(4, 1100))]).toEqual([
			false,
			true,
		]);
	});

	test('of 10 s at most sets a rate of two requests in its length, and a longer one, or one with a Retry-After, sets none', () => {
		const shownAfter = (lengthMs: number, pauseMs = 0) => {
			const probing = new ProbePhase(requestOf(0, 1000), false, 1050, half);
			probing.refused(requestOf(0, 1000), 1050, pauseMs);
			return probing.shownRate(requestOf(1, 1000 + lengthMs));
		};
		expect([500, 10_000, 10_001].map((lengthMs) => shownAfter(lengthMs))).toEqual([0.004, 0.0002, Infinity]);
		expect(shownAfter(1000, 1000)).toBe(Infinity);
	});

	test("of more than 30 s is taken for the end of a rate limit's window", () => {
		const probing = new ProbePhase(requestOf(0, 1000), false, 1050, half);
		const wasRest = (atMs: number) => probing.wasRestOfWindow(requestOf(1, atMs));
		expect([wasRest(31_000), wasRest(31_001)]).toEqual([false, true]);
	});
});

test('the highest rate of the last minute is measured from the first request of a burst, without the idle time before it, and over a second at least', () => {
	const admitted = new AdmittedStarts();
	admitted.add(0, 0);
	for (let count = 0; count < 30; count++) admitted.add(50_000 + count, 50_100);
	expect(admitted.highestRate(50_100)).toBe(30 / 1000);
	expect(admitted.highestRate(53_000)).toBeCloseTo(30 / 3000);
	admitted.remove(50_029);
	expect(admitted.highestRate(50_100)).toBe(29 / 1000);
	expect(admitted.highestRate(200_000)).toBe(0);
});

test('the mean rate is that of a whole minute, even if requests before a given time are left out', () => {
	const admitted = new AdmittedStarts();
	for (let count = 1; count <= 60; count++) admitted.add(count * 1000, count * 1000);
	expect(admitted.meanRate(60_000)).toBe(60 / 60_000);
	expect(admitted.meanRate(60_000, 40_000)).toBe(20 / 60_000);
});

describe('429s that come at any rate', () => {
	test('are recognized once the rate has fallen to half of the best minute, but not if more than two in five are refused', () => {
		const isRecognized = (outcomes: string) => {
			const refusals = new SteadyRefusals();
			refusals.measured(0.01);
			for (const outcome of outcomes.repeat(20)) refusals.count(outcome === 'x');
			return [refusals.minRatePerMs, refusals.reachedMinRate(), refusals.isSteady];
		};
		expect(isRecognized('ooox')).toEqual([0.005, true, true]);
		expect(isRecognized('oxox')).toEqual([0.005, false, false]);
	});

	test('are recognized once, until more requests are refused', () => {
		const refusals = new SteadyRefusals();
		refusals.measured(0.01);
		for (const outcome of 'ooox'.repeat(20)) refusals.count(outcome === 'x');
		expect([refusals.reachedMinRate(), refusals.reachedMinRate()]).toEqual([true, false]);
		for (const outcome of 'oox'.repeat(20)) refusals.count(outcome === 'x');
		expect(refusals.isSteady).toBe(true);
		for (const outcome of 'ox'.repeat(20)) refusals.count(outcome === 'x');
		expect(refusals.isSteady).toBe(false);
	});
});

describe('a paced rate', () => {
	/** Sends requests at the pace, and answers each at once. `o` is a success, `x` a 429, and `r` a 429 with `Retry-After: 5`. */
	const paced = () => {
		const admitted = new AdmittedStarts();
		const pace = new PacedRate(admitted);
		let [now, index] = [0, 0];
		pace.begin(0.001, 0.001, now, index);
		return (outcomes: string) => {
			for (const outcome of outcomes) {
				now = Math.max(now, pace.nextStartMs);
				pace.started(now);
				const request = requestOf(index++, now);
				if (outcome === 'o') admitted.add(now, now);
				const isUndone = pace.count(request, now, index, outcome !== 'o');
				if (outcome === 'r' && !isUndone) pace.slowDown(0.001, 5000, now, index);
			}
			return pace.state.ratePerMs * 1000;
		};
	};

	test('takes back a doubling at a 429 with a Retry-After, and is not lowered once more', () => {
		expect(paced()('oooor')).toBe(1);
		expect(paced()('r')).toBeCloseTo(0.9);
	});

	test('does not grow for ten times as long after a Retry-After', () => {
		const send = paced();
		expect(send('rr')).toBeCloseTo(0.81);
		// At this rate, 36 requests take 44 of the 50 seconds.
		expect(send('o'.repeat(36))).toBeCloseTo(0.81);
		expect(send('o'.repeat(12))).toBeGreaterThan(0.85);
	});

	test('is back at what got through in the best minute, and grows, if even half of it has not ended the 429s', () => {
		const send = paced();
		const rates = Array.from({ length: 24 }, () => send('xooo').toFixed(2));
		// In the best minute, 30 requests got through.
		expect([...new Set(rates)]).toEqual(['1.00', '0.72', '0.51', '0.36', '0.50', '0.55', '0.61', '0.67']);
	});
});

test('a Retry-After of two hours stops requests for a minute only, and in this minute fails the calls whose Max Wait is shorter', () => {
	const retryAfter = new RetryAfter();
	retryAfter.extend(0, 7_200_000);
	expect([retryAfter.endMs, retryAfter.minEndOfWaitMs(59_999)]).toEqual([60_000, 7_200_000]);
	expect(retryAfter.minEndOfWaitMs(60_000)).toBe(-Infinity);
});

test('a Max Wait that ends at the end of a Retry-After, and no earlier, is extended by half a second', () => {
	const retryAfter = new RetryAfter();
	retryAfter.extend(0, 7_200_000);
	expect([retryAfter.withGrace(7_200_000, 1000), retryAfter.withGrace(7_199_999, 1000)]).toEqual([
		7_200_500, 7_199_999,
	]);
});

test('the report of waits tells their beginning, each half minute, and their end once none waited for half a minute', () => {
	const told: Waiting[] = [];
	const report = new WaitReport((waiting) => told.push(waiting));
	report.look(0, 0, false, undefined);
	expect(report.isOpen).toBe(false);
	for (const [now, queued] of [
		[1000, 3],
		[31_000, 2],
		[40_000, 0],
		[61_000, 0],
	] as const) {
		report.look(now, queued, false, 'RPM');
	}
	expect(told.map(({ phase, waitedMs, queued }) => [phase, waitedMs, queued])).toEqual([
		['begins', 0, 3],
		['continues', 30_000, 2],
		['ends', 60_000, 0],
	]);
});

import { Bucket } from '../../client/limiter/Bucket';
import { Outage } from '../../client/limiter/Outage';
import type { LoggedRequest } from '../../client/limiter/RequestLog';
import { History, timesFrom } from './History';

const BEGIN_MS = 100_000;

/** A bucket that was empty at 100 s, and of which the service says that a place comes back each 100 ms. */
class Trying {
	now = BEGIN_MS;

	readonly bucket: Bucket;

	private refusedMs = BEGIN_MS;

	constructor({ burst = 10, promisedPerMs = 0.01, history = new History(), hasRetryAfter = false } = {}) {
		this.history = history;
		const stretch = { fromMs: BEGIN_MS - 1, toMs: BEGIN_MS, promisedPerMs, hasRetryAfter };
		this.bucket = new Bucket(history.usage, burst, stretch);
	}

	readonly history: History;

	/** Milliseconds until the next request may start. */
	get waitMs(): number {
		return this.bucket.nextStartMs(this.now) - this.now;
	}

	/** The rate, which the gap between the first two probes of an outage shows. */
	get perMs(): number {
		return 1 / (this.bucket.nextProbeMs(new Outage(BEGIN_MS)) - BEGIN_MS);
	}

	start(): LoggedRequest {
		const [entry] = this.history.start(this.now);
		this.bucket.requestStarted(entry!);
		return entry!;
	}

	pass(entry = this.start()): void {
		this.history.log.settle(entry, 'passed');
		this.bucket.requestPassed(entry);
	}

	/** Answers to requests that were sent before it was empty, and of which its level knows already. */
	passEarlier(count: number): void {
		for (const entry of this.history.start(...timesFrom(BEGIN_MS - 50_000, count))) {
			this.bucket.requestPassed(entry);
		}
	}

	refuse(toldPerMs = 0): boolean {
		const stretch = {
			fromMs: this.refusedMs,
			toMs: this.now,
			promisedPerMs: toldPerMs,
			hasRetryAfter: toldPerMs > 0,
		};
		this.history.refuse(this.now);
		this.refusedMs = this.now;
		return this.bucket.requestRefused(stretch, this.now);
	}

	/** So many that get through, at an interval, and one right after the last that is refused. */
	passThenRefuse(count: number, everyMs: number): void {
		for (let sent = 0; sent < count; sent++) {
			this.now += everyMs;
			this.pass();
		}
		this.refuse();
	}

	/** Requests that may start now. */
	startAll(): number {
		let started = 0;
		for (; this.waitMs === 0 && started < 1000; started++) this.start();
		return started;
	}
}

function probed(lengthMs: number, refusedProbes: number): Outage {
	const outage = new Outage(BEGIN_MS);
	const [probe] = new History().start(BEGIN_MS + lengthMs);
	for (let count = 0; count < refusedProbes; count++) outage.probeRefused(probe!);
	return outage;
}

describe('the pace', () => {
	test.each([
		['a tenth less than the rate, after a refusal', 0, 0.9],
		['the rate, after as many requests as are calm', 5, 1],
		['a tenth more, after twice as many', 10, 1.1],
		['ever more', 12, 1 + 0.1 * 1.4 ** 3],
	])('is %s', (_, passed, ofRate) => {
		const trying = new Trying();
		trying.passEarlier(passed);
		expect(trying.waitMs).toBeCloseTo(100 / ofRate, 6);
	});

	test.each([
		['five times as many', false, 25, 1 + 0.1 * 4 ** 3],
		['2.7 times as many where the service says when to come back', true, 14, 1 + 0.1 * 1.7 ** 3],
	])('grows no more after %s', (_, hasRetryAfter, passed, ofRate) => {
		const trying = new Trying({ hasRetryAfter });
		trying.passEarlier(passed);
		// One is sent beyond the rate.
		if (trying.waitMs === 0) trying.start();
		expect(trying.waitMs).toBeCloseTo(100 / ofRate, 6);
		trying.passEarlier(4);
		expect(trying.waitMs).toBeCloseTo(100 / ofRate, 6);
	});

	test('is ten a minute where nothing is known', () => {
		expect(new Trying({ promisedPerMs: 0 }).waitMs).toBeCloseTo(6000 / 0.9, 6);
	});

	test('is half of what got through in the last minute at least', () => {
		const history = new History();
		history.pass(...timesFrom(BEGIN_MS - 60_000, 1), ...timesFrom(BEGIN_MS - 59_000, 60));
		const trying = new Trying({ promisedPerMs: 0, history });
		expect(trying.waitMs).toBeCloseTo(2000 / 0.9, 6);
	});
});

describe('places', () => {
	test('come back one after the other', () => {
		const trying = new Trying();
		trying.now += 250;
		expect(trying.startAll()).toBe(2);
		expect(trying.waitMs).toBeCloseTo(75 / 0.9, 6);
	});

	test.each([
		['half of the burst', 10, 5],
		['one at least', 1, 1],
	])('are kept, %s', (_, burst, kept) => {
		const trying = new Trying({ burst });
		trying.now += 60_000;
		expect(trying.startAll()).toBe(kept);
	});

	test('are taken from those that were kept until then', () => {
		const trying = new Trying();
		trying.now += 60_000;
		trying.start();
		expect(trying.startAll()).toBe(4);
	});

	test('are given back by a request that had taken one for nothing', () => {
		const trying = new Trying();
		trying.now += 200;
		const entry = trying.start();
		expect(trying.waitMs).toBeGreaterThan(0);
		trying.bucket.giveBack(entry);
		expect(trying.startAll()).toBe(1);
	});

	test('that have come back while a refusal was on its way are there', () => {
		const trying = new Trying();
		trying.passEarlier(5);
		trying.now += 100;
		const stretch = { fromMs: BEGIN_MS, toMs: trying.now, promisedPerMs: 0.01, hasRetryAfter: true };
		trying.now += 350;
		expect(trying.bucket.requestRefused(stretch, trying.now)).toBe(true);
		expect(trying.startAll()).toBe(3);
	});

	test('of these, those that were taken meanwhile are not', () => {
		const trying = new Trying();
		trying.passEarlier(5);
		trying.now += 100;
		const stretch = { fromMs: BEGIN_MS, toMs: trying.now, promisedPerMs: 0.01, hasRetryAfter: true };
		trying.now += 350;
		trying.start();
		expect(trying.bucket.requestRefused(stretch, trying.now)).toBe(true);
		expect(trying.startAll()).toBe(2);
	});

	test('are none when a request was refused after nothing got through', () => {
		const trying = new Trying();
		const stretch = { fromMs: BEGIN_MS, toMs: BEGIN_MS + 100, promisedPerMs: 0.01, hasRetryAfter: true };
		trying.now += 450;
		expect(trying.bucket.requestRefused(stretch, trying.now)).toBe(false);
		expect(trying.waitMs).toBeCloseTo(100 / 0.9, 0);
	});

	test('are none when an outage ends that had taken more than there were', () => {
		const trying = new Trying();
		for (let count = 0; count < 3; count++) trying.start();
		trying.now += 5000;
		trying.bucket.outageEnded(trying.history.start(trying.now)[0]!);
		expect(trying.waitMs).toBeCloseTo(100 / 0.9, 6);
	});
});

describe('more than the rate allows', () => {
	function afterTwoAndAHalfCalms(): Trying {
		const trying = new Trying();
		trying.passEarlier(13);
		return trying;
	}

	test.each([
		['two and a half', false, 12, 1],
		['where the service says when to come back, four', true, 19, 1],
	])('is not sent before so many times as are calm got through: %s', (_, hasRetryAfter, before, more) => {
		const trying = new Trying({ hasRetryAfter });
		trying.passEarlier(before);
		expect(trying.startAll()).toBe(0);
		trying.passEarlier(more);
		expect(trying.startAll()).toBe(1);
	});

	test('is one request first, then more with those that get through', () => {
		const trying = afterTwoAndAHalfCalms();
		const steps = Array.from({ length: 8 }, () => {
			const sent = Array.from({ length: 50 }, () => (trying.waitMs === 0 ? trying.start() : undefined));
			const extras = sent.filter((entry) => entry !== undefined);
			for (const extra of extras) trying.pass(extra);
			// Others get through as well.
			trying.passEarlier(10);
			return extras.length;
		});
		expect(steps).toEqual([1, 2, 3, 4, 6, 9, 14, 21]);
	});

	test('is no more than others bear out', () => {
		const trying = afterTwoAndAHalfCalms();
		trying.pass();
		// One has passed of which one was sent, and half a request more is borne out.
		expect(trying.startAll()).toBe(1);
		trying.passEarlier(10);
		// Two may be in flight after two, less the one that is.
		expect(trying.startAll()).toBe(1);
	});

	test('takes no place of those that the rate gives', () => {
		const trying = afterTwoAndAHalfCalms();
		const before = new Trying();
		before.passEarlier(13);
		trying.start();
		const { waitMs } = trying;
		trying.start();
		expect(trying.waitMs).toBeGreaterThan(waitMs);
		expect(waitMs).toBeCloseTo(100 / (1 + 0.1 * 1.6 ** 3), 6);
	});

	test.each([
		['was given up', (trying: Trying, extra: LoggedRequest) => trying.bucket.requestReleased(extra)],
		['was refused for itself', (trying: Trying, extra: LoggedRequest) => trying.bucket.giveBack(extra)],
	])('is sent anew when it %s, and gives no place back', (_, end) => {
		const trying = afterTwoAndAHalfCalms();
		end(trying, trying.start());
		expect(trying.startAll()).toBe(1);
	});

	test('is sent anew after a refusal, whatever becomes of the one before', () => {
		const trying = afterTwoAndAHalfCalms();
		trying.start();
		trying.refuse(0.01);
		trying.passEarlier(100);
		expect(trying.startAll()).toBe(1);
	});

	test('is not sent after a refusal', () => {
		const trying = afterTwoAndAHalfCalms();
		trying.pass();
		trying.refuse(0.01);
		expect(trying.startAll()).toBe(0);
	});
});

describe('the rate after a refusal', () => {
	test('is that at which requests got through', () => {
		const trying = new Trying({ promisedPerMs: 0.005 });
		trying.passThenRefuse(20, 100);
		// One request more or less is not sure.
		expect(trying.perMs).toBeGreaterThan(0.0093);
		expect(trying.perMs).toBeLessThan(0.0107);
	});

	test('hardly moves while requests get through at it', () => {
		const trying = new Trying();
		const rates = Array.from({ length: 8 }, () => {
			trying.passThenRefuse(20, 100);
			return trying.perMs;
		});
		// The first is half of the pace that was refused, which had grown.
		expect(rates[0]).toBeCloseTo(0.01 * (1 + 0.1 * 3 ** 3) * 0.5, 6);
		for (const perMs of rates.slice(1)) expect(perMs / 0.01).toBeCloseTo(1.03, 3);
	});

	test.each([
		['what got through in a minute, five at least', 3, 100, 5],
		['what got through in a minute', 12, 2000, 12],
		['fourteen at most at a low rate', 20, 2000, 14],
	])('is thought sure after %s', (_, passed, everyMs, calm) => {
		const trying = new Trying({ promisedPerMs: 2 / everyMs });
		trying.passThenRefuse(passed, everyMs);
		trying.passEarlier(calm);
		// Neither less than the rate, as before, nor more, as after.
		expect(trying.waitMs * trying.perMs).toBeCloseTo(1, 6);
	});

	test('is thought sure after as many requests where the limit counts tokens', () => {
		const history = new History('tokens');
		history.take(50, BEGIN_MS - 70_000);
		const trying = new Trying({ promisedPerMs: 0.5, history });
		const tokens = { atOnce: history.usage.nextCost };
		trying.passThenRefuse(8, 200);
		trying.passEarlier(8);
		expect(tokens.atOnce).toBe(50);
		expect(trying.waitMs * trying.perMs).toBeCloseTo(1, 6);
	});

	test('is half of the one that was refused where nothing has got through since', () => {
		const trying = new Trying();
		trying.refuse();
		expect(trying.perMs).toBeCloseTo(0.9 * 0.01 * 0.5, 6);
	});

	test('is at least half of the one that was refused', () => {
		const trying = new Trying();
		trying.passThenRefuse(1, 1000);
		// That was a little less than the rate.
		expect(trying.perMs).toBeCloseTo((0.01 * (1 - 0.1 * 0.8 ** 3)) / 2, 6);
	});

	test('is what the service says, where that is more', () => {
		const trying = new Trying({ promisedPerMs: 0.001 });
		trying.now += 10_000;
		trying.passEarlier(1);
		trying.refuse(0.02);
		expect(trying.perMs).toBeCloseTo(0.02, 6);
	});

	test('is measured anew when a request that was thought to have got through was refused', () => {
		const trying = new Trying({ promisedPerMs: 0.001 });
		const sent = Array.from({ length: 10 }, () => {
			trying.now += 100;
			return trying.start();
		});
		for (const entry of sent.slice(5)) trying.pass(entry);
		trying.refuse();
		const { perMs } = trying;
		for (const entry of sent.slice(0, 5)) {
			trying.history.log.settle(entry, 'refused');
			trying.bucket.refusedLate(entry);
		}
		expect(trying.perMs).toBeLessThan(perMs / 1.5);
	});

	test('stays when a later request is refused', () => {
		const trying = new Trying({ promisedPerMs: 0.005 });
		trying.passThenRefuse(20, 100);
		const { perMs } = trying;
		for (const entry of trying.history.start(...timesFrom(trying.now - 1500, 5))) {
			trying.history.log.settle(entry, 'passed');
		}
		trying.now++;
		trying.bucket.refusedLate(trying.history.refuseOne(trying.now));
		expect(trying.perMs).toBe(perMs);
	});

	test.each([
		[0, 'requests'],
		[0.5, 'requests'],
		[0.5, 'tokens'],
		[1, 'requests'],
		[3, 'requests'],
	] as const)('goes back to the best of late: after %s of the calm, of %s', (part, unit) => {
		const history = new History(unit);
		if (unit === 'tokens') history.take(50, BEGIN_MS - 70_000);
		const trying = new Trying({ promisedPerMs: 0.01 * history.usage.nextCost, history });
		trying.passThenRefuse(20, 100);
		const best = trying.perMs;
		trying.passThenRefuse(8, 250);
		const { perMs } = trying;
		expect(perMs).toBeLessThan(0.6 * best);
		const sought = perMs + 0.6 * (best - perMs);
		trying.now += (part * 8) / sought;
		trying.bucket.outageEnded(trying.history.start(trying.now)[0]!);
		const pace = 0.9 * (perMs + Math.min(1, part) * (sought - perMs));
		expect(trying.waitMs).toBeCloseTo(1 / pace, 6);
	});
});

describe('the least wait', () => {
	test('is not known before the rate is', () => {
		const trying = new Trying();
		trying.passThenRefuse(9, 100);
		expect(trying.bucket.leastWaitMs(1000)).toBe(0);
	});

	test('is what the best rate gives beyond a burst, and a third of it', () => {
		const trying = new Trying();
		trying.passThenRefuse(20, 100);
		const best = trying.perMs;
		trying.passThenRefuse(10, 250);
		const { perMs } = trying;
		const sought = perMs + 0.6 * (best - perMs);
		expect(trying.bucket.leastWaitMs(110)).toBeCloseTo(100 / (1.3 * sought), 6);
	});
});

describe('an outage', () => {
	test.each([
		['too long for a bucket, after four shares and a second', 1401, 3, true],
		['not before', 1400, 3, false],
		['not before three probes', 1401, 2, false],
	])('is %s', (_, lengthMs, refusedProbes, expected) => {
		expect(new Trying().bucket.isEmptyTooLong(probed(lengthMs, refusedProbes))).toBe(expected);
	});

	test.each([
		['a share', 0, 0.01, 100],
		['twice as long with each that is refused', 2, 0.01, 400],
		['20 ms at least', 0, 0.1, 20],
		['30 s at most', 9, 0.01, 30_000],
	])('is probed after %s', (_, refusedProbes, promisedPerMs, gapMs) => {
		const outage = probed(700, refusedProbes);
		const { bucket } = new Trying({ promisedPerMs });
		expect(bucket.nextProbeMs(outage) - outage.refusedMs).toBeCloseTo(gapMs, 6);
	});
});

import { ClockWindow, SlidingWindow, TokenBucket, type ServiceLimit } from '../../bench/limits/ServiceLimit';
import { Talk, type Round } from './Talk';

const sliding = (limit = 20) => new SlidingWindow({ limit: () => limit });

const onTheClock = () => new ClockWindow({ limit: () => 20, offsetMs: 25_000 });

/** Full after the first twenty: refused probes at growing distances. */
const PROBES: Round[] = [
	[500, 0, 1],
	[2000, 0, 1],
	[8000, 0, 1],
];

const changing = (before: number, after: number) => ({
	limit: (atMs: number) => (atMs >= 130_000 ? after : before),
});

describe.each(['requests', 'tokens'] as const)(
	'where %s are counted, what starts, and what of it is refused, is',
	(unit) => {
		test('of a sliding window all places a minute after they were taken, with one more to see whether there is', () => {
			expect(new Talk(unit).run(sliding(), 200_000)).toEqual([
				...[[0, 20, 1], ...PROBES, [32_000, 0, 1]],
				...[60_020, 120_040, 180_060].map((atMs) => [atMs, 20, 1]),
			]);
		});

		test('of a window of the clock all places at its edge, as soon as it has shown', () => {
			expect(new Talk(unit).run(onTheClock(), 200_000)).toEqual([
				...[[0, 20, 1], ...PROBES, [32_000, 20, 0], [36_364, 0, 1]],
				...[92_020, 152_040].map((atMs) => [atMs, 20, 1]),
			]);
		});

		test('soon the places that were added', () => {
			expect(new Talk(unit).run(new SlidingWindow(changing(20, 40)), 250_000).slice(-4)).toEqual([
				[60_020, 20, 1],
				[120_040, 20, 1],
				[180_060, 40, 1],
				[240_080, 40, 1],
			]);
		});

		test('no more than the places that are left', () => {
			expect(new Talk(unit).run(new SlidingWindow(changing(20, 10)), 310_000).slice(-4)).toEqual([
				[120_040, 20, 1],
				[180_060, 10, 1],
				[240_100, 10, 1],
				[300_180, 10, 1],
			]);
		});

		test('everything, once a limit is lifted', () => {
			const talk = new Talk(unit);
			expect(talk.run(new SlidingWindow(changing(20, Infinity)), 250_000, { most: 1000 }).at(-1)![0]).toBe(
				180_060,
			);
			// Without an answer to any of them.
			for (let count = 0; count < 1000; count++) talk.start();
			expect(talk.nextMs).toBe(180_060);
		});

		test('of a window that counts refused requests too what gets through, in the end', () => {
			const limit = new SlidingWindow({ limit: () => 20, countsRefused: true });
			const rounds = new Talk(unit).run(limit, 400_000);
			const later = rounds.filter(([atMs]) => atMs > 190_000 && atMs < 370_000);
			// One more is tried 75 s after the last refusal, in case the limit has risen.
			const refusals = later.filter(([, , refused]) => refused > 0);
			expect(refusals.map(([, , refused]) => refused)).toEqual([1, 1]);
			expect(refusals[1]![0] - refusals[0]![0]).toBe(75_000);
			// Of sixty.
			expect(later.reduce((sum, [, passed]) => sum + passed, 0)).toBeGreaterThanOrEqual(57);
		});

		test.each([
			{ what: 'at that time', header: (leftMs: number) => leftMs, atMs: [25_010, 85_010, 145_010, 205_010] },
			{
				what: 'then too, if late',
				header: (leftMs: number) => leftMs + 5000,
				atMs: [30_010, 90_010, 150_010],
			},
		])('of a service that tells when it has places all of them $what', ({ header, atMs }) => {
			const rounds = new Talk(unit).run(onTheClock(), 206_000, { header });
			const through = rounds.filter(([, passed]) => passed > 0);
			expect(through.map(([at]) => at)).toEqual([0, ...atMs]);
			expect(through.every(([, passed]) => passed === 20)).toBe(true);
		});

		test('as without the header once it was not kept', () => {
			expect(new Talk(unit).run(onTheClock(), 100_000, { header: () => 1000 })).toEqual([
				...[
					[0, 20, 1],
					[1010, 0, 1],
					[8000, 0, 1],
					[32_000, 20, 0],
					[36_364, 0, 1],
				],
				[92_020, 20, 1],
			]);
		});

		test('of a bucket its rate, with one more ever more rarely', () => {
			const bucket = new TokenBucket({ limit: () => 60, burst: 20 });
			const refusedAt = new Talk(unit)
				.run(bucket, 240_000)
				.flatMap(([atMs, , refused]) => (refused ? [atMs] : []));
			expect(refusedAt).toEqual([
				...[0, 500, 2000, 2750, 8896, 21_831, 41_965, 68_960],
				...[97_899, 126_968, 157_862, 187_933, 218_937],
			]);
		});

		test('of a bucket whose service says when to come back its rate, with one more yet more rarely', () => {
			const bucket = new TokenBucket({ limit: () => 300, burst: 20 });
			const rounds = new Talk(unit).run(bucket, 300_000, { header: () => 1500 });
			expect(rounds.reduce((sum, [, passed]) => sum + passed, 0)).toBeGreaterThan(1500);
			expect(rounds.reduce((sum, [, , refused]) => sum + refused, 0)).toBeLessThanOrEqual(32);
		});

		test('of a bucket its rate', () => {
			const bucket = new TokenBucket({ limit: () => 60, burst: 20 });
			const rounds = new Talk(unit).run(bucket, 200_000).filter(([atMs]) => atMs > 20_000);
			const passed = rounds.reduce((sum, round) => sum + round[1], 0);
			const refused = rounds.reduce((sum, round) => sum + round[2], 0);
			expect(passed).toBeGreaterThan(170);
			expect(refused).toBeLessThan(10);
		});
	},
);

describe('a refusal', () => {
	test('begins an outage: one probe at a time, and the next at once where one told nothing', () => {
		const talk = new Talk();
		talk.pass();
		expect([talk.model.isOut, talk.nextMs]).toEqual([false, 0]);
		talk.refuse();
		expect([talk.model.isOut, talk.nextMs]).toEqual([true, 500]);
		talk.now = 500;
		const probe = talk.start();
		expect(talk.nextMs).toBe(Infinity);
		talk.release(probe);
		expect(talk.nextMs).toBe(500);
		talk.model.refusedForItself(talk.start());
		expect(talk.nextMs).toBe(500);
		talk.pass();
		expect(talk.model.isOut).toBe(false);
	});

	test('is not over when a request gets through that started before', () => {
		const talk = new Talk();
		const [first, second] = [talk.start(), talk.start()];
		talk.refuse(first);
		talk.now = 500;
		const probe = talk.start();
		talk.pass(second);
		expect([talk.model.isOut, talk.nextMs]).toEqual([true, Infinity]);
		talk.pass(probe);
		expect(talk.model.isOut).toBe(false);
	});

	test('of what was in flight tells only how many places were taken', () => {
		const talk = new Talk();
		const requests = Array.from({ length: 8 }, () => talk.start());
		talk.now = 50;
		for (const request of requests.slice(0, 5)) talk.refuse(request);
		for (const request of requests.slice(5)) talk.pass(request);
		expect(talk.nextMs).toBe(500);
		expect(talk.run(sliding(0), 60_000).map(([atMs]) => atMs)).toEqual([500, 2000, 8000, 32_000]);
		expect(talk.nextMs).toBe(60_020);
		expect(talk.run(sliding(3), 70_000)).toEqual([[60_020, 3, 0]]);
	});
});

describe('a bucket', () => {
	test('does not grow by answers to what was sent before the latest refusal', () => {
		const talk = new Talk();
		talk.run(new TokenBucket({ limit: () => 60, burst: 20 }), 60_000);
		const old = talk.start();
		talk.refuse();
		for (let count = 0; count < 5; count++) {
			talk.now = talk.nextMs;
			talk.pass();
		}
		const { nextMs } = talk;
		talk.pass(old);
		expect(talk.nextMs).toBe(nextMs);
	});

	test('that stays empty for too long is a window after all, of which nothing is known', () => {
		const bucket = new TokenBucket({ limit: () => 60, burst: 20 });
		const window = new ClockWindow({ limit: (atMs) => (atMs < 160_000 ? 0 : 20), offsetMs: 40_000 });
		const latest = (atMs: number) => (atMs < 100_000 ? bucket : window);
		const service: ServiceLimit = {
			admit: (atMs, cost) => latest(atMs).admit(atMs, cost),
			nextAdmissionMs: (atMs, cost) => latest(atMs).nextAdmissionMs(atMs, cost),
		};
		const rounds = new Talk().run(service, 400_000);
		const closed = rounds.filter(([atMs]) => atMs > 100_000 && atMs < 160_000);
		expect(closed.map(([atMs]) => atMs)).toEqual([
			...[100_046, 101_537, 103_643, 107_853, 116_274, 116_852],
			...[120_681, 125_459, 131_439, 138_915, 148_259, 159_939],
		]);
		const open = rounds.filter(([atMs, passed]) => atMs > 100_000 && passed > 0);
		expect(open).toEqual([[174_540, 20, 1], ...[235_180, 295_820, 356_460].map((atMs) => [atMs, 20, 0])]);
	});
});

describe('an outage that ended sooner than a window would', () => {
	test('is followed by steps that grow, each as long as the one before is not over', () => {
		const talk = new Talk();
		for (let count = 0; count < 20; count++) talk.pass();
		const old = talk.start();
		talk.refuse();
		talk.now = 500;
		talk.pass();
		const steps: number[] = [];
		for (let step = 0; step < 4; step++) {
			const requests = [];
			while (talk.nextMs === 500) requests.push(talk.start());
			expect(talk.nextMs).toBe(Infinity);
			if (step === 0) talk.pass(old);
			steps.push(requests.length);
			for (const request of requests) {
				expect(talk.nextMs).toBe(Infinity);
				if (request === requests[0]) talk.release(request);
				else talk.pass(request);
			}
		}
		expect(steps).toEqual([2, 4, 5, 5]);
	});

	// The places of the window that was met next.
	test.each([
		{ limit: 20, offsetMs: 25_000, left: 20, probeMs: 32_000, isEdge: true },
		{ limit: 20, offsetMs: 25_000, left: 11, probeMs: 32_000, isEdge: true },
		{ limit: 20, offsetMs: 25_000, left: 9, probeMs: 32_000, isEdge: false },
		{ limit: 8, offsetMs: 5000, left: 8, probeMs: 8000, isEdge: true },
		{ limit: 7, offsetMs: 5000, left: 7, probeMs: 8000, isEdge: false },
		{ limit: 7, offsetMs: 25_000, left: 7, probeMs: 32_000, isEdge: true },
	])('of $limit was at an edge if about as many, $left at $probeMs, got through: $isEdge', (window) => {
		const { limit, offsetMs, left, probeMs, isEdge } = window;
		const isSecond = (atMs: number) => atMs >= offsetMs && atMs < offsetMs + 60_000;
		const service = new ClockWindow({ offsetMs, limit: (atMs) => (isSecond(atMs) ? left : limit) });
		const rounds = new Talk().run(service, 93_000);
		const next = rounds.find(([atMs]) => atMs === probeMs + 60_020);
		expect(next !== undefined && next[1] >= left).toBe(isEdge);
	});
});

test.each([
	{ offsetMs: 14_989, isEdge: false },
	{ offsetMs: 14_990, isEdge: true },
])(
	'a few places that come back in less than 15 s, at $offsetMs ms, are no edge, and later they are: $isEdge',
	(row) => {
		const { offsetMs, isEdge } = row;
		const service = new ClockWindow({ limit: () => 7, offsetMs });
		const rounds = new Talk().run(service, 80_000, { header: (leftMs) => leftMs });
		expect(rounds[1]).toEqual([offsetMs + 10, 7, 1]);
		expect(rounds.some(([atMs, passed]) => atMs > 60_000 && passed === 7)).toBe(isEdge);
	},
);

describe('the word of the service', () => {
	test('holds everything back, and the next probe goes when it said', () => {
		const talk = new Talk();
		expect(talk.model.notBeforeMs).toBe(-Infinity);
		talk.pass();
		talk.refuse(undefined, 7000);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([7000, 7010]);
	});

	test('is the latest word, of whichever request', () => {
		const talk = new Talk();
		const [first, second, third, fourth] = [talk.start(), talk.start(), talk.start(), talk.start()];
		talk.pass();
		talk.now = 50;
		talk.refuse(first);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([-Infinity, 500]);
		talk.refuse(second, 7000);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([7050, 7050]);
		talk.refuse(third, 3000);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([7050, 7050]);
		talk.refuse(fourth, 100);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([7050, 7050]);
	});

	test('is a lower bound where it was not kept', () => {
		const talk = new Talk();
		talk.pass();
		talk.refuse(undefined, 1000);
		talk.now = 1010;
		talk.refuse(undefined, 1000);
		expect([talk.model.notBeforeMs, talk.nextMs]).toEqual([2010, 8000]);
		talk.now = 8000;
		talk.refuse(undefined, 40_000);
		expect(talk.nextMs).toBe(48_000);
	});

	/** A talk in which the service has said once when it has places, and it was so. */
	function keptOnce(): Talk {
		const talk = new Talk();
		talk.pass();
		talk.refuse(undefined, 5000);
		talk.now = 5010;
		talk.pass();
		return talk;
	}

	test('is trusted again after it was broken, as often as it was kept', () => {
		const talk = keptOnce();
		talk.refuse(undefined, 5000);
		talk.now = talk.nextMs;
		talk.refuse(undefined, 5000);
		expect(talk.nextMs).toBe(talk.now + 5010);
		talk.now = talk.nextMs;
		talk.refuse(undefined, 5000);
		expect(talk.nextMs).toBeGreaterThan(talk.now + 5010);
	});

	test('is trusted though probes were refused before it was given', () => {
		const talk = new Talk();
		talk.pass();
		for (let count = 0; count < 3; count++) {
			talk.refuse();
			talk.now = talk.nextMs;
		}
		talk.refuse(undefined, 5000);
		expect(talk.nextMs).toBe(talk.now + 5010);
	});

	test('is not broken by a probe that goes without it', () => {
		const talk = keptOnce();
		talk.refuse(undefined, 5000);
		talk.now = talk.nextMs;
		talk.refuse();
		talk.now = talk.nextMs;
		talk.refuse(undefined, 5000);
		expect(talk.nextMs).toBe(talk.now + 5010);
	});

	test('is kept by a request that was in flight, which plans no other probe', () => {
		const talk = new Talk();
		const late = talk.start();
		talk.refuse(undefined, 7000);
		talk.refuse(late);
		expect(talk.nextMs).toBe(7010);
	});
});

describe('the least wait', () => {
	test('is unknown until it is a window beyond doubt', () => {
		const talk = new Talk();
		expect(talk.model.leastWaitMs(0, 1000)).toBe(0);
		const limit = sliding();
		talk.run(limit, 60_000);
		expect(talk.model.leastWaitMs(50_000, 1000)).toBe(0);
		talk.run(limit, 60_021);
		// Twenty come back after a minute.
		expect(talk.model.leastWaitMs(61_000, 18)).toBeLessThanOrEqual(0);
		expect(talk.model.leastWaitMs(61_000, 19)).toBe(59_040);
		expect(talk.model.leastWaitMs(61_000, 39)).toBe(119_040);
	});

	test('is counted in what the limit counts', () => {
		const talk = new Talk('tokens');
		for (let count = 0; count < 20; count++) talk.pass(undefined, 500);
		talk.refuse(undefined, 60_010);
		talk.now = talk.nextMs;
		talk.pass(undefined, 500);
		expect(talk.model.leastWaitMs(talk.now, 18)).toBe(0);
		expect(talk.model.leastWaitMs(talk.now, 39)).toBe(60_020);
	});
});

import { VirtualClock } from '../support/VirtualClock';
import { Limiter } from '../../client/limiter/Limiter';
import type { Permit } from '../../client/limiter/Permit';
import type { Waiting } from '../../client/limiter/WaitReport';
import { LimiterRegistry, limitScopeOf } from '../../client/limiter/LimiterRegistry';
import { RunCalls } from '../../client/limiter/RunCalls';
import { ItemCalls, singleCall } from '../../client/limiter/ItemCalls';
import type { Failure } from '../../client/ServiceError';

const NEVER = new AbortController().signal;

const refusal = (facts: Pick<Failure, 'limit' | 'retryAfterMs'> = {}): Failure => ({
	kind: 'status',
	httpStatus: 429,
	message: 'Too many requests',
	...facts,
});

const overload: Failure = { kind: 'status', httpStatus: 503, message: 'Busy' };

/** Represents a limiter with a virtual clock, and the outcome of the calls that wait at it. */
class Bench {
	readonly clock = new VirtualClock(1e9);

	readonly told: Waiting[] = [];

	readonly limiter = new Limiter({
		clock: this.clock,
		random: () => 0.5,
		onWaiting: (waiting) => this.told.push(waiting),
	});

	/** Holds the names of the calls, in the order in which they started. */
	readonly started: string[] = [];

	readonly failed = new Map<string, { error: unknown; atMs: number }>();

	readonly permits = new Map<string, Permit>();

	readonly beginMs = this.clock.now();

	get nowMs(): number {
		return this.clock.now() - this.beginMs;
	}

	async go(milliseconds: number): Promise<void> {
		await this.clock.run(this.clock.wait(milliseconds));
	}

	item(maxWaitMs = 300_000, run = new RunCalls()): ItemCalls {
		return new ItemCalls(run, maxWaitMs);
	}

	async acquire(budget = this.item(), signal = NEVER): Promise<Permit> {
		return await this.clock.run(this.limiter.acquire(budget, signal));
	}

	/** Lets a call wait in the background. */
	wait(name: string, budget = this.item(), signal = NEVER): void {
		this.limiter.acquire(budget, signal).then(
			(permit) => {
				this.started.push(name);
				this.permits.set(name, permit);
			},
			(error: unknown) => this.failed.set(name, { error, atMs: this.nowMs }),
		);
	}

	/** Holds a run with items to come, which an outage holds back. */
	readonly run = new RunCalls();

	constructor() {
		this.run.setItemsToBegin(1000);
	}

	ofRun(maxWaitMs = 300_000): ItemCalls {
		return this.item(maxWaitMs, this.run);
	}

	/** Sends five requests that fail because the service takes none. */
	async breakDown(failure = overload): Promise<void> {
		for (let count = 0; count < 5; count++) (await this.acquire(this.ofRun())).end('unavailable', failure);
	}

	/** Sends a request that gets a 429. */
	async refuse(facts: Parameters<typeof refusal>[0] = {}, budget = this.item()): Promise<boolean> {
		return (await this.acquire(budget)).end('rateLimited', refusal(facts));
	}
}

test('without a 429, no request waits and no timer runs', async () => {
	const bench = new Bench();
	const permits = await Promise.all(
		Array.from({ length: 1000 }, async () => await bench.limiter.acquire(bench.item(), NEVER)),
	);
	for (const permit of permits) permit.end('succeeded');
	expect(bench.clock.pending).toBe(0);
	expect(bench.told).toEqual([]);
});

test('no request starts before a Retry-After is over, and then a single one', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 20_000 });
	for (const name of ['a', 'b', 'c']) bench.wait(name);
	await bench.go(19_990);
	expect(bench.started).toEqual([]);
	await bench.go(100);
	expect(bench.started).toEqual(['a']);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(100);
	expect(bench.started.slice(0, 2)).toEqual(['a', 'b']);
});

test('waiting calls start in the order in which they came', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	const names = Array.from({ length: 8 }, (_, index) => String(index));
	for (const name of names) bench.wait(name);
	for (let turn = 0; bench.started.length < names.length && turn < 600; turn++) {
		await bench.go(1000);
		for (const name of bench.started) bench.permits.get(name)?.end('succeeded');
		bench.permits.clear();
	}
	expect(bench.started).toEqual(names);
});

test('an item that waits for a second request goes before later items of its run', async () => {
	const bench = new Bench();
	const refused = bench.item();
	const permit = await bench.acquire(refused);
	const other = await bench.acquire();
	other.end('rateLimited', refusal({ retryAfterMs: 1000 }));
	bench.wait('later', new ItemCalls(refused.run, 300_000));
	permit.end('succeeded');
	bench.wait('second call', refused);
	await bench.go(1100);
	expect(bench.started).toEqual(['second call']);
});

test('a new run waits only for the calls that were in the queue before it (fair queueing)', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	const run = new RunCalls();
	let sent = 0;
	// Eight workers send 200 items, like a run with a Concurrency of 8.
	const work = async () => {
		while (sent < 200) {
			sent++;
			const permit = await bench.limiter.acquire(new ItemCalls(run, 300_000), NEVER);
			bench.started.push('run');
			await bench.clock.wait(50);
			permit.end('succeeded');
		}
	};
	void Promise.all(Array.from({ length: 8 }, work));
	await bench.go(10);
	bench.wait('form');
	for (let turn = 0; !bench.started.includes('form') && turn < 100; turn++) {
		await bench.go(500);
	}
	expect(bench.started.indexOf('form')).toBeLessThanOrEqual(8);
	expect(bench.started).toContain('form');
});

test('aborted calls leave the queue immediately, and after the last one the wait is over and no timer runs', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 60_000 });
	const stop = new AbortController();
	const run = new RunCalls();
	for (let count = 0; count < 200; count++) {
		bench.wait(String(count), bench.item(300_000, run), stop.signal);
	}
	await bench.go(10);
	stop.abort(new Error('Stopped'));
	await bench.go(0);
	expect(bench.failed.size).toBe(200);
	await bench.go(1000);
	expect(run.countTimes(bench.clock.now()).limitedMs).toBe(10);
	expect([...bench.failed.values()].every(({ error }) => (error as Error).message === 'Stopped')).toBe(true);
	expect(bench.clock.pending).toBe(0);
	expect(bench.told.map(({ phase }) => phase)).toEqual(['begins', 'ends']);
});

test('a call with an aborted signal does not enter the queue', async () => {
	const bench = new Bench();
	const stop = new AbortController();
	stop.abort(new Error('Stopped'));
	await expect(bench.limiter.acquire(bench.item(), stop.signal)).rejects.toThrow('Stopped');
});

test('a 429 of a limit per day fails the items that have not started, only in the run that got it and for that model', async () => {
	const bench = new Bench();
	const run = new RunCalls();
	const started = new ItemCalls(run, 300_000);
	(await bench.acquire(started)).end('succeeded');
	const first = await bench.acquire(new ItemCalls(run, 300_000));
	await bench.refuse({ retryAfterMs: 1000 });
	bench.wait('not started', new ItemCalls(run, 300_000));
	bench.wait('started', started);
	bench.wait('of another run');
	const perDay = refusal({ limit: 'RPD' });
	expect(first.end('rateLimited', perDay)).toBe(false);
	await bench.go(5);
	expect([...bench.failed.keys()]).toEqual(['not started']);
	expect(bench.failed.get('not started')!.error).toMatchObject({ failure: perDay });
	await expect(bench.acquire(new ItemCalls(run, 300_000))).rejects.toMatchObject({ failure: perDay });
	(await new Bench().acquire(new ItemCalls(run, 300_000))).end('succeeded');
	await bench.go(3000);
	expect(bench.started[0]).toBe('started');
	bench.permits.get('started')!.end('succeeded');
	await bench.go(3000);
	expect(bench.started).toContain('of another run');
});

test('no wait is reported for a call that fails at once because Retry-After is longer than Max Wait', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 600_000 });
	bench.wait('impatient', bench.item(300_000));
	await bench.go(1);
	expect([...bench.failed.keys()]).toEqual(['impatient']);
	expect(bench.told).toEqual([]);
});

test('a Retry-After immediately fails the waiting calls whose Max Wait is shorter, and no others', async () => {
	const bench = new Bench();
	const permit = await bench.acquire(bench.item(300_000));
	await bench.refuse({ retryAfterMs: 1000 });
	bench.wait('patient', bench.item(3_600_000));
	bench.wait('impatient', bench.item(300_000));
	const absurd = refusal({ retryAfterMs: 600_000 });
	expect(permit.end('rateLimited', absurd)).toBe(false);
	await bench.go(5);
	expect([...bench.failed.keys()]).toEqual(['impatient']);
	await bench.go(600_000);
	expect(bench.started).toContain('patient');
});

test('a call that comes later fails immediately while the rest of the Retry-After is longer than its Max Wait, and then waits', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 600_000 }, bench.item(3_600_000));
	bench.wait('later', bench.item(300_000));
	await bench.go(5);
	expect(bench.failed.has('later')).toBe(true);
	await bench.go(350_000);
	bench.wait('late enough', bench.item(300_000));
	await bench.go(245_000);
	expect(bench.failed.has('late enough')).toBe(false);
	await bench.go(10_000);
	expect(bench.started).toEqual(['late enough']);
});

test("a Retry-After longer than the rest of one item's Max Wait fails only that item", async () => {
	const bench = new Bench();
	const run = new RunCalls();
	const tired = new ItemCalls(run, 300_000);
	tired.countWait(295_000);
	const permit = await bench.acquire(tired);
	bench.wait('fresh', new ItemCalls(run, 300_000));
	await bench.go(1);
	expect(permit.end('rateLimited', refusal({ retryAfterMs: 10_000 }))).toBe(false);
	bench.wait('waiting', new ItemCalls(run, 300_000));
	await bench.go(10_500);
	bench.permits.get('fresh')!.end('succeeded');
	await bench.go(10_500);
	expect(bench.failed.size).toBe(0);
	expect(bench.started).toEqual(['fresh', 'waiting']);
});

test('Max Wait applies to all waits of an item in total', async () => {
	const bench = new Bench();
	const budget = bench.item(5000);
	let mayGoOn = await bench.refuse({ retryAfterMs: 2000 }, budget);
	let rounds = 0;
	while (mayGoOn && rounds < 10) {
		rounds++;
		const permit = await bench.acquire(budget).catch(() => undefined);
		if (!permit) break;
		mayGoOn = permit.end('rateLimited', refusal({ retryAfterMs: 2000 }));
	}
	expect(rounds).toBeLessThanOrEqual(3);
	expect(budget.waitedMs).toBeGreaterThanOrEqual(2000);
	expect(budget.waitedMs).toBeLessThanOrEqual(5000);
	expect(bench.nowMs).toBeLessThanOrEqual(5100);
});

test('the wait in the queue counts for Max Wait, and ends with it', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	bench.wait('probe');
	bench.wait('waits for the probe', bench.item(2900));
	await bench.go(2800);
	expect(bench.started).toEqual(['probe']);
	expect(bench.failed.size).toBe(0);
	await bench.go(150);
	expect(bench.failed.get('waits for the probe')!.atMs).toBeGreaterThanOrEqual(2890);
});

test('a Retry-After of 0 does not make requests follow each other without a pause', async () => {
	const bench = new Bench();
	const budget = bench.item();
	let requests = 0;
	bench.clock.at(bench.clock.now() + 60_000, () => (requests = -requests));
	const stop = new AbortController();
	bench.clock.at(bench.clock.now() + 60_000, () => stop.abort());
	for (let count = 0; count < 1000; count++) {
		const permit = await bench.clock.run(bench.limiter.acquire(budget, stop.signal)).catch(() => undefined);
		if (!permit) break;
		requests++;
		permit.end('rateLimited', refusal({ retryAfterMs: 0 }));
	}
	expect(Math.abs(requests)).toBeLessThan(25);
});

test('an item in its own backoff starts after nine seconds without other requests, but not before its own Retry-After', async () => {
	const bench = new Bench();
	const own = bench.item();
	for (const retryAfterMs of [0, 0, 0, 0, 0, 20_000]) {
		await bench.refuse({ retryAfterMs }, own);
		(await bench.acquire()).end('succeeded');
	}
	bench.wait('own', own);
	await bench.go(19_900);
	expect(bench.started).toEqual([]);
	await bench.go(200);
	expect(bench.started).toEqual(['own']);
});

test('an item in its own backoff starts nine seconds after a request in flight counts as admitted', async () => {
	const bench = new Bench();
	const own = bench.item();
	for (let count = 0; count < 6; count++) {
		(await bench.acquire()).end('succeeded');
		await bench.refuse({ retryAfterMs: 0 }, own);
	}
	await bench.acquire();
	bench.wait('own', own);
	await bench.go(10_900);
	expect(bench.started).toEqual([]);
	await bench.go(200);
	expect(bench.started).toEqual(['own']);
});

test('a probe is sent for the item with the fewest refusals', async () => {
	const bench = new Bench();
	const refused = bench.item();
	await bench.refuse({ retryAfterMs: 1000 }, refused);
	bench.wait('refused', refused);
	bench.wait('probe', bench.item(300_000, refused.run));
	await bench.go(1100);
	expect(bench.started).toEqual(['probe']);
	bench.permits.get('probe')!.end('succeeded');
	await bench.go(100);
	expect(bench.started).toEqual(['probe', 'refused']);
});

const refused: Failure = { kind: 'network', message: 'Nothing accepts connections', isUnsent: true };

test.each([
	['503s', overload],
	['refused connections', refused],
])('after five %s in a row, requests start one at a time until one succeeds', async (_, failure) => {
	const bench = new Bench();
	const permits = await Promise.all(
		Array.from({ length: 40 }, async () => await bench.limiter.acquire(bench.ofRun(), NEVER)),
	);
	for (const permit of permits) permit.end('unavailable', failure);
	for (let count = 0; count < 40; count++) bench.wait(String(count), bench.ofRun());
	await bench.go(0);
	expect(bench.started).toEqual([]);
	await bench.go(1000);
	expect(bench.started).toEqual(['0']);
	bench.permits.get('0')!.end('succeeded');
	await bench.go(0);
	expect(bench.started).toHaveLength(40);
});

test('an item that is alone in its run is not held back by an outage, whatever others wait for', async () => {
	const bench = new Bench();
	await bench.breakDown();
	for (const name of ['probe', 'of the run']) bench.wait(name, bench.ofRun());
	await bench.go(600);
	bench.started.length = 0;
	for (let count = 0; count < 20; count++) {
		const item = bench.item();
		const leave = bench.limiter.enter(item);
		const beganMs = bench.nowMs;
		(await bench.acquire(item)).end('unavailable', overload);
		expect(bench.nowMs).toBe(beganMs);
		leave();
	}
	expect(bench.started).toEqual([]);
});

test('a form that gets through ends the outage for the items of a run', async () => {
	const bench = new Bench();
	await bench.breakDown();
	for (const name of ['a', 'b', 'c']) bench.wait(name, bench.ofRun());
	(await bench.acquire()).end('succeeded');
	await bench.go(0);
	expect(bench.started).toEqual(['a', 'b', 'c']);
});

test.each([
	[30, 503, 30_000],
	[90, 503, 60_000],
	[30, 502, 500],
	[30, 529, 500],
])(
	'after five failures with "Retry-After: %d" and status %d, the first probe starts after %d ms',
	async (seconds, httpStatus, expectedMs) => {
		const bench = new Bench();
		await bench.breakDown({ ...overload, httpStatus, retryAfterMs: 1000 * seconds });
		bench.wait('probe', bench.ofRun());
		await bench.go(expectedMs - 1);
		expect(bench.started).toEqual([]);
		await bench.go(1);
		expect(bench.started).toEqual(['probe']);
	},
);

test('during an outage, a request without an answer delays the next one by five seconds', async () => {
	const bench = new Bench();
	await bench.breakDown();
	for (const name of ['hangs', 'next']) bench.wait(name, bench.ofRun());
	await bench.go(5400);
	expect(bench.started).toEqual(['hangs']);
	await bench.go(200);
	expect(bench.started).toEqual(['hangs', 'next']);
});

test('timeouts do not hold back other requests', async () => {
	const bench = new Bench();
	const run = new RunCalls();
	run.limitTo(8);
	const decide = async () => {
		const permit = await bench.limiter.acquire(bench.item(300_000, run), NEVER);
		await bench.clock.wait(60_000);
		permit.end('unrelated');
	};
	const all = Promise.all(Array.from({ length: 40 }, decide));
	await bench.go(150_000);
	bench.wait('form');
	await bench.go(0);
	expect(bench.started).toEqual(['form']);
	await bench.clock.run(all);
	expect(bench.nowMs).toBe(300_000);
});

/** Expects that of five waiting items one starts, and all others as soon as it has succeeded. */
async function expectOneProbeThenAll(bench: Bench): Promise<void> {
	for (const name of ['a', 'b', 'c', 'd', 'e']) bench.wait(name);
	await bench.go(0);
	expect(bench.started).toEqual(['a']);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(0);
	expect(bench.started).toEqual(['a', 'b', 'c', 'd', 'e']);
}

test('a first 429 has no further effect if a request of another item then succeeds', async () => {
	const bench = new Bench();
	await bench.refuse();
	await expectOneProbeThenAll(bench);
});

test('an item that is refused again and again while it is alone slows down no others', async () => {
	const bench = new Bench();
	for (let count = 0; count < 5; count++) {
		(await bench.acquire()).end('succeeded');
		await bench.go(10_000);
	}
	const item = bench.item();
	for (let count = 0; count < 9; count++) await bench.refuse({}, item);
	await expectOneProbeThenAll(bench);
});

test('a request that gets a 429 after two seconds no longer counts as admitted', async () => {
	const bench = new Bench();
	const permit = await bench.acquire();
	await bench.go(2100);
	// The limiter counts requests as admitted only when it is called, so another call is made.
	(await bench.acquire()).end('unrelated');
	permit.end('rateLimited', refusal({ retryAfterMs: 1000 }));
	for (const name of ['a', 'b', 'c']) bench.wait(name);
	await bench.go(1100);
	expect(bench.started).toEqual(['a']);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(0);
	// No other request was admitted before, so no rate is known, and all start at once.
	expect(bench.started).toEqual(['a', 'b', 'c']);
});

test('a probe counts as admitted after two seconds in flight', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	for (const name of ['a', 'b']) bench.wait(name);
	await bench.go(2900);
	expect(bench.started).toEqual(['a']);
	await bench.go(200);
	expect(bench.started).toEqual(['a', 'b']);
});

test('waiting is reported when it begins, every half minute, and when it ends', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 70_000, limit: 'RPM' });
	bench.wait('a');
	bench.wait('b');
	await bench.go(75_000);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(1000);
	expect(bench.told.map(({ phase, waitedMs }) => [phase, Math.round(waitedMs / 1000)])).toEqual([
		['begins', 0],
		['continues', 30],
		['continues', 60],
		['ends', 72],
	]);
	expect(bench.told[1]).toMatchObject({ queued: 2, limit: 'RPM' });
});

test('a run whose calls all wait is reported once, although none waits while its only slot is taken', async () => {
	const bench = new Bench();
	const leave = bench.limiter.enter(bench.item());
	const run = new RunCalls();
	run.limitTo(1);
	await bench.refuse({ retryAfterMs: 1000 }, bench.item(300_000, run));
	for (let item = 0; item < 3; item++) {
		const permit = await bench.acquire(bench.item(300_000, run));
		await bench.go(500);
		permit.end('rateLimited', refusal({ retryAfterMs: 1000 }));
	}
	leave();
	expect(bench.told.map(({ phase }) => phase)).toEqual(['begins', 'ends']);
});

test('calls that wait every few seconds are reported once', async () => {
	const bench = new Bench();
	const leave = bench.limiter.enter(bench.item());
	for (let round = 0; round < 5; round++) {
		await bench.refuse({ retryAfterMs: 1000 });
		bench.wait(String(round));
		await bench.go(3000);
		bench.permits.get(String(round))!.end('succeeded');
	}
	leave();
	expect(bench.told.map(({ phase }) => phase)).toEqual(['begins', 'ends']);
});

test('waiting is reported as over when no call has waited for half a minute, although the run goes on', async () => {
	const bench = new Bench();
	bench.limiter.enter(bench.item());
	await bench.refuse({ retryAfterMs: 1000 });
	bench.wait('a');
	await bench.go(2000);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(60_000);
	await bench.acquire();
	expect(bench.told.map(({ phase }) => phase)).toEqual(['begins', 'ends']);
});

test('a wait for a slot does not count for Max Wait, and is not reported', async () => {
	const bench = new Bench();
	await bench.refuse();
	(await bench.acquire()).end('succeeded');
	bench.told.length = 0;
	const run = new RunCalls();
	run.limitTo(1);
	const permit = await bench.acquire(bench.item(0, run));
	bench.wait('second', bench.item(0, run));
	await bench.go(5000);
	expect([bench.started, bench.failed.size]).toEqual([[], 0]);
	permit.end('succeeded');
	await bench.go(0);
	expect([bench.started, bench.failed.size, bench.told]).toEqual([['second'], 0, []]);
	expect(run.countTimes(bench.clock.now()).limitedMs).toBe(0);
});

test('Max Wait of an item that is itself the reason for its 429s ends although others take all slots', async () => {
	const bench = new Bench();
	const run = new RunCalls();
	run.limitTo(1);
	const refused = bench.item(2000, run);
	for (let round = 0; round < 2; round++) {
		await bench.refuse({}, refused);
		(await bench.acquire(bench.item(300_000, run))).end('succeeded');
	}
	await bench.refuse({}, refused);
	bench.wait('refused', refused);
	await bench.acquire(bench.item(300_000, run));
	await bench.go(4000);
	expect([...bench.failed.keys()]).toEqual(['refused']);
});

test('during an outage, requests that take 4.5 s to fail start at most 5 s apart', async () => {
	const bench = new Bench();
	await bench.breakDown();
	const startsMs: number[] = [];
	for (let count = 0; count < 6; count++) {
		const permit = await bench.acquire(bench.ofRun());
		startsMs.push(bench.nowMs);
		await bench.go(4500);
		permit.end('unavailable', overload);
	}
	const gapsMs = startsMs.slice(1).map((atMs, index) => atMs - startsMs[index]!);
	expect(Math.max(...gapsMs)).toBeLessThanOrEqual(5000);
});

test('a run counts its 429s, and the time that it waited', async () => {
	const bench = new Bench();
	const run = new RunCalls();
	await bench.refuse({ retryAfterMs: 10_000 }, new ItemCalls(run, 300_000));
	for (const name of ['a', 'b']) bench.wait(name, new ItemCalls(run, 300_000));
	await bench.go(4000);
	expect(run.rateLimitHits).toBe(1);
	expect(run.countTimes(bench.clock.now()).limitedMs).toBe(4000);
	await bench.go(8000);
	bench.permits.get('a')!.end('succeeded');
	await bench.go(1000);
	expect(run.countTimes(bench.clock.now()).limitedMs).toBeGreaterThanOrEqual(12_000);
	expect(run.countTimes(bench.clock.now()).limitedMs).toBeLessThanOrEqual(13_000);
});

test('after a probe that timed out, the next request probes at once', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	for (const name of ['a', 'b']) bench.wait(name);
	await bench.go(1030);
	expect(bench.started).toEqual(['a']);
	bench.permits.get('a')!.end('unrelated');
	await bench.go(0);
	expect(bench.started).toEqual(['a', 'b']);
});

test('Concurrency applies to all limiters of a run together, and a free slot is used at once', async () => {
	const [one, other] = [new Bench(), new Bench()];
	const run = new RunCalls();
	run.limitTo(1);
	const permit = await one.acquire(one.item(300_000, run));
	other.wait('a', other.item(300_000, run));
	await other.go(1000);
	expect(other.started).toEqual([]);
	permit.end('succeeded');
	await other.go(0);
	expect(other.started).toEqual(['a']);
});

test('a limiter counts as unused since the end of its last request, but not while a call is active', async () => {
	const bench = new Bench();
	const leave = bench.limiter.enter(bench.item());
	const permit = await bench.acquire();
	await bench.go(5000);
	permit.end('unrelated');
	await bench.go(5000);
	expect(bench.limiter.unusedSinceMs).toBe(Infinity);
	leave();
	expect(bench.limiter.unusedSinceMs).toBe(bench.beginMs + 5000);
});

test('a call whose Max Wait ends during an outage fails with the 503, and the failure says why', async () => {
	const bench = new Bench();
	await bench.breakDown();
	bench.wait('probe', bench.ofRun());
	const budget = bench.ofRun(3000);
	bench.wait('waits', budget);
	await bench.go(2999);
	expect(bench.failed.size).toBe(0);
	await bench.go(1);
	expect(bench.failed.get('waits')).toMatchObject({
		error: { failure: { ...overload, isWaitOver: true } },
		atMs: 3000,
	});
	await bench.go(1000);
	expect([budget.waitedMs, budget.run.countTimes(bench.clock.now()).limitedMs]).toEqual([3000, 3000]);
});

test('a Retry-After that is as long as Max Wait is followed', async () => {
	const bench = new Bench();
	const budget = bench.item(5000);
	const other = bench.item(5000);
	const permit = await bench.acquire(other);
	expect(await bench.refuse({ retryAfterMs: 5000 }, budget)).toBe(true);
	expect(permit.end('rateLimited', refusal({ retryAfterMs: 5000 }))).toBe(true);
	bench.wait('a', budget);
	bench.wait('b', other);
	await bench.go(5100);
	expect(bench.started).toEqual(['b']);
	bench.permits.get('b')!.end('succeeded');
	await bench.go(400);
	expect(bench.started).toEqual(['b', 'a']);
});

test('a Retry-After that is longer than Max Wait is not followed, nor is a 429 if Max Wait is 0', async () => {
	expect(await new Bench().refuse({ retryAfterMs: 5001 }, new Bench().item(5000))).toBe(false);
	expect(await new Bench().refuse({}, new Bench().item(0))).toBe(false);
});

test('an abort after the start of a request has no effect on its permit, and no wait is counted any more', async () => {
	const bench = new Bench();
	await bench.refuse({ retryAfterMs: 1000 });
	const stop = new AbortController();
	const budget = bench.item();
	bench.wait('a', budget, stop.signal);
	await bench.go(1030);
	await bench.go(500);
	stop.abort(new Error('Stopped'));
	await bench.go(10);
	expect([bench.started, bench.failed.size, budget.waitedMs]).toEqual([['a'], 0, 1000]);
	expect(budget.run.countTimes(bench.clock.now()).limitedMs).toBe(1000);
});

describe('the registry of limiters', () => {
	const credential = { baseUrl: 'https://service.example/v1', apiKey: 'secret-key' };

	const registryOf = (clock: VirtualClock) => new LimiterRegistry({ clock, random: () => 0.5 });

	test('returns the same limiter for the same base URL, key and model, and another one if any of them differs', async () => {
		const registry = registryOf(new VirtualClock());
		const limiter = registry.limiterFor(await limitScopeOf(credential, 'Kev-4B'));
		const others = [
			[credential, 'other'],
			[{ ...credential, baseUrl: 'https://other' }, 'Kev-4B'],
			[{ ...credential, apiKey: 'other' }, 'Kev-4B'],
		] as const;
		expect(registry.limiterFor(await limitScopeOf({ ...credential }, 'Kev-4B'))).toBe(limiter);
		for (const [other, model] of others) {
			expect(registry.limiterFor(await limitScopeOf(other, model))).not.toBe(limiter);
		}
	});

	test('does not keep the API key in plain text', async () => {
		const registry = registryOf(new VirtualClock());
		registry.limiterFor(await limitScopeOf(credential, 'Kev-4B'));
		const { inspect } = await import('node:util');
		expect(inspect(registry, { depth: 10, showHidden: true })).not.toContain('secret-key');
	});

	test('does not forget a limiter before its Retry-After is over', async () => {
		const clock = new VirtualClock();
		const registry = registryOf(clock);
		const scope = await limitScopeOf(credential, 'Kev-4B');
		const limiter = registry.limiterFor(scope);
		const permit = await limiter.acquire(singleCall(300_000), NEVER);
		permit.end('rateLimited', refusal({ retryAfterMs: 30 * 60_000 }));
		await clock.run(clock.wait(29 * 60_000));
		expect(registry.limiterFor(scope)).toBe(limiter);
		await clock.run(clock.wait(2 * 60_000));
		expect(registry.limiterFor(scope)).not.toBe(limiter);
	});

	test('looks at all limiters once a minute at most, however many models there are', async () => {
		const clock = new VirtualClock();
		const registry = registryOf(clock);
		const scopeOf = (model: number) => ({ hash: String(model), baseUrl: '', modelOrEndpoint: '' });
		let looks = 0;
		for (let model = 0; model < 25_000; model++) {
			const limiter = registry.limiterFor(scopeOf(model));
			Object.defineProperty(limiter, 'unusedSinceMs', { get: () => (looks++, clock.now() - 1) });
		}
		for (let call = 0; call < 2000; call++) registry.limiterFor(scopeOf(call % 7));
		// A call looks at its own limiter only.
		expect(looks).toBe(2000);
		await clock.run(clock.wait(61_000));
		for (let call = 0; call < 2000; call++) registry.limiterFor(scopeOf(call % 7));
		expect(looks).toBe(25_000 + 4000);
	});

	test('forgets a limiter ten minutes after its last use, but not while a call is active', async () => {
		const clock = new VirtualClock();
		const registry = registryOf(clock);
		const scope = await limitScopeOf(credential, 'Kev-4B');
		const limiter = registry.limiterFor(scope);
		const budget = () => singleCall(3_600_000);
		await clock.run(clock.wait(5 * 60_000));
		(await limiter.acquire(budget(), NEVER)).end('succeeded');
		await clock.run(clock.wait(9 * 60_000));
		expect(registry.limiterFor(scope)).toBe(limiter);
		const leave = limiter.enter(budget());
		const permit = await limiter.acquire(budget(), NEVER);
		await clock.run(clock.wait(11 * 60_000));
		expect(registry.limiterFor(scope)).toBe(limiter);
		permit.end('succeeded');
		leave();
		await clock.run(clock.wait(10 * 60_000));
		expect(registry.limiterFor(scope)).not.toBe(limiter);
		expect(registry.size).toBe(1);
	});
});

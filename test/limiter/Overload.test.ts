import { Overload } from '../../client/limiter/Overload';

/** At the middle of the jitter. */
const newOverload = () => new Overload(() => 0.5);

/** So many failures of requests that were in flight together. */
function fail(overload: Overload, count: number, inFlight = 40, nowMs = 0): void {
	for (let index = 0; index < count; index++) overload.failed(nowMs, index, count, inFlight);
}

function succeed(overload: Overload, count: number): void {
	for (let index = 0; index < count; index++) overload.succeeded();
}

describe('failures', () => {
	test('hold nothing back as long as they are three of the latest ten', () => {
		const overload = newOverload();
		fail(overload, 3);
		expect([overload.maxInFlight, overload.notBeforeMs]).toEqual([Infinity, -Infinity]);
		succeed(overload, 7);
		fail(overload, 1);
		expect(overload.maxInFlight).toBe(Infinity);
	});

	test('are those of the service from the fourth of the latest ten on', () => {
		const overload = newOverload();
		succeed(overload, 20);
		fail(overload, 3);
		succeed(overload, 6);
		fail(overload, 1);
		expect(overload.maxInFlight).toBe(20);
	});

	test('let half as many be in flight as were, and one at least', () => {
		const overload = newOverload();
		fail(overload, 4, 40, 1000);
		expect([overload.maxInFlight, overload.notBeforeMs]).toEqual([20, 1250]);
		for (const [count, most] of [10, 5, 2, 1, 1].entries()) {
			overload.failed(2000, 4 + count, 5 + count, 40);
			expect(overload.maxInFlight).toBe(most);
		}
		const few = newOverload();
		fail(few, 4, 2);
		expect(few.maxInFlight).toBe(1);
	});

	test('that follow each other keep requests back ever longer', () => {
		const overload = newOverload();
		fail(overload, 3);
		const pauses = [4, 5, 6].map((index) => {
			overload.failed(1000, index, index + 1, 40);
			return overload.notBeforeMs - 1000;
		});
		expect(pauses).toEqual([250, 500, 1000]);
	});

	test('of requests that started before the latest cut change nothing', () => {
		const overload = newOverload();
		fail(overload, 3, 40);
		overload.failed(1000, 3, 40, 39);
		overload.failed(2000, 39, 50, 39);
		expect([overload.maxInFlight, overload.notBeforeMs]).toEqual([20, 1250]);
		overload.failed(2000, 40, 50, 39);
		expect([overload.maxInFlight, overload.notBeforeMs]).toEqual([10, 2500]);
	});
});

describe('after a cut', () => {
	test('one more may be in flight for each round that went well', () => {
		const overload = newOverload();
		fail(overload, 4, 7);
		const most = Array.from({ length: 10 }, () => {
			overload.succeeded();
			return overload.maxInFlight;
		});
		expect(most).toEqual([4, 4, 4, 5, 5, 5, 5, 5, 6, 6]);
	});

	test('the round begins anew with the next', () => {
		const overload = newOverload();
		fail(overload, 4, 15);
		succeed(overload, 3);
		overload.failed(0, 4, 5, 15);
		expect(overload.maxInFlight).toBe(4);
		succeed(overload, 3);
		expect(overload.maxInFlight).toBe(4);
		succeed(overload, 1);
		expect(overload.maxInFlight).toBe(5);
	});

	test('a round that went well makes the next pause a first one', () => {
		const overload = newOverload();
		fail(overload, 3, 3);
		overload.failed(0, 3, 4, 3);
		overload.failed(0, 4, 5, 3);
		expect(overload.notBeforeMs).toBe(500);
		succeed(overload, 1);
		expect(overload.maxInFlight).toBe(2);
		overload.failed(0, 5, 6, 3);
		expect(overload.notBeforeMs).toBe(250);
	});

	test('there is no bound any more beyond a thousand in flight', () => {
		const overload = newOverload();
		fail(overload, 4, 1997);
		expect(overload.maxInFlight).toBe(999);
		succeed(overload, 999);
		expect(overload.maxInFlight).toBe(1000);
		succeed(overload, 1000);
		expect(overload.maxInFlight).toBe(Infinity);
	});
});

import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { VirtualClock } from '../support/VirtualClock';
import { Alarm } from '../../client/time/Alarm';
import { IdleTimeout, Watchdog } from '../../client/time/IdleTimeout';
import { onAbort } from '../../client/time/abort';

function begin(timeoutMs: number) {
	const clock = new VirtualClock(0);
	const timeout = new IdleTimeout(new Watchdog(clock), timeoutMs, new AbortController().signal);
	const endedAtMs = new Promise<number>((resolve) => {
		timeout.signal.addEventListener('abort', () => resolve(clock.now()));
	});
	return { clock, timeout, endedAtMs };
}

test('an idle timeout ends an attempt in which nothing happens, and does not count pauses', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	const reading = async () => {
		await clock.wait(900);
		timeout.pause();
		await clock.wait(5000);
		timeout.refresh();
		await clock.wait(900);
		timeout.refresh();
		return await endedAtMs;
	};
	expect(await clock.run(reading())).toBe(7800);
	expect(timeout.expiredAfterMs).toBe(1000);
});

test('a deadline ends an attempt although the service is sending', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	const reading = async () => {
		timeout.endIn(2500);
		for (let left = 10; left > 0; left--) {
			await clock.wait(500);
			timeout.refresh();
		}
		return await endedAtMs;
	};
	expect(await clock.run(reading())).toBe(2500);
	const soon = begin(1000);
	soon.timeout.endIn(300);
	expect(await soon.clock.run(soon.endedAtMs)).toBe(300);
});

test('an alarm that is set again rings once, although its clock cannot cancel a wait', async () => {
	const ends: Array<() => void> = [];
	const clock = {
		now: () => 0,
		wait: async () => await new Promise<void>((resolve) => ends.push(resolve)),
	};
	let rings = 0;
	const alarm = new Alarm(clock, () => rings++);
	alarm.set(10);
	alarm.set(20);
	expect(alarm.atMs).toBe(20);
	ends[0]!();
	await setImmediate();
	expect([rings, alarm.atMs]).toEqual([0, 20]);
	ends[1]!();
	await setImmediate();
	expect([rings, alarm.atMs]).toEqual([1, Infinity]);
});

test('onAbort adds one listener to a signal, however many callbacks it has', () => {
	const stop = new AbortController();
	const called: string[] = [];
	const unfollow = onAbort(stop.signal, () => called.push('gone'));
	for (const name of ['first', 'second']) onAbort(stop.signal, () => called.push(name));
	unfollow();
	expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
	stop.abort();
	expect(called).toEqual(['first', 'second']);
});

import { setImmediate } from 'node:timers/promises';

import { Alarm } from '../client/Alarm';

test('an alarm that is set again rings once, even if a wait cannot be ended', async () => {
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

import { VirtualClock } from '../bench/limits/VirtualClock';
import { IdleTimeout } from '../client/IdleTimeout';
import { Watchdog } from '../client/Watchdog';

function begin(timeoutMs: number) {
	const clock = new VirtualClock(0);
	const timeout = new IdleTimeout(clock, new Watchdog(clock), timeoutMs, new AbortController().signal);
	const endedAtMs = new Promise<number>((resolve) => {
		timeout.signal.addEventListener('abort', () => resolve(clock.now()));
	});
	return { clock, timeout, endedAtMs };
}

test('time for which it is paused counts neither as idle nor towards the deadline', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	const reading = async () => {
		timeout.setDeadline(1500);
		timeout.pause();
		await clock.wait(5000);
		timeout.resume();
		await clock.wait(900);
		timeout.refresh();
		return await endedAtMs;
	};
	expect(await clock.run(reading())).toBe(6500);
	expect(timeout.expired).toBe('deadline');
});

test('a deadline is kept though the watchdog looks during a pause', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	const reading = async () => {
		timeout.setDeadline(1300);
		await clock.wait(900);
		timeout.pause();
		await clock.wait(200);
		timeout.resume();
		await clock.wait(200);
		timeout.refresh();
		return await endedAtMs;
	};
	expect(await clock.run(reading())).toBe(1500);
	expect(timeout.expired).toBe('deadline');
});

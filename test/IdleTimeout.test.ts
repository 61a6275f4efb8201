import { VirtualClock } from '../bench/limits/VirtualClock';
import { IdleTimeout } from '../client/IdleTimeout';

function begin(timeoutMs: number) {
	const clock = new VirtualClock(0);
	const timeout = new IdleTimeout(clock, timeoutMs, new AbortController().signal);
	const endedAtMs = new Promise<number>((resolve) => {
		timeout.signal.addEventListener('abort', () => resolve(clock.now()));
	});
	return { clock, timeout, endedAtMs };
}

test('paused time counts neither as idle nor towards the deadline', async () => {
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

test('a deadline is kept even if the timer ends during a pause', async () => {
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

test('a deadline that may be put off is put off, for as long as it may be', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	const reading = async () => {
		timeout.setDeadline(1500, () => clock.now() < 4000);
		for (let left = 10; left > 0; left--) {
			await clock.wait(500);
			timeout.refresh();
		}
		return await endedAtMs;
	};
	expect(await clock.run(reading())).toBe(4500);
	expect(timeout.expired).toBe('deadline');
});

test('a deadline that is earlier than the timer is kept', async () => {
	const { clock, timeout, endedAtMs } = begin(1000);
	timeout.setDeadline(300);
	expect(await clock.run(endedAtMs)).toBe(300);
	expect(timeout.expired).toBe('deadline');
});

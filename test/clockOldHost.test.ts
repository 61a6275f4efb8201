import { clock } from '../nodes/shared/http/clock';

// As on n8n before 2.41, where nothing ends a sleep early.
jest.mock('n8n-workflow', () => ({
	sleep: async (milliseconds: number) => {
		await new Promise((resolve) => {
			setTimeout(resolve, milliseconds);
		});
	},
}));

test('a wait takes as long as it should, although it is split into short sleeps', async () => {
	const startMs = clock.now();
	await clock.wait(700, new AbortController().signal);
	expect(clock.now() - startMs).toBeGreaterThanOrEqual(699);
	expect(clock.now() - startMs).toBeLessThan(5000);
});

test('an aborted wait ends soon, with the reason of the abort', async () => {
	const stop = new AbortController();
	const startMs = clock.now();
	const waiting = clock.wait(60_000, stop.signal);
	stop.abort(new Error('Stopped'));
	await expect(waiting).rejects.toThrow('Stopped');
	expect(clock.now() - startMs).toBeLessThan(5000);
});

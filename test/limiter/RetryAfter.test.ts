import { RetryAfter } from '../../client/limiter/RetryAfter';

test.each([
	{ toldMs: undefined, readMs: undefined },
	{ toldMs: 0, readMs: undefined },
	{ toldMs: 249, readMs: undefined },
	{ toldMs: 250, readMs: 250 },
	{ toldMs: 60_000, readMs: 60_000 },
])('of $toldMs ms the limiter takes $readMs', ({ toldMs, readMs }) => {
	expect(RetryAfter.read(toldMs)).toBe(readMs);
});

test('the header is trusted until it was broken more often than kept', () => {
	const header = new RetryAfter();
	const trusted = [header.isTrusted];
	const trustAfter = (change: 'wasKept' | 'wasBroken') => {
		header[change]();
		trusted.push(header.isTrusted);
	};
	for (const change of ['wasKept', 'wasBroken', 'wasBroken', 'wasKept', 'wasKept', 'wasBroken'] as const) {
		trustAfter(change);
	}
	expect(trusted).toEqual([true, true, true, false, true, true, true]);
});

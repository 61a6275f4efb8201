import fc from 'fast-check';

import { sortInTurns } from '../../nodes/shared/run/sortInTurns';

const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;

test('a long list is sorted as toSorted does, equal entries in their order', async () => {
	const numbers = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1500, maxLength: 5000 });
	await fc.assert(
		fc.asyncProperty(numbers, async (list) => {
			const entries = list.map((number, index) => ({ number, index }));
			expect(await sortInTurns(entries, byNumber, () => undefined)).toEqual(entries.toSorted(byNumber));
		}),
		{ numRuns: 20 },
	);
});

test('a list without entries, or with one, stays as it is', async () => {
	expect(await sortInTurns([], byNumber, () => undefined)).toEqual([]);
	expect(await sortInTurns([{ number: 1 }], byNumber, () => undefined)).toEqual([{ number: 1 }]);
});

test('other work gets a turn after at most some ten thousand comparisons, however long the list is', async () => {
	const entries = Array.from({ length: 100_000 }, (_, index) => ({ number: (index * 7919) % 100_003 }));
	let compared = 0;
	let most = 0;
	const pause = () => {
		most = Math.max(most, compared);
		compared = 0;
		return undefined;
	};
	const compare = (a: { number: number }, b: { number: number }) => {
		compared++;
		return byNumber(a, b);
	};
	await sortInTurns(entries, compare, pause);
	expect(most).toBeGreaterThan(0);
	expect(Math.max(most, compared)).toBeLessThan(20_000);
});

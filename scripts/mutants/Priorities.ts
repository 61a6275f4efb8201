import type { Selection } from './Coverage';

// Loading a test file, in seconds.
const LOADING_SECONDS = 0.3;

/** What the quick tests of a mutant may take together. */
const QUICK_MS = 25_000;

/** What the tests of one file may take at once, so that those of other files have their turn. */
const SLICE_MS = 2_000;

/** Puts tests that are quick, and that have killed mutants of the same file before, in front. */
export class Priorities {
	private readonly kills = new Map<string, number>();

	killed(file: string, testFile: string): void {
		const key = keyOf(file, testFile);
		this.kills.set(key, (this.kills.get(key) ?? 0) + 1);
	}

	order(file: string, selections: Selection[]): Selection[] {
		const worth = ({ testFile, milliseconds }: Selection) =>
			(1 + 2 * (this.kills.get(keyOf(file, testFile)) ?? 0)) / (LOADING_SECONDS + milliseconds / 1000);
		return selections.flatMap(slicesOf).toSorted((a, b) => worth(b) - worth(a));
	}
}

/** The first of the tests, as many as are quick together. */
export function quickOnes(selections: Selection[]): Selection[] {
	let total = 0;
	const end = selections.findIndex(({ milliseconds }) => (total += milliseconds) > QUICK_MS);
	return end < 0 ? selections : selections.slice(0, end);
}

/** Many tests of one file in several lots, each with some from its beginning to its end. */
function slicesOf({ testFile, only, milliseconds }: Selection): Selection[] {
	const count = Math.min(only.length, Math.ceil(milliseconds / SLICE_MS));
	if (count <= 1) return [{ testFile, only, milliseconds }];
	return Array.from({ length: count }, (_, slice) => ({
		testFile,
		only: only.filter((_name, index) => index % count === slice),
		milliseconds: milliseconds / count,
	}));
}

function keyOf(file: string, testFile: string): string {
	return `${file}\n${testFile}`;
}

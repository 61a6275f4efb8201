import { sleep } from 'n8n-workflow';

/** Long enough to cost nothing, and short enough for nobody to notice. */
const MAX_STRETCH_MS = 50;

/** Waits for a moment if the last wait is long ago. */
export type Pause = () => Promise<void> | undefined;

/**
 * Loops call this at each step. Now and then they wait for a moment, so that other executions can run, and this one can be
 * stopped.
 * @returns undefined if the step need not wait
 */
export function yieldRegularly(): Pause {
	let sinceMs = performance.now();
	let pausing: Promise<void> | undefined;
	const pause = async () => {
		await sleep(0);
		sinceMs = performance.now();
		pausing = undefined;
	};
	return () => {
		if (performance.now() - sinceMs < MAX_STRETCH_MS) return undefined;
		pausing ??= pause();
		return pausing;
	};
}

/** The same as `list.map`, with pauses. */
export async function mapWithPauses<From, To>(
	list: readonly From[],
	map: (entry: From, index: number) => To,
	pause: Pause,
): Promise<To[]> {
	const mapped: To[] = [];
	for (const [index, entry] of list.entries()) {
		mapped.push(map(entry, index));
		await pause();
	}
	return mapped;
}

/** How many entries are sorted at once, which takes some milliseconds. */
const SORTED_AT_ONCE = 4096;

/** The same as `list.toSorted`, with pauses: runs of the list are sorted, and then merged two by two. */
export async function sortWithPauses<Entry>(
	list: readonly Entry[],
	compare: (a: Entry, b: Entry) => number,
	pause: Pause,
): Promise<Entry[]> {
	let runs: Entry[][] = [];
	for (let start = 0; start < list.length; start += SORTED_AT_ONCE) {
		runs.push(list.slice(start, start + SORTED_AT_ONCE).sort(compare));
		await pause();
	}
	while (runs.length > 1) {
		const merged: Entry[][] = [];
		for (let index = 0; index < runs.length; index += 2) {
			merged.push(await merge(runs[index]!, runs[index + 1] ?? [], compare, pause));
		}
		runs = merged;
	}
	return runs[0] ?? [];
}

async function merge<Entry>(
	first: Entry[],
	second: Entry[],
	compare: (a: Entry, b: Entry) => number,
	pause: Pause,
): Promise<Entry[]> {
	const merged: Entry[] = [];
	let [a, b] = [0, 0];
	while (a < first.length && b < second.length) {
		merged.push(compare(first[a]!, second[b]!) <= 0 ? first[a++]! : second[b++]!);
		if (merged.length % SORTED_AT_ONCE === 0) await pause();
	}
	return merged.concat(first.slice(a), second.slice(b));
}

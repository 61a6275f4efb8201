import type { Pause } from './yieldRegularly';

/** So many entries are sorted without a pause, in about a millisecond. */
const MAX_SORTED_AT_ONCE = 1000;

/** Returns a sorted copy of a long list, like `toSorted`, and lets the event loop run now and then. */
export async function sortInTurns<Entry>(
	list: readonly Entry[],
	compare: (a: Entry, b: Entry) => number,
	pause: Pause,
): Promise<Entry[]> {
	let sorted: Entry[][] = [];
	for (let start = 0; start < list.length; start += MAX_SORTED_AT_ONCE) {
		await pause();
		sorted.push(list.slice(start, start + MAX_SORTED_AT_ONCE).sort(compare));
	}
	while (sorted.length > 1) {
		const longer: Entry[][] = [];
		for (let index = 0; index < sorted.length; index += 2) {
			longer.push(await merge(sorted[index]!, sorted[index + 1] ?? [], compare, pause));
		}
		sorted = longer;
	}
	return sorted[0] ?? [];
}

async function merge<Entry>(
	first: Entry[],
	second: Entry[],
	compare: (a: Entry, b: Entry) => number,
	pause: Pause,
): Promise<Entry[]> {
	const merged: Entry[] = [];
	let ofFirst = 0;
	let ofSecond = 0;
	while (ofFirst < first.length || ofSecond < second.length) {
		await pause();
		const isFirst =
			ofSecond === second.length ||
			(ofFirst < first.length && compare(first[ofFirst]!, second[ofSecond]!) <= 0);
		merged.push(isFirst ? first[ofFirst]! : second[ofSecond]!);
		if (isFirst) ofFirst++;
		else ofSecond++;
	}
	return merged;
}

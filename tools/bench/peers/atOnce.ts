/** Calls `answer` for every item, this many at once. Returns the number of items for which it resolves to true. */
export async function countAtOnce<Item>(
	items: Item[],
	concurrency: number,
	answer: (item: Item) => Promise<boolean>,
): Promise<number> {
	let next = 0;
	let answered = 0;
	const work = async () => {
		while (next < items.length) if (await answer(items[next++]!)) answered++;
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
	return answered;
}

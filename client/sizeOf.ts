/** The size of a value in characters, about as much as its JSON has. Long texts are not copied. */
export function sizeOf(value: unknown): number {
	// A list instead of recursion, because a response may be nested deeply.
	const left = [value];
	let size = 0;
	while (left.length > 0) {
		const one = left.pop();
		size += typeof one === 'string' ? one.length + 2 : 1;
		if (typeof one !== 'object' || one === null) continue;
		for (const [name, within] of Object.entries(one)) {
			if (!Array.isArray(one)) size += name.length;
			left.push(within);
		}
	}
	return size;
}

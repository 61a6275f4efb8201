const stopWords = new Set(
	(
		'a about after all also am an and any anything are as at be because been before being but by can could customer did do does ' +
		'doing done for from get gets getting give go got had has have having he her here him his how i if in into is it its just let ' +
		'like made make me message more most my need of off on once one only or other our out over own person please ' +
		'question said same say see she should so some something such tell text than that the their them then there these they ' +
		'thing this those to too under until up us use user using very via want was way we well were what when where whether ' +
		'which while who whom will with within without would writer yes yet you your'
	).split(' '),
);

/** Cuts the common English endings off a lower-case word: `charged`, `charges` and `charge` become one. */
export function stem(word: string): string {
	let root = word;
	if (root.length > 4 && root.endsWith('ies')) root = root.slice(0, -3) + 'y';
	else if (root.length > 3 && root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us'))
		root = root.slice(0, -1);
	if (root.length > 5 && root.endsWith('ing')) root = root.slice(0, -3);
	else if (root.length > 4 && root.endsWith('ed')) root = root.slice(0, -2);
	else if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
	if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
	if (root.length > 3 && root.endsWith('y')) root = root.slice(0, -1) + 'i';
	if (root.length > 3 && root.at(-1) === root.at(-2)) root = root.slice(0, -1);
	return root;
}

/**
 * The distinct stems of a text in order, without stop words; `n't` counts as `not`, an exclamation
 * mark as a word.
 */
export function stemsOf(text: string): Set<string> {
	const stems = new Set<string>();
	for (const [word] of text
		.toLowerCase()
		.replace(/n['’]t\b/g, ' not')
		.matchAll(/[\p{L}\p{N}]+|!/gu))
		if (!stopWords.has(word)) stems.add(stem(word));
	return stems;
}

/** All strings inside a JSON value (not the names of fields), one per line. */
export function textIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return value.map(textIn).join('\n');
	if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
	return '';
}

/** Tokens that the emulator counts for a text: one for every four characters begun. */
export function tokensIn(text: string): number {
	return Math.ceil(text.length / 4);
}

/** The first words of a text, with an ellipsis when there are more. */
export function excerpt(text: string, words: number): string {
	const all = text.trim().split(/\s+/);
	return all.length <= words ? all.join(' ') : all.slice(0, words).join(' ') + '…';
}

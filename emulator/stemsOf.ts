// The reading half of the stand-in for the service's model: see decideByWords.ts.

const STOP_WORDS = new Set(
	(
		'a about after all also am an and any anything are as at be because been before being but by can could customer did do does ' +
		'doing done for from get gets getting give go got had has have having he her here him his how i if in into is it its just let ' +
		'like made make me message more most my need of off on once one only or other our out over own person please ' +
		'question said same say see she should so some something such tell text than that the their them then there these they ' +
		'thing this those to too under until up us use user using very via want was way we well were what when where whether ' +
		'which while who whom will with within without would writer yes yet you your'
	).split(' '),
);

/**
 * The distinct stems of a text in order, without stop words; `n't` counts as `not`, an exclamation
 * mark as a word.
 */
export function stemsOf(text: string): Set<string> {
	const stems = new Set<string>();
	const words = text
		.toLowerCase()
		.replace(/n['’]t\b/g, ' not')
		.matchAll(/[\p{L}\p{N}]+|!/gu);
	for (const [word] of words) {
		if (!STOP_WORDS.has(word)) stems.add(stem(word));
	}
	return stems;
}

/** Cuts the common English endings off a lower-case word: `charged`, `charges` and `charge` become one. */
export function stem(word: string): string {
	let root = word;
	if (root.length > 4 && root.endsWith('ies')) root = root.slice(0, -3) + 'y';
	else if (root.length > 3 && root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us')) {
		root = root.slice(0, -1);
	}
	if (root.length > 5 && root.endsWith('ing')) root = root.slice(0, -3);
	else if (root.length > 4 && root.endsWith('ed')) root = root.slice(0, -2);
	else if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
	if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
	if (root.length > 3 && root.endsWith('y')) root = root.slice(0, -1) + 'i';
	if (root.length > 3 && root.at(-1) === root.at(-2)) root = root.slice(0, -1);
	return root;
}

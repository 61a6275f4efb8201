/** Words that say nothing anywhere. */
export const FUNCTION_WORDS = setOf(
	'a about after all also always am an and any anything are as at be because been before being but by can could did do does ' +
		'doing done either every everything for from had has have having he her here him his how i if in into is it its just like m ' +
		'me more most much must my no not of off on once one only or other our out over own please re really s she should so some ' +
		'somebody someone something such than that the their them then there these they this those to too two under until up us ve ' +
		'very via was we well were what when where whether which while who whom will with within without would yes you your',
);

/** Words that say nothing in questions and descriptions, but something in the name of an option, such as "Parts". */
const SAY_NOTHING = new Set([
	...FUNCTION_WORDS,
	...setOf(
		'ask asks customer describe get gets getting give go got handle kind know last let made make many matter mention message need ' +
			'new part people person question related said say see send sender take team tell thank thing use user want way writer',
	),
]);

/** Forms that no ending tells. */
const IRREGULAR = new Map(
	(
		'bought buy, broke break, broken break, children child, forgot forget, forgotten forget, lost lose, paid pay, sent send, ' +
		'sold sell, stole steal, stolen steal, swollen swell, teeth tooth'
	)
		.split(', ')
		.map((pair) => pair.split(' ') as [string, string]),
);

const ENDINGS = /(?:ments?|ings?|ed|ly|es|s|e|y)$/;

const NEGATION = /^(?:not|no|never)$/;

/** The words of a text, except the ignored ones, without their endings: `charged`, `charges` and `charging` become one. */
export function stemsOf(text: string, ignored: ReadonlySet<string> = SAY_NOTHING): Set<string> {
	const words = wordsOf(text).filter((word) => word.length > 1 && !ignored.has(word));
	return new Set(words.map(stem));
}

/** Those of its stems that come right after a negation. */
export function negatedStemsOf(text: string): Set<string> {
	const words = wordsOf(text);
	const negated = words.filter((_, at) => NEGATION.test(words[at - 1] ?? ''));
	return new Set(negated.map(stem));
}

/** Whether two stems are forms of one word, such as `deliver` and `delivery`; words with digits must be equal. */
export function areRelated(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	const surplus = long.length - short.length;
	if (surplus === 0 || !long.startsWith(short) || /\d/.test(long)) return one === other;
	return short.length >= 5 ? surplus <= 5 : short.length === 4 && surplus <= 2;
}

function wordsOf(text: string): string[] {
	const parts = text.toLowerCase().split(/\s+/);
	const plain = parts.filter((part) => !part.includes('@')).join(' ');
	return plain.replace(/n['’]t\b|cannot\b/g, ' not').match(/[\p{L}\p{N}]+/gu) ?? [];
}

function setOf(words: string): Set<string> {
	return new Set(words.split(' '));
}

function stem(word: string): string {
	const known = IRREGULAR.get(word);
	if (known !== undefined) return stem(known);
	if (/\d|ss$|us$/.test(word)) return word;
	let root = word;
	// `bookings` has two endings, `carried` and `carries` end like `carry`.
	for (let round = 0; round < 2; round++) {
		const shorter = root.replace(/ie[ds]$/, 'y').replace(ENDINGS, '');
		if (shorter.length < 3) break;
		root = shorter;
	}
	return root.length > 3 && root.at(-1) === root.at(-2) ? root.slice(0, -1) : root;
}

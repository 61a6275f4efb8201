/** Words of questions, options and messages that say nothing about the subject. */
const SAY_NOTHING = new Set(
	(
		'a about after all also always am an and any anything are as ask asks at be because been before being but by can could ' +
		'customer describe did do does doing done either every everything for from get gets getting give go got had handle has have ' +
		'having he her here him his how i if in into is it its just kind know last let like m made make many matter me mention ' +
		'message more most much must my need new no not of off on once one only or other our out over own part people person please ' +
		'question re really related s said say see send sender she should so some somebody someone something such take team tell than ' +
		'thank that the their them then there these they thing this those to too two under until up us use user ve very via want was ' +
		'way we well were what when where whether which while who whom will with within without would writer yes you your'
	).split(' '),
);

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

/** The words of a text that say something, without their endings: `charged`, `charges` and `charging` become one. */
export function stemsOf(text: string): Set<string> {
	return new Set(wordsOf(text).filter(saysSomething).map(stem));
}

/** Those of its stems that come right after a negation. */
export function negatedStemsOf(text: string): Set<string> {
	const words = wordsOf(text);
	const negated = words.filter((word, at) => saysSomething(word) && NEGATION.test(words[at - 1] ?? ''));
	return new Set(negated.map(stem));
}

/** Whether two stems are forms of one word, such as `deliver` and `delivery`, or `tooth` and `toothache`. */
export function areRelated(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	const surplus = long.length - short.length;
	return (
		long.startsWith(short) &&
		(surplus === 0 || (short.length >= 5 ? surplus <= 5 : short.length === 4 && surplus <= 2))
	);
}

function wordsOf(text: string): string[] {
	const plain = text
		.toLowerCase()
		.replace(/n['’]t\b|cannot\b/g, ' not')
		.replace(/\S+@\S+/g, ' ');
	return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function saysSomething(word: string): boolean {
	return word.length > 1 && !SAY_NOTHING.has(word);
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

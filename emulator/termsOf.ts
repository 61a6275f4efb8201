// Words that would become another word without their ending: a parking space is not a park.
const KEPT_WHOLE = new Set(
	'parking planning housing training meeting evening morning rating marketing letting lettings listing accounting accounts'.split(
		' ',
	),
);

const NEGATIONS = new Set(['not', 'never']);

const LONGEST_PHRASE = 4;

const ADDRESS = /\S+@\S+/g;

/** The stems of a text's words in order; `n't` counts as `not`, a question or exclamation mark as a word. */
export function stemsOf(text: string): string[] {
	const words = text
		.toLowerCase()
		.replace(ADDRESS, ' ')
		.replace(/n['’]t\b/g, ' not')
		.replace(/\bcannot\b/g, 'can not')
		.matchAll(/[\p{L}\p{N}]+|[!?]/gu);
	return Array.from(words, ([word]) => stem(word));
}

/**
 * The distinct stems of a text, and those of the known phrases in it. A phrase that negates its words (`not urgent`)
 * replaces them; so does every phrase when `phrasesOnly` asks for the longest match.
 */
export function termsOf(
	stems: readonly string[],
	phrases: ReadonlySet<string>,
	phrasesOnly = false,
): Set<string> {
	const terms = new Set<string>();
	const replaced = new Set<number>();
	for (let length = LONGEST_PHRASE; length > 1; length--) {
		for (let at = 0; at + length <= stems.length; at++) {
			if (phrasesOnly && replaced.has(at)) continue;
			const phrase = stems.slice(at, at + length).join(' ');
			if (!phrases.has(phrase)) continue;
			terms.add(phrase);
			if (!phrasesOnly && !NEGATIONS.has(stems[at] ?? '')) continue;
			for (let word = at; word < at + length; word++) replaced.add(word);
		}
	}
	for (const [at, word] of stems.entries()) if (!replaced.has(at)) terms.add(word);
	return terms;
}

/** Cuts the common English endings off a lower-case word: `charged`, `charges` and `charge` become one. */
export function stem(word: string): string {
	if (KEPT_WHOLE.has(word) || /\d$/.test(word)) return word;
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

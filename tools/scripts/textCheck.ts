/**
 * These are the words that may be in lower case within a title, as in the package `title-case`, which n8n's ESLint plugin uses.
 */
const SMALL_WORD =
	/^(?:an?|and|as|at|because|but|by|en|for|i[fn]|neither|nor|o[fnr]|only|over|per|so|some|tha[nt]|the|to|up|upon|versus|via|when|with|without|yet)$/i;

/** Rules of "UX guidelines" and "Node UI design" on docs.n8n.io/connect/create-nodes, each with the fields that it applies to. */
const RULES: Array<[rule: string, fields: RegExp, isKept: (text: string) => boolean]> = [
	['no surplus white space', /./, (text) => text === text.trim() && !/\s{2}|[\n\t]/.test(text)],
	['Title Case', /^displayName$/, isTitleCase],
	['a capital or a digit first', /^(?:description|hint|action)$/, (text) => /^\W*[\p{Lu}\d]/u.test(text)],
	[
		'period after each of several sentences, none after a single one',
		/^(?:description|hint|action)$/,
		(text) => text.endsWith('.') === /[.!?] /.test(text.replaceAll('e.g.', '')),
	],
	['a placeholder begins with "e.g. " or "Add "', /^placeholder$/, (text) => /^(?:e\.g\.|Add) \S/.test(text)],
	[
		'an action has a verb and an object, no articles',
		/^action$/,
		(text) => /^(?!.*\b(?:an?|the)\b).* /i.test(text),
	],
];

const TEXT_FIELDS = /^(?:displayName|description|hint|action|placeholder)$/;

/**
 * Checks these rules for a description as n8n has loaded it. eslint-plugin-n8n-nodes-base checks them too, but only for literals,
 * and not for texts from a constant, a template or a function.
 */
export function textFindings(described: unknown): string[] {
	if (typeof described !== 'object' || described === null) return [];
	// n8n adds this parameter with its own texts to every node that polls.
	if ('name' in described && described.name === 'pollTimes') return [];
	return Object.entries(described).flatMap(([field, value]) => {
		if (typeof value !== 'string') return textFindings(value);
		if (!TEXT_FIELDS.test(field) || ('type' in described && described.type === 'notice')) return [];
		return RULES.filter(([, fields, isKept]) => fields.test(field) && !isKept(value)).map(
			([rule]) => `${field}: ${rule}: ${JSON.stringify(value)}`,
		);
	});
}

function isTitleCase(text: string): boolean {
	const words = text.replace(/\b[A-Za-z-]*\d[\w-]*\b/g, '').split(/[\s/-]+/);
	return words.every((word, index) => {
		const mayBeSmall = index > 0 && index < words.length - 1 && SMALL_WORD.test(word);
		return mayBeSmall === /^[^\p{L}\d]*\p{Ll}/u.test(word);
	});
}

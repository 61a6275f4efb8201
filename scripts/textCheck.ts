import type { Outcome } from './Checklist';

/** n8n puts this parameter into every node that polls, with texts of its own. */
const POLL_TIMES = 'pollTimes';

const CHILD_LISTS = ['credentials', 'properties', 'options', 'values', 'modes'] as const;

/** The fields that nodes, credentials, parameters, sections of collections, options and modes have in common. */
type Described = Partial<
	Record<'name' | 'displayName' | 'description' | 'hint' | 'action' | 'placeholder' | 'type', string>
> & {
	value?: unknown;
	hints?: Array<{ message: string }>;
} & Partial<Record<(typeof CHILD_LISTS)[number], Described[]>>;

interface Text {
	at: string;
	kind: 'label' | 'help' | 'action' | 'example' | 'button';
	text: string;
}

/** Words that may be small inside a title, as in the package title-case, which n8n's plugin uses. */
const SMALL_WORD =
	/^(?:an?|and|as|at|because|but|by|en|for|i[fn]|neither|nor|o[fnr]|only|over|per|so|some|tha[nt]|the|to|up|upon|versus|via|when|with|without|yet)$/i;

/** What keeps its capitals in a sentence: these names, names with a digit, and labels in quotation marks. */
const PROPER_NAME =
	/\b(?:Chat Trigger|JSON Schema|Trace Context|[A-Za-z-]*\d[\w-]*)\b|<[^<>]*>|(?<!\w)'[^']+'(?!\w)/g;

/**
 * Each says whether text breaks it. They are from docs.n8n.io/connect/create-nodes, "UX guidelines" and "Node UI
 * design". eslint-plugin-n8n-nodes-base checks them too, but only for literals: for no text from a constant, a template
 * or a function.
 */
const RULES: Record<string, (text: Text) => boolean> = {
	'no surplus white space': ({ text }) => text !== text.trim() || /\s{2}|[\n\t]/.test(text),
	'Title Case': ({ kind, text }) => kind === 'label' && !isTitleCase(text),
	'sentence case': ({ kind, text }) => isSentence(kind) && !isSentenceCase(text),
	'period after each of several sentences, none after a single one': ({ kind, text }) =>
		isSentence(kind) && text.endsWith('.') !== /[.!?] /.test(text.replaceAll('e.g.', '')),
	'placeholder with "e.g. "': ({ kind, text }) => kind === 'example' && !/^e\.g\. \S/.test(text),
	'button with "Add "': ({ kind, text }) => kind === 'button' && !/^Add \S/.test(text),
	'action of verb and object, no articles': ({ kind, text }) =>
		kind === 'action' && (!text.includes(' ') || /\b(?:an?|the)\b/i.test(text)),
};

/** Checks descriptions as n8n has loaded them. */
export function checkTexts(
	loaded: Record<'nodes' | 'credentials', Array<{ description: unknown }>>,
): Outcome {
	const texts = [...loaded.nodes, ...loaded.credentials].flatMap(({ description }) =>
		textsOf(description as Described, (description as Described).name ?? ''),
	);
	const findings = texts.flatMap((text) =>
		Object.entries(RULES)
			.filter(([, isBrokenBy]) => isBrokenBy(text))
			.map(([rule]) => `${text.at}: ${rule}: ${JSON.stringify(text.text)}`),
	);
	// A parameter that looks different in a tool is reported once for both forms.
	return { findings: [...new Set(findings)], note: `${texts.length} texts` };
}

function textsOf(of: Described, at: string): Text[] {
	const isCollection = of.type === 'collection' || of.type === 'fixedCollection';
	const isChosen = 'value' in of;
	const own: Array<[kind: Text['kind'], text: string | undefined]> = [
		[of.type === 'notice' ? 'help' : 'label', of.displayName],
		['label', isChosen ? of.name : undefined],
		['help', of.description],
		['help', of.hint],
		['action', of.action],
		[isCollection ? 'button' : 'example', of.placeholder],
		...(of.hints ?? []).map(({ message }): [Text['kind'], string] => ['help', message]),
	];
	return [
		...own.flatMap(([kind, text]) => (text === undefined ? [] : [{ at: `${at} (${kind})`, kind, text }])),
		...CHILD_LISTS.flatMap((list) => of[list] ?? [])
			.filter(({ name }) => name !== POLL_TIMES)
			.flatMap((child) => textsOf(child, `${at}.${String(child.value ?? child.name)}`)),
	];
}

function isSentence(kind: Text['kind']): boolean {
	return kind === 'help' || kind === 'action';
}

function isTitleCase(text: string): boolean {
	const words = text.replace(PROPER_NAME, '').split(/[\s/-]+/);
	return words.every((word, index) => {
		const mayBeSmall = index > 0 && index < words.length - 1 && SMALL_WORD.test(word);
		return mayBeSmall === /^[^\p{L}\d]*\p{Ll}/u.test(word);
	});
}

function isSentenceCase(text: string): boolean {
	const words = text.replace(PROPER_NAME, '0');
	return /^(?:\W*(?:\p{Lu}|\d)|$)/u.test(words) && !/[^.!?\s] \(?\p{Lu}\p{Ll}/u.test(words);
}

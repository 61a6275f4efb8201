import type { Outcome } from './Checklist';

/** n8n puts this parameter into every node that polls, with texts of its own. */
const POLL_TIMES = 'pollTimes';

const CHILD_LISTS = ['credentials', 'properties', 'options', 'values', 'modes'] as const;

/** The fields that nodes, credentials, parameters, sections of collections, options and modes have in common. */
interface Described extends Partial<
	Record<'name' | 'displayName' | 'description' | 'hint' | 'action' | 'placeholder', string>
> {
	type?: unknown;
	value?: unknown;
	defaults?: { name?: string };
	typeOptions?: {
		multipleValueButtonText?: string;
		addOptionalFieldButtonText?: string;
		slowLoadNotice?: { message: string };
	};
	hints?: Array<{ message: string }>;
	test?: { rules?: Array<{ properties: { message?: string } }> };
	credentials?: Described[];
	properties?: Described[];
	options?: Described[];
	values?: Described[];
	modes?: Described[];
}

interface Text {
	path: string;
	field: string;
	kind: 'label' | 'help' | 'action' | 'example' | 'button' | 'error';
	text: string;
	/** What the text belongs to, and the list that contains it. */
	of: Described;
	list: (typeof CHILD_LISTS)[number] | 'nodes';
}

/** n8n prescribes these words for every node: "UX guidelines", Simplify; the plugin's constants. */
const standardTexts: Record<string, Record<string, string>> = {
	simplify: {
		displayName: 'Simplify',
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	returnAll: {
		displayName: 'Return All',
		description: 'Whether to return all results or only up to a given limit',
	},
	limit: { displayName: 'Limit', description: 'Max number of results to return' },
	getAll: { name: 'Get Many' },
};

// The same words as in the package title-case, which the plugin uses.
const SMALL_WORD =
	/^(?:an?|and|as|at|because|but|by|en|for|i[fn]|neither|nor|o[fnr]|only|over|per|so|some|tha[nt]|the|to|up|upon|versus|via|when|with|without|yet)$/i;

// These keep their capitals in a sentence, as names with a digit do. In sentences, labels are in quotation marks.
const PROPER_NAME = /\b(?:Chat Trigger|JSON Schema|Trace Context|[A-Za-z-]*\d[\w-]*)\b/g;

/**
 * Each says whether text breaks it. They are from docs.n8n.io/connect/create-nodes, the pages "UX guidelines"
 * (build-your-node/reference/ux-guidelines), "Node UI elements" (next to it) and "Node UI design"
 * (plan-your-node/node-ui-design), and from eslint-plugin-n8n-nodes-base ("plugin"), which sees literals only: no
 * text from a constant, a template or a function.
 */
const rules: Record<string, (text: Text) => boolean> = {
	// Plugin: *-untrimmed, *-excess-inner-whitespace.
	'no surplus white space': ({ text }) => text !== text.trim() || /\s{2}|[\n\t]/.test(text),
	// "UX guidelines", Text Case.
	'Title Case': ({ kind, text }) => kind === 'label' && !isTitleCase(text),
	'sentence case': ({ kind, text }) => (kind === 'help' || kind === 'action') && !isSentenceCase(text),
	// "Node UI design", UI text style.
	'period after each of several sentences, none after a single one': ({ kind, text }) => {
		const isSingle = !/[.!?] /.test(text.replaceAll('e.g.', ''));
		return (kind === 'help' || kind === 'action') && text !== '' && text.endsWith('.') === isSingle;
	},
	// "UX guidelines", Boolean description.
	'boolean described with "Whether"': ({ field, text, of }) =>
		field === 'description' && of.type === 'boolean' && !/^Whether\b/.test(text),
	// "UX guidelines", Placeholders.
	'placeholder with "e.g. "': ({ kind, text }) => kind === 'example' && !/^e\.g\. \S/.test(text),
	// "Node UI elements", Collection, Fixed collection.
	'button with "Add "': ({ kind, text }) => kind === 'button' && !/^Add \S/.test(text),
	// "UX guidelines", Naming action.
	'action of verb and object, no articles': ({ kind, text }) =>
		kind === 'action' && (!text.includes(' ') || /\b(?:an?|the)\b/i.test(text)),
	// "UX guidelines", Vocabulary.
	'Get described with "Retrieve", Get Many with "Retrieve" or "List"': ({ kind, text, of }) =>
		kind === 'help' &&
		of.action !== undefined &&
		/^Get\b/.test(`${of.name}`) &&
		!(of.value === 'getAll' ? /^(?:Retrieve|List)\b/ : /^Retrieve\b/).test(text),
	// "UX guidelines", Vocabulary.
	'no operation "List" or "Get All": it is Get Many': ({ kind, text, of }) =>
		kind === 'label' && of.action !== undefined && /^(?:List|Get All)\b/.test(text),
	// "UX guidelines", Naming description; plugin: *-identical-to-display-name, *-identical-to-name.
	'description says more than the label': ({ field, text, of }) =>
		field === 'description' &&
		[of.displayName, of.name, of.action].some((label) => label && bare(label) === bare(text)),
	'standard text': ({ field, text, of }) =>
		text !== (standardTexts[`${of.value ?? of.name}`]?.[field] ?? text),
	// "Node UI elements", the picture at Resource locator.
	'mode "From List", "By ID", "By …"': ({ kind, text, of, list }) =>
		kind === 'label' && list === 'modes' && !(of.type === 'list' ? /^From List$/ : /^By \S/).test(text),
	// "Node UI design", Node naming conventions, Lists.
	'no "Node" in the name of a node, no "*" for "All"': ({ kind, text, list }) =>
		kind === 'label' && (text.includes('*') || (list === 'nodes' && /\bnode\b/i.test(text))),
	// Plugin: *-miscased-id, *-miscased-json, *-miscased-url. Parts of an address are none of these words.
	'ID, JSON, URL in capitals': ({ kind, text }) =>
		kind !== 'example' &&
		(withoutNames(text).match(/(?<![\w.:/-])(?:api|https?|id|json|ur[il])s?(?![\w-]|[.:/]\S)/gi) ?? []).some(
			(word) => !/^[A-Z]+s?$/.test(word),
		),
	// "UX guidelines", Referring to parameter and field name.
	'names of fields in single quotation marks': ({ kind, text }) =>
		(kind === 'help' || kind === 'error') &&
		/["`“”]|(?<!\/)\b[a-z]+_[a-z]/.test(withoutJson(withoutNames(text))),
	// "UX guidelines", Terminology; "Node UI design", Source keys or binary properties.
	'"field" for "key", no "binary data", no "binary property"': ({ kind, text }) =>
		kind !== 'example' && /(?<!\bAPI )\bkeys?\b|\bbinary (?:data|propert)/i.test(text),
	// "UX guidelines", Errors.
	'no "error", "problem", "failure", "mistake" in what an error says': ({ kind, text }) =>
		kind === 'error' && /\b(?:error|problem|failure|mistake)/i.test(text),
	// Plugin: *-unencoded-angle-brackets, for help is shown as HTML; "Node UI design", UI text style, for links.
	'known tags only, links in a new tab': ({ kind, text }) =>
		kind === 'help' && /<(?!\/?(?:b|br|code|em|i)>|\/a>|a [^>]*target="_blank")/.test(text),
};

/** Checks descriptions as n8n has loaded them. */
export function checkTexts(
	loaded: Record<'nodes' | 'credentials', Array<{ description: Described }>>,
): Outcome {
	const texts = (['nodes', 'credentials'] as const).flatMap((list) =>
		loaded[list].flatMap(({ description }) => textsOf(description, `${description.name}`, list)),
	);
	const findings = texts.flatMap((text) =>
		Object.entries(rules)
			.filter(([, isBrokenBy]) => isBrokenBy(text))
			.map(([rule]) => `${text.path}.${text.field}: ${rule}: ${JSON.stringify(text.text)}`),
	);
	// A parameter that looks different in a tool is reported once for both forms.
	return { findings: [...new Set(findings)], note: `${texts.length} texts` };
}

function textsOf(of: Described, path: string, list: Text['list']): Text[] {
	// If a guideline requires a description, a missing one counts as empty.
	const needsHelp = of.type === 'boolean' || standardTexts[`${of.name}`] !== undefined;
	const isCollection = of.type === 'collection' || of.type === 'fixedCollection';
	const own: Array<[field: string, kind: Text['kind'], text: string | undefined]> = [
		['displayName', of.type === 'notice' ? 'help' : 'label', of.displayName],
		['name', 'label', 'value' in of ? of.name : undefined],
		['defaults.name', 'label', of.defaults?.name],
		['description', 'help', of.description ?? (needsHelp ? '' : undefined)],
		['hint', 'help', of.hint],
		['action', 'action', of.action],
		['placeholder', isCollection ? 'button' : 'example', of.placeholder],
		['multipleValueButtonText', 'button', of.typeOptions?.multipleValueButtonText],
		['addOptionalFieldButtonText', 'button', of.typeOptions?.addOptionalFieldButtonText],
		['slowLoadNotice', 'help', of.typeOptions?.slowLoadNotice?.message],
	];
	of.hints?.forEach(({ message }, index) => own.push([`hints[${index}]`, 'help', message]));
	of.test?.rules?.forEach(({ properties }, index) =>
		own.push([`test.rules[${index}]`, 'error', properties.message]),
	);
	return [
		...own.flatMap(([field, kind, text]) =>
			text === undefined ? [] : [{ path, field, kind, text, of, list }],
		),
		...CHILD_LISTS.flatMap((children) =>
			(of[children] ?? [])
				.filter(({ name }) => name !== POLL_TIMES)
				.flatMap((child) => textsOf(child, `${path}.${child.value ?? child.name}`, children)),
		),
	];
}

function isTitleCase(text: string): boolean {
	const words = text.replace(PROPER_NAME, '').split(/[\s/-]+/);
	return words.every((word, index) => {
		const mayBeSmall = index > 0 && index < words.length - 1 && SMALL_WORD.test(word);
		return mayBeSmall === /^[^\p{L}\d]*\p{Ll}/u.test(word);
	});
}

function isSentenceCase(text: string): boolean {
	const words = withoutNames(text).replace(PROPER_NAME, '0');
	return /^(?:\W*(?:\p{Lu}|\d)|$)/u.test(words) && !/[^.!?\s] \(?\p{Lu}\p{Ll}/u.test(words);
}

/** The text without tags, and with a digit for each name in single quotation marks (which an apostrophe is not). */
function withoutNames(text: string): string {
	return text.replace(/<[^<>]*>/g, '').replace(/(?<!\w)'[^']+'(?!\w)/g, '0');
}

/** The text without an example in braces or brackets, where names are in double quotation marks. */
function withoutJson(text: string): string {
	return text.replace(/\[?\{.*\}\]?/s, '0');
}

function bare(text: string): string {
	return text.toLowerCase().replace(/^(?:an?|the) |[.!?]$/g, '');
}

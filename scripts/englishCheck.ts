import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Outcome } from './Checklist';
import { sourceComments } from './sourceComments';
import { sourceStrings } from './sourceStrings';

/**
 * Phrases that are grammatical, but that a native writer would not use in a manual, with what to write instead. Found by
 * review; each is common where English is not the writer's first language.
 */
const STILTED: Array<[phrase: RegExp, instead: string]> = [
	[
		/\b(?:is|are) to (?!the\b|a\b|an\b|this\b|that\b)(?:be )?\w+(?!['’])/,
		'"should", "must" or the imperative',
	],
	[/\b(?:leaves?|leaving) by\b/, '"goes to the … output"'],
	[/\b(?:makes?|made) \S+(?: \S+){0,3} (?:out )?of (?:a|an|the|it|them)\b/, '"creates … from"'],
	[/\b(?:goes|go|going|went) on(?! and off)\b/, '"continues", "keeps happening"'],
	[/\bcomes? to (?:lie|stand|be)\b/, '"falls", "becomes"'],
	[/\bstands? in\b/, '"is in", "is listed in"'],
	[/\bwhat a \w+ lacks\b/i, '"features missing from …"'],
	[/\bfrom here on\b/, '"at or above this"'],
	[/\bthe last so many\b/, '"this many of the latest"'],
	[/\bthat there are no longer\b/, '"that no longer exist"'],
	[/\bbefore any \w+ is there\b/, '"before any … arrives"'],
	[/\bof it the\b/, '"only its …"'],
	[/\bwhich there are\b/, '"the available …"'],
	[/\blikeliest\b/, '"most likely"'],
	[/\bread anew|run anew|renewed anew|\banew\b/, '"again"'],
	[/\bsays what is (?:still )?to\b/, '"says what to"'],
	[
		/\bthe instance's network rules before it is connected to, not while\b/,
		'"only before connecting, not during"',
	],
	[/\bdoes not go with\b/, '"cannot be combined with"'],
	[/\bfor a passing reason\b/, '"for a temporary reason"'],
	[/\b(?:have|has) one made\b/, '"the node makes one"'],
	[/\bput together (?:with|in the shape)\b/, '"built from", "assembled into"'],
	[/\ball its waits together\b/, '"in total"'],
	[/\bon a clash\b/i, '"if both have a field of the same name"'],
	[/\bas ever\b/, '"as before"'],
	[/\bbeside (?:it|them)\b/, '"next to"'],
	[/(?:\d|^) %(?!\w)/, '"78%", without a space'],
	[/\bwires?\b/i, '"connection", n8n\'s word'],
	[/\b(?:is|are) held by\b/, '"is covered by"'],
	[/\bfor ever\b/, '"never changes"'],
	[/\btells? of\b/, '"reports"'],
	[/\bmend(?:s|ed)?\b/, '"fix"'],
	[/\bdemand(?:s|ed)?\b/, '"require"'],
	[/\bpiece by piece\b/, '"in chunks"'],
	[/\bbelongs? into\b/, '"belongs in"'],
	[/\bput (?:\S+ ){1,6}in its place\b/, '"replace it with"'],
	[/\bfor a try\b/, '"to try it"'],
	[/\b[Aa]n own\b/, '"your own", "its own"'],
	[/\bstands? (?:first|beside|there)\b/, '"comes first", "is"'],
	[/\btakes? notice of\b/, '"notices"'],
	[/\btaken? at its word\b/, '"trusted"'],
	[/\bmixes up\b/, '"is mixing up"'],
	[/\bto and fro\b/, '"back and forth"'],
	[/\bsame way as the rest\b/, '"like the rest"'],
	[/\bhonou?r(?:s|ed)?\b/, '"respect"'],
	[/\btime-outs?\b/, '"timeout"'],
	[/\b(?:an?|the) \w+ of (?:its|their|your|our) own\b/, '"its own …", "your own …"'],
	[/(?<!-)\bbeside (?!what)/, '"next to", "besides", "compared with"'],
	[/\bmixed up\b/, '"confused"'],
	[
		/(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|different|better|worse|faster|slower)\w/i,
		'"is not a …", "has no …"',
	],
	[/\bportions?\b/, '"batch"'],
	[
		/\bfrom (?:which|what|this) \w+ on\b|\bfrom (?:version |n8n )?[\d.]+ (?:or so )?on\b/i,
		'"at or above", "… and later"',
	],
	[/\bhand(?:s|ed|ing)? (?:\w+ )?(?:back|over|out)\b/, '"return", "pass", "output"'],
	[/\breplac(?:e|es|ed|ing) (?:\S+ ){1,4}by\b/i, '"replace … with"'],
	[/\bputs? out\b/, '"output", "return"'],
	[/\bbut for\b|\b(?:[Ee]very|[Aa]ll|[Aa]ny) \w+ but\b/, '"except"'],
	[/\bsome (?:\d|two|three|four|five|ten|twenty|hundred|thousand)/, '"about"'],
	[
		/\b(?:fails?|told|starts|ends|passes it on) at once\b/,
		'"immediately": "at once" means at the same time here',
	],
	[/\bso (?:many|often)\b(?! (?:that|as)\b)/, '"this many", "this often"'],
	[/\b(?:T|t)he most (?:\w+ ){1,2}(?:to|that)\b|\bMost (?:tokens|requests|items)\b/, '"maximum number of"'],
	[/\bwhat (?:is|was) (?:not )?(?:clear|uncertain)\b/i, '"unclear answers", "uncertain items"'],
	[/\bkeeps? (?:its|their) shape\b/, '"always has the same columns"'],
	[/\btells whether\b/i, '"says whether", "shows whether"'],
	[/\b(?:answers?|label|one|both) (?:is|are|was|were) right\b/i, '"correct"'],
	[/\bsure of (?:itself|themselves)\b/, '"overconfident"'],
	[/\b(?:row is|rows are) few\b/, '"only … rows"'],
	[/\b(?:servers?|clients?|programs?|packages?) of others\b/i, '"third-party …"'],
	[/\b(?:undefined|null|none|nothing|empty|Infinity) where\b/i, '"if"'],
];

/** Only for texts that users see, because in a comment, "a text" is a string. */
const STILTED_ON_SCREEN: typeof STILTED = [
	[/\b[Aa] text\b(?! (?:file|field|box|model|block|parameter))/, '"text", without an article'],
];

const PAGES = ['*.md', 'docs/*.md', 'bench/RESULTS.md', 'client/limiter/README.md', 'templates/*.json'];

/** Texts that others wrote. */
const EXCLUDED = ['THIRD_PARTY_NOTICES.md', '**/node_modules/**', 'scripts/englishCheck.ts'];

/** Where texts that people see are made: labels, help, errors and hints. */
const SOURCES = [
	'{nodes,client,bench,emulator,strangers}/**/*.ts',
	'{credentials,demo,e2e,engine,scripts}/*.ts',
];

/** Where comments are read by whoever changes the code. */
const COMMENTED = [
	'{bench,client,credentials,demo,e2e,emulator,engine,nodes,scripts,strangers,test}/**/*.ts',
];

/** Checks what people read: the pages, the templates, the texts in the sources, and the comments. */
export function checkEnglish(projectRoot: string): Outcome {
	const filesOf = (patterns: string[]): string[] =>
		globSync(patterns, { cwd: projectRoot, exclude: EXCLUDED }).sort();
	const pages = filesOf(PAGES).flatMap((file) =>
		readFileSync(path.join(projectRoot, file), 'utf8')
			.split('\n')
			.map((text, index) => ({ file, line: index + 1, text })),
	);
	const sources = filesOf(SOURCES).flatMap((file) =>
		sourceStrings(path.join(projectRoot, file)).map(({ line, text }) => ({ file, line, text })),
	);
	const comments = filesOf(COMMENTED).flatMap((file) =>
		sourceComments(path.join(projectRoot, file)).map(({ line, text }) => ({ file, line, text })),
	);
	const shown = [...pages, ...sources];
	const find = (texts: typeof shown, phrases: typeof STILTED): string[] =>
		texts.flatMap(({ file, line, text }) =>
			stiltedPhrases(text, phrases).map(
				({ words, instead }) => `${file}:${line}: "${words}": write ${instead}`,
			),
		);
	return {
		findings: [...find(shown, [...STILTED, ...STILTED_ON_SCREEN]), ...find(comments, STILTED)],
		note: `${shown.length + comments.length} lines and texts`,
	};
}

/** The stilted phrases in a text, with what to write instead. */
export function stiltedPhrases(
	text: string,
	phrases = [...STILTED, ...STILTED_ON_SCREEN],
): Array<{ words: string; instead: string }> {
	return phrases.flatMap(([phrase, instead]) => {
		const [words] = phrase.exec(text) ?? [];
		return words === undefined ? [] : [{ words, instead }];
	});
}

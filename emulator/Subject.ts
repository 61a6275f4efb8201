import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'yaml';

import { stemsOf, termsOf } from './termsOf';

interface Entry {
	names: string;
	words: string;
	otherwise?: number;
	opposite?: string;
	rest?: number;
}

/** Something that an option or a question may be about. Terms are stems, or stems of a phrase with spaces between. */
export interface Subject {
	names: ReadonlySet<string>;
	/** How strongly each term, names included, indicates the subject: the fewer subjects share the term, the more. */
	weights: ReadonlyMap<string, number>;
	/** The weight if no word speaks for any option. */
	otherwise: number;
	/** The subject whose words speak against this one. */
	opposite?: Subject;
	/** The place on a scale, from 0 to 1, of text without a word of this subject or its opposite. */
	rest: number;
}

const termsIn = (list: string): string[] => list.split(',').map((term) => stemsOf(term).join(' '));

const ENTRIES = parse(readFileSync(resolve(__dirname, 'everydayWords.yaml'), 'utf8')) as Entry[];

const TERMS = ENTRIES.map(({ names, words }) => [...new Set(termsIn(`${names}, ${words}`))]);

const NAMES = new Set(ENTRIES.flatMap(({ names }) => termsIn(names)));

/** All terms that the emulator knows. */
export const KNOWN_TERMS: ReadonlySet<string> = new Set(TERMS.flat());

/** A subject with fewer words than this is narrow, so its words count more. */
const USUAL_SIZE = 40;

const sharedBy = new Map<string, number>();
for (const term of TERMS.flat()) sharedBy.set(term, (sharedBy.get(term) ?? 0) + 1);

const SUBJECTS = ENTRIES.map(({ names, otherwise = 0, rest = 0 }, index): Subject => {
	const terms = TERMS[index] ?? [];
	const weightOf = (term: string): number =>
		(sharedBy.get(term) ?? 1) ** -0.2 * (USUAL_SIZE / terms.length) ** 0.15;
	return {
		names: new Set(termsIn(names)),
		weights: new Map(terms.map((term) => [term, weightOf(term)])),
		otherwise,
		rest,
	};
});

for (const [index, { opposite }] of ENTRIES.entries()) {
	const subject = SUBJECTS[index];
	if (subject !== undefined && opposite !== undefined) [subject.opposite] = subjectsNamed(opposite);
}

/** The subjects that a text names, in the order in which it names them. */
export function subjectsNamed(text: string): Subject[] {
	// The word "it" seldom means the department.
	const words = stemsOf(text.trim() === 'it' ? text : text.replace(/\bit\b/g, ' '));
	const named = [...termsOf(words, NAMES, true)];
	const stems = words.join(' ');
	const at = (subject: Subject): number =>
		Math.min(...named.filter((term) => subject.names.has(term)).map((term) => stems.indexOf(term)));
	return SUBJECTS.map((subject) => ({ subject, at: at(subject) }))
		.filter((found) => found.at < Infinity)
		.sort((one, other) => one.at - other.at)
		.map(({ subject }) => subject);
}

/** A name of the subject that a text mentions most often; the text itself if it mentions none. */
export function mostNamedIn(text: string): string {
	const stems = ` ${stemsOf(text).join('  ')} `;
	const count = ({ names }: Subject): number =>
		[...names].reduce((sum, name) => sum + stems.split(` ${name.replaceAll(' ', '  ')} `).length - 1, 0);
	const counts = SUBJECTS.map(count);
	const most = Math.max(...counts);
	const [name] = most > 0 ? (SUBJECTS[counts.indexOf(most)]?.names ?? []) : [];
	return name ?? text;
}

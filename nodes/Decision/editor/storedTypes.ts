/** Describes what the editor must know of a type of question before a run. */
export interface StoredType {
	value: string;
	/** Holds the path of the type's entries in a question: the collection, the list within it, and the text of an entry. */
	entries?: readonly [collection: string, list: string, text: string];
	/** Repeats the run-time rule: that of `checkOptions` in `optionFields.ts` for options, and of `MIN_LEVELS` and `MAX_LEVELS`. */
	isEnough(entries: string[]): boolean;
	/** Holds the finding of `hints.ts` about entries that are too few or too many, or have no text. */
	finding: 'options' | 'tags' | 'levels';
	/**
	 * Returns the labels of the question's outputs, without "Uncertain". They repeat `Question.outputs` of the files in
	 * `questions/types`, such as `NONE` in `tags.ts`, because the editor cannot see those. `storedTypes.test.ts` compares both.
	 */
	outputsOf(entries: string[]): string[];
	/** Says whether answers of the type are probabilities of a yes, with the thresholds for those. */
	isByProbability: boolean;
	/** Describes the question's answer to an agent. Entries without a fixed text are left out. */
	describe(entries: string[]): string;
}

/**
 * Returns what the editor must know of each type. The last one is for a value that no type has.
 * n8n evaluates this function's source text, so it must use nothing outside it.
 */
export function storedTypes(): StoredType[] {
	const numbered = (noun: string) => (entries: string[]) =>
		entries.map((label, index) => label || `${noun} ${index + 1}`);
	const noul: StoredType = {
		value: 'noul',
		isEnough: () => true,
		finding: 'options',
		outputsOf: () => ['Yes', 'No'],
		isByProbability: true,
		describe: () => 'yes or no, with a probability',
	};
	const choice: StoredType = {
		value: 'choice',
		entries: ['options', 'option', 'name'],
		isEnough: ({ length }) => length > 0,
		finding: 'options',
		outputsOf: numbered('Option'),
		isByProbability: false,
		describe: (entries) =>
			entries.length === 0 ? 'one of several options' : `one of: ${entries.join(', ')}`,
	};
	const score: StoredType = {
		value: 'score',
		entries: ['levels', 'level', 'description'],
		isEnough: ({ length }) => length >= 2 && length <= 10,
		finding: 'levels',
		outputsOf: numbered('Level'),
		isByProbability: false,
		describe: (entries) =>
			entries.length === 0 ? 'a rating' : `a rating from "${entries[0]}" to "${entries[entries.length - 1]}"`,
	};
	const tags: StoredType = {
		...choice,
		value: 'tags',
		finding: 'tags',
		outputsOf: (entries) => ['None'].concat(numbered('Option')(entries)),
		isByProbability: true,
		describe: (entries) =>
			entries.length === 0
				? 'any of several options, or none'
				: `any of these, or none: ${entries.join(', ')}`,
	};
	const unknown: StoredType = { ...noul, value: '', outputsOf: () => [] };
	return [noul, choice, score, tags, unknown];
}

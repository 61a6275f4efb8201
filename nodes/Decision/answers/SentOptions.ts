import { labelKey } from '../../shared/text/composed';
import { noulReader } from '../evaluation/types/noulReader';
import type { Question } from '../questions/Question';
import type { Answer } from './Answer';

/** In fewer items, a field may have such values and answers by chance. */
const MIN_ITEMS = 10;

/** Describes the values of a sent field, all of which are options of a question so far. */
interface OptionValues {
	different: Set<string>;
	/** Counts the items that got the same answer. */
	answered: number;
}

/**
 * Finds the sent fields that probably hold the expected answers to a question: in every item of a run, their text is one of its options,
 * and at least half of the answers are the same. A field that has such values for another reason differs from the answers more often, and
 * one from which the model has not taken its answers makes no evaluation wrong. Yes and no, or 1 and 0, are values of fields of all kinds.
 */
export class SentOptions {
	private answeredItems = 0;

	/** Holds the fields that may be such, by the question's ID and the field's name. After the first item, fields are only removed. */
	private readonly found = new Map<string, Map<string, OptionValues>>();

	/**
	 * Takes note of an item that was answered.
	 * @param columns the names of answers. Fields with these names are looked for in any case.
	 * @param answers the answers in the order of the questions
	 */
	add(state: object, columns: string[], questions: Question[], answers: Array<Answer | undefined>): void {
		const isFirst = this.answeredItems === 0;
		this.answeredItems++;
		for (const [index, { id, options }] of questions.entries()) {
			if (!options) continue;
			if (isFirst) this.found.set(id, candidates(state, columns));
			const fields = this.found.get(id);
			if (!fields || fields.size === 0) continue;
			const keys = new Set(options.filter(isDistinctive).map(labelKey));
			const given = answers[index]?.labels.map(labelKey) ?? [];
			for (const [name, values] of fields) {
				const value = (state as Record<string, unknown>)[name];
				const key = typeof value === 'string' ? labelKey(value) : undefined;
				if (key === undefined || !keys.has(key)) {
					fields.delete(name);
					continue;
				}
				values.different.add(key);
				if (given.includes(key)) values.answered++;
			}
		}
	}

	/** Returns the fields that probably hold expected answers, each with the ID of the question. */
	find(): Array<{ id: string; field: string }> {
		if (this.answeredItems < MIN_ITEMS) return [];
		return [...this.found].flatMap(([id, fields]) =>
			[...fields]
				.filter(([, { different, answered }]) => different.size > 1 && answered * 2 >= this.answeredItems)
				.map(([field]) => ({ id, field })),
		);
	}
}

function candidates(state: object, columns: string[]): Map<string, OptionValues> {
	const names = Object.keys(state).filter((name) => !columns.includes(name));
	return new Map(names.map((name) => [name, { different: new Set<string>(), answered: 0 }]));
}

function isDistinctive(option: string): boolean {
	return noulReader.readExpected(option) === undefined;
}

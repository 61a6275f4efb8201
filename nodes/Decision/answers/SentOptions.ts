import { caselessKey, isBlank } from '../../shared/text/composed';
import { readNumber } from '../../shared/text/readNumber';
import { noulReader } from '../evaluation/types/noulReader';
import { readLabel } from '../evaluation/types/readLabel';
import { tagsIn, tagSplitter } from '../evaluation/types/tagReader';
import type { Question } from '../questions/Question';
import type { Answer } from './Answer';

/** In fewer items, a field may have such values and answers by chance. */
const MIN_ITEMS = 10;

/** A column of labels that people have filled in may hold a few mistakes, such as a misspelled label. */
const MAX_OTHER_SHARE = 0.1;

/** Describes a value that is an answer which the question may have. */
interface ExpectedValue {
	/** Holds the keys of the value's labels. There are none if no tag is expected. */
	labels: string[];
	/** Says whether the value gives a level by a number. */
	isNumber: boolean;
}

/** Describes the values of a sent field, nearly all of which are blank or answers that the question may have, so far. */
interface OptionValues {
	/** Counts the values that are neither blank nor such answers. */
	others: number;
	different: Set<string>;
	/** Counts the items in which the field has such an answer. */
	filled: number;
	/** Counts the items that got the same answer. */
	answered: number;
	hasNumbers: boolean;
}

/**
 * Finds the sent fields that probably hold the expected answers to a question: in nearly every item of a run that has a value there, it is
 * one of its options or levels or a list of its tags, and more of the answers are the same than by chance. A field that has such values for
 * another reason differs from the answers more often, and one from which the model has not taken its answers makes no evaluation wrong. Yes
 * and no, or 1 and 0, are values of fields of all kinds.
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
		for (const [index, question] of questions.entries()) {
			if (!question.options && !question.levels) continue;
			if (isFirst) this.found.set(question.id, candidates(state, columns));
			const fields = this.found.get(question.id);
			if (!fields || fields.size === 0) continue;
			const read = expectedReader(question);
			const given = answers[index]?.labels.map(caselessKey) ?? [];
			for (const [name, values] of fields) {
				const value = (state as Record<string, unknown>)[name];
				if (isBlank(value)) continue;
				const expected = read(value);
				if (expected) note(values, expected, given);
				else if (++values.others > 1 && hasTooManyOthers(values)) fields.delete(name);
			}
		}
	}

	/** Returns the fields that probably hold expected answers, each with the ID of the question. */
	find(): Array<{ id: string; field: string }> {
		return [...this.found].flatMap(([id, fields]) =>
			[...fields].filter(([, values]) => areExpected(values)).map(([field]) => ({ id, field })),
		);
	}
}

function candidates(state: object, columns: string[]): Map<string, OptionValues> {
	const names = Object.keys(state).filter((name) => !columns.includes(name));
	return new Map(
		names.map((name) => [
			name,
			{ others: 0, different: new Set<string>(), filled: 0, answered: 0, hasNumbers: false },
		]),
	);
}

function note(values: OptionValues, { labels, isNumber }: ExpectedValue, given: string[]): void {
	if (labels.length === 0) return;
	values.different.add(JSON.stringify(labels));
	values.filled++;
	if (labels.every((label) => given.includes(label))) values.answered++;
	values.hasNumbers ||= isNumber;
}

/**
 * Small numbers are values of fields of all kinds, such as a quantity, and one of two values is the same as the answer half of the time by
 * chance. So more of them must be the same as the answers.
 */
function areExpected(values: OptionValues): boolean {
	const { different, filled, answered, hasNumbers } = values;
	if (hasTooManyOthers(values)) return false;
	const leastDifferent = hasNumbers ? 3 : 2;
	const leastShare = hasNumbers || different.size === 2 ? 0.75 : 0.5;
	return filled >= MIN_ITEMS && different.size >= leastDifferent && answered >= filled * leastShare;
}

function hasTooManyOthers({ others, filled }: OptionValues): boolean {
	return others > MAX_OTHER_SHARE * (others + filled);
}

/** Returns a function that reads a value as an answer to the question, and returns undefined if it cannot be one. */
function expectedReader({
	options = [],
	levels,
	mayTakeSeveral,
}: Question): (value: unknown) => ExpectedValue | undefined {
	if (levels) return (value) => levelIn(value, levels);
	const keys = new Set(options.filter(isDistinctive).map(caselessKey));
	const split = mayTakeSeveral && tagSplitter(options, false);
	return (value) => {
		const given = split ? tagsIn(value, split) : typeof value === 'string' ? [value] : undefined;
		const labels = given?.filter((label) => !isBlank(label)).map(caselessKey);
		if (!labels?.every((label) => keys.has(label))) return undefined;
		return { labels: [...new Set(labels)].sort(), isNumber: false };
	};
}

/** Reads a level from its text, or from its number, counted from 0. Levels that are numbers themselves are read by their text alone. */
function levelIn(value: unknown, levels: string[]): ExpectedValue | undefined {
	const text = readLabel(value);
	if (text === undefined) return undefined;
	const number = readNumber(text);
	const isNumber = number !== undefined;
	if (!isNumber && !isDistinctive(text)) return undefined;
	const key = caselessKey(text);
	const level = levels.find((candidate) => caselessKey(candidate) === key);
	const areNumbers = levels.some((candidate) => readNumber(candidate) !== undefined);
	const found = level ?? (isNumber && !areNumbers ? levels[number] : undefined);
	return found === undefined ? undefined : { labels: [caselessKey(found)], isNumber };
}

function isDistinctive(option: string): boolean {
	return noulReader.readExpected(option) === undefined;
}

import { shorten } from '../../../client/response/shorten';
import { named } from '../../shared/fields/Field';
import { findPath, isBlank, readPath, valueAt } from '../state/fieldPath';
import { ParameterError } from '../../shared/fields/ParameterError';
import { YES_AT_LEAST } from '../answers/Answer';
import { evaluatedFields, type EvaluatedFields } from './evaluatedFields';

export interface Row {
	index: number;
	/** The expected label; `yes` or `no` for `noul`. */
	expected: string;
	/** The answered label, null if the item has none. Equal to `expected` exactly when it is correct. */
	answer: string | null;
	/** From 0 to 1; for `noul` the probability of the answer given. Null if the item has none. */
	confidence: number | null;
	/** For `noul`, the probability of yes; otherwise null. */
	probability: number | null;
	/** The label in the field to compare with, like `answer`; undefined if there is no such field. */
	compared?: string | null;
}

export interface Rows {
	rows: Row[];
	/** How many items were left out, because they have no expected value. */
	skipped: number;
}

export const YES = 'yes';
const NO = 'no';

const CONFIDENCE_SUFFIX = '_confidence';
const LEVEL_SUFFIX = '_level';

const YES_TEXTS = new Set([YES, 'true', '1']);
const NO_TEXTS = new Set([NO, 'false', '0']);

const VALUE_LENGTH = 60;

/**
 * Reads what was answered and what was expected from the JSON of all items.
 * @throws ParameterError when an expected value cannot be read, or no item has one, or no row has an answer to compare with
 */
export function readRows(items: object[], fields: EvaluatedFields): Rows {
	const spell = speller(fields.ignoreCase);
	const { expectedField, compareField } = fields;
	const expected = items.map((json, index) => readExpected(json, index, fields, spell));
	const other = { ...fields, answerField: compareField };
	const rows = items.flatMap((json, index): Row[] => {
		const label = expected[index];
		if (label === undefined) return [];
		// An answer in an item that failed here is that of an earlier run.
		const hasFailed = valueAt(json, ['error', 'item_index']) !== undefined;
		const answered = hasFailed ? UNANSWERED : readAnswer(json, fields, spell);
		const row = { index, expected: label, ...answered };
		return [compareField === '' ? row : { ...row, compared: readAnswer(json, other, spell).answer }];
	});
	if (rows.length === 0) {
		throw new ParameterError(
			named(evaluatedFields.expectedField),
			`must name the field with the expected value, but no item has a value in "${expectedField}"`,
		);
	}
	if (compareField !== '' && rows.every(({ compared }) => compared === null)) {
		const what = fields.answerType === 'noul' ? 'a probability from 0 to 1' : 'an answer';
		throw new ParameterError(
			named(evaluatedFields.compareField),
			`must name a field with other answers, but no row with an expected value has ${what} in "${compareField}"`,
		);
	}
	return { rows, skipped: items.length - rows.length };
}

/** Gives labels that count as equal one spelling: the first one found. */
type Spell = (label: string) => string;

function speller(ignoreCase: boolean): Spell {
	const spellings = new Map<string, string>();
	return (label) => {
		if (!ignoreCase) return label;
		const trimmed = label.trim();
		const key = trimmed.toLowerCase();
		const spelling = spellings.get(key) ?? trimmed;
		spellings.set(key, spelling);
		return spelling;
	};
}

type Answered = Pick<Row, 'answer' | 'confidence' | 'probability'>;

const UNANSWERED: Answered = { answer: null, confidence: null, probability: null };

function readExpected(
	json: object,
	index: number,
	{ answerType, expectedField }: EvaluatedFields,
	spell: Spell,
): string | undefined {
	const value = readPath(json, expectedField);
	if (isBlank(value)) return undefined;
	const label = answerType === 'noul' ? readYesOrNo(value) : readLabel(value);
	if (label === undefined) {
		const rule = answerType === 'noul' ? 'yes or no, true or false, or 1 or 0' : 'text';
		const shown = shorten(JSON.stringify(value), VALUE_LENGTH);
		throw new ParameterError(
			named(evaluatedFields.expectedField),
			`must name a field with ${rule}, but in item ${index} it has ${shown}`,
		);
	}
	return spell(label);
}

function readAnswer(json: object, fields: EvaluatedFields, spell: Spell): Answered {
	const value = readPath(json, fields.answerField);
	if (fields.answerType === 'noul') return readProbability(value);
	const label = isBlank(value) ? undefined : readLabel(value);
	if (label === undefined) return UNANSWERED;
	return { answer: spell(label), confidence: readConfidence(json, fields), probability: null };
}

function readProbability(value: unknown): Answered {
	const probability = readShare(value);
	if (probability === null) return UNANSWERED;
	return probability >= YES_AT_LEAST
		? { answer: YES, confidence: probability, probability }
		: { answer: NO, confidence: complement(probability), probability };
}

function readConfidence(json: object, { answerField, confidenceField }: EvaluatedFields): number | null {
	if (confidenceField) return readShare(readPath(json, confidenceField));
	const path = findPath(json, answerField) ?? [answerField];
	const besides = confidenceNames(path.at(-1)!);
	const shares = besides.map((name) => readShare(valueAt(json, [...path.slice(0, -1), name])));
	return shares.find((share) => share !== null) ?? null;
}

function confidenceNames(answer: string): string[] {
	const ofAnswer = answer + CONFIDENCE_SUFFIX;
	if (!answer.endsWith(LEVEL_SUFFIX)) return [ofAnswer];
	return [ofAnswer, answer.slice(0, -LEVEL_SUFFIX.length) + CONFIDENCE_SUFFIX];
}

function readLabel(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function readYesOrNo(value: unknown): string | undefined {
	const text = readLabel(value)?.trim().toLowerCase() ?? '';
	if (YES_TEXTS.has(text)) return YES;
	return NO_TEXTS.has(text) ? NO : undefined;
}

/** A number from 0 to 1, also as text from a sheet; null for anything else. */
function readShare(value: unknown): number | null {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	return typeof number === 'number' && number >= 0 && number <= 1 ? number : null;
}

/** 1 minus the probability, without the rounding errors of binary floats: 0.93 for 0.07. */
function complement(probability: number): number {
	return Number((1 - probability).toFixed(12));
}

import { isMissing } from '../../../client/response/records';
import { shorten } from '../../../client/response/shorten';
import { subjectOf } from '../../shared/fields/Field';
import { fieldReader, pathFinder, valueAt } from '../state/fieldPath';
import { ParameterError } from '../../shared/fields/ParameterError';
import { MIN_YES_PROBABILITY, toScale } from '../answers/Answer';
import { evaluatedFields, type EvaluatedFields } from './evaluatedFields';

/** The answer and the expected answer of one item. */
export interface Row {
	/** The index of the item. */
	index: number;
	/** The expected label. For `noul`, it is `yes` or `no`. */
	expected: string;
	/** The answered label. It equals `expected` exactly if the answer is correct. Null if the item has no answer. */
	answer: string | null;
	/** From 0 to 1. For `noul`, it is the probability of the given answer. Null if the item has none. */
	confidence: number | null;
	/** The probability of yes for `noul`, otherwise null. */
	probability: number | null;
	/** The label in the field to compare with, or null if the item has none. Undefined if no such field was chosen. */
	compared?: string | null;
}

export interface Rows {
	rows: Row[];
	/** The number of items that were left out, because they have no expected value. */
	skipped: number;
}

export const YES = 'yes';
const NO = 'no';

const CONFIDENCE_SUFFIX = '_confidence';
const LEVEL_SUFFIX = '_level';

const YES_TEXTS = new Set([YES, 'true', '1']);
const NO_TEXTS = new Set([NO, 'false', '0']);

/** Errors shorten longer values. */
const MAX_VALUE_CHARS = 60;

/**
 * Reads the answers and the expected answers from the JSON of all items.
 * @throws ParameterError if an expected value cannot be read, if no item has one, or if no row has an answer to compare with
 */
export function readRows(items: object[], fields: EvaluatedFields): Rows {
	const normalize = labelNormalizer(fields.ignoreCase);
	const { expectedField, compareField } = fields;
	const readExpected = expectedReader(fields, normalize);
	const readAnswer = answerReader(fields, normalize);
	const readCompared = answerReader({ ...fields, answerField: compareField }, normalize);
	const expected = items.map(readExpected);
	const rows = items.flatMap((json, index): Row[] => {
		const label = expected[index];
		if (label === undefined) return [];
		// If an item failed in the Decision node, an answer in it comes from an earlier run, because a failed item gets none.
		const hasFailed = valueAt(json, ['error', 'item_index']) !== undefined;
		const answered = hasFailed ? UNANSWERED : readAnswer(json);
		const row = { index, expected: label, ...answered };
		return [compareField === '' ? row : { ...row, compared: readCompared(json).answer }];
	});
	if (rows.length === 0) {
		throw new ParameterError(
			subjectOf(evaluatedFields.expectedField),
			`must name the field with the expected value, but no item has a value in "${expectedField}"`,
		);
	}
	if (compareField !== '' && rows.every(({ compared }) => compared === null)) {
		const what = fields.answerType === 'noul' ? 'a probability from 0 to 1' : 'an answer';
		throw new ParameterError(
			subjectOf(evaluatedFields.compareField),
			`must name a field with other answers, but no row with an expected value has ${what} in "${compareField}"`,
		);
	}
	return { rows, skipped: items.length - rows.length };
}

/** Returns one spelling for all labels that count as equal: the one that came first. */
type Normalize = (label: string) => string;

function labelNormalizer(ignoreCase: boolean): Normalize {
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

type RowAnswer = Pick<Row, 'answer' | 'confidence' | 'probability'>;

const UNANSWERED: RowAnswer = { answer: null, confidence: null, probability: null };

/** Returns a function that reads the expected label of an item, undefined if it has none. */
function expectedReader(
	{ answerType, expectedField }: EvaluatedFields,
	normalize: Normalize,
): (json: object, index: number) => string | undefined {
	const read = fieldReader(expectedField);
	return (json, index) => {
		const value = read(json);
		if (isMissing(value)) return undefined;
		const label = answerType === 'noul' ? readYesOrNo(value) : readLabel(value);
		if (label !== undefined) return normalize(label);
		const rule = answerType === 'noul' ? 'yes or no, true or false, or 1 or 0' : 'text';
		const shown = shorten(JSON.stringify(value), MAX_VALUE_CHARS);
		throw new ParameterError(
			subjectOf(evaluatedFields.expectedField),
			`must name a field with ${rule}, but in item ${index} it has ${shown}`,
		);
	};
}

function answerReader(fields: EvaluatedFields, normalize: Normalize): (json: object) => RowAnswer {
	const read = fieldReader(fields.answerField);
	const readConfidence = confidenceReader(fields);
	return (json) => {
		const value = read(json);
		if (fields.answerType === 'noul') return readProbability(value);
		const label = isMissing(value) ? undefined : readLabel(value);
		if (label === undefined) return UNANSWERED;
		return { answer: normalize(label), confidence: readConfidence(json), probability: null };
	};
}

function readProbability(value: unknown): RowAnswer {
	const probability = readShare(value);
	if (probability === null) return UNANSWERED;
	return probability >= MIN_YES_PROBABILITY
		? { answer: YES, confidence: probability, probability }
		: { answer: NO, confidence: complement(probability), probability };
}

function confidenceReader({
	answerField,
	confidenceField,
}: EvaluatedFields): (json: object) => number | null {
	if (confidenceField) {
		const read = fieldReader(confidenceField);
		return (json) => readShare(read(json));
	}
	const find = pathFinder(answerField);
	return (json) => {
		const path = find(json) ?? [answerField];
		const besides = confidenceNames(path.at(-1)!);
		const shares = besides.map((name) => readShare(valueAt(json, [...path.slice(0, -1), name])));
		return shares.find((share) => share !== null) ?? null;
	};
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

/** Reads a number from 0 to 1, which a sheet may give as text. Returns null for anything else. */
function readShare(value: unknown): number | null {
	return toScale(typeof value === 'string' && !isMissing(value) ? Number(value) : value, 1);
}

/** Returns 1 minus the probability, without a floating-point error: 0.93 for 0.07. */
function complement(probability: number): number {
	return Number((1 - probability).toFixed(12));
}

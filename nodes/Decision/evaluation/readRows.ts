import { isRecord } from '../../../client/values/records';
import { describeValue, subjectOf } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import type { Pause } from '../../shared/run/yieldRegularly';
import { fieldReader } from '../../shared/text/fieldPath';
import { checkDistinct } from './distinctFields';
import { evaluatedFields, type EvaluatedFields } from './evaluatedFields';
import { countRepeated } from './repeatedRows';
import type { AnswerValue, Row, Rows, UnreadableRows } from './Row';
import { NO_CERTAINTY, type AnswerReader, type Cell } from './types/AnswerReader';
import { choiceReader } from './types/choiceReader';
import { noulReader } from './types/noulReader';
import { isBlank } from '../../shared/text/composed';
import { areSwapped, hasOtherConfidence } from './swappedFields';
import { labelNormalizer } from './types/readLabel';
import { tagReader } from './types/tagReader';

/**
 * Reads the answers and the expected answers from the JSON of all items. An item that failed in a later node counts by its answer.
 * @throws ParameterError if two parameters name the same field, if an expected value or a number cannot be read, if no item has an
 * expected value, or if no row has an answer to compare with
 */
export async function readRows(items: object[], fields: EvaluatedFields, pause: Pause): Promise<Rows> {
	await checkDistinct(items, fields, pause);
	const reader = await readerFor(items, fields, pause);
	const { answerField, expectedField, compareField } = fields;
	const expected = await readExpected(items, expectedField, reader, pause);
	const answerCell = cellReader(answerField, 'answerField');
	const comparedCell = cellReader(compareField, 'compareField');
	const rows: Row[] = [];
	let failedWithAnswer = 0;
	const unreadable: UnreadableRows = { count: 0 };
	for (const [index, json] of items.entries()) {
		await pause();
		const label = expected[index];
		if (label === undefined) continue;
		const cell = answerCell(json, index);
		const answer = reader.readAnswer(cell);
		const certainty = answer === null ? NO_CERTAINTY : reader.certaintyOf(cell);
		const compared = compareField === '' ? undefined : reader.readAnswer(comparedCell(json, index));
		if (answer !== null && isFailed(json)) failedWithAnswer++;
		if (answer === null && !isBlank(cell.value)) {
			unreadable.count++;
			unreadable.example ??= typeof cell.value === 'string' ? cell.value : JSON.stringify(cell.value);
		}
		rows.push({ index, expected: label, answer, ...certainty, compared });
	}
	if (rows.length === 0) {
		throw new ParameterError(
			subjectOf(evaluatedFields.expectedField),
			`must name the field with the expected value, but no item has a value in "${expectedField}"`,
		);
	}
	if (compareField !== '' && rows.every(({ compared }) => compared === null)) {
		throw new ParameterError(
			subjectOf(evaluatedFields.compareField),
			`must name a field with other answers, but no row with an expected value has ${reader.answerRule} in "${compareField}"`,
		);
	}
	const used = rows.map(({ index }) => items[index]!);
	const repeated = await countRepeated(used, fields, pause);
	const isSwapped = await areSwapped(used, fields, pause);
	return {
		rows,
		skipped: items.length - rows.length,
		failedWithAnswer,
		unreadable,
		repeated,
		isSwapped,
		hasOtherConfidence: hasOtherConfidence(used, fields),
	};
}

/** Returns whether a node has marked an item as failed, with its setting On Error on "Continue". */
function isFailed(json: object): boolean {
	return isRecord((json as { error?: unknown }).error);
}

async function readerFor(items: object[], fields: EvaluatedFields, pause: Pause): Promise<AnswerReader> {
	const normalize = labelNormalizer(fields.ignoreCase);
	switch (fields.answerType) {
		case 'choice':
			return choiceReader(fields, normalize);
		case 'noul':
			return noulReader;
		case 'tags':
			return await tagReader(items, fields, normalize, pause);
	}
}

/**
 * Returns the expected answer of each item, undefined if it has none. They are read first, because they decide how labels are
 * spelled.
 * @throws ParameterError for an expected value that cannot be read
 */
async function readExpected(
	items: object[],
	name: string,
	reader: AnswerReader,
	pause: Pause,
): Promise<Array<AnswerValue | undefined>> {
	const read = fieldReader(name);
	const expected: Array<AnswerValue | undefined> = [];
	for (const [index, json] of items.entries()) {
		await pause();
		const value = read(json);
		const hasNone = isBlank(value);
		const answer = hasNone ? undefined : reader.readExpected(value);
		if (answer === undefined && !hasNone) {
			throw new ParameterError(
				subjectOf(evaluatedFields.expectedField),
				`must name a field with ${reader.expectedRule}, but in item ${index} it has ${describeValue(JSON.stringify(value))}`,
			);
		}
		expected.push(answer);
	}
	return expected;
}

function cellReader(
	name: string,
	parameterName: 'answerField' | 'compareField',
): (json: object, index: number) => Cell {
	const read = fieldReader(name);
	const parameter = evaluatedFields[parameterName];
	return (json, index) => ({ value: read(json), json, index, name, parameter });
}

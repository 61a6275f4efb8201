import { fieldReader, pathFinder, valueAt } from '../../../shared/text/fieldPath';
import { keyFinder } from '../../../shared/text/keyFinder';
import { readNumber } from '../../../shared/text/readNumber';
import { describeValue, subjectOf } from '../../../shared/fields/Field';
import { ParameterError } from '../../../shared/fields/ParameterError';
import { evaluatedFields, type EvaluatedFields } from '../evaluatedFields';
import type { AnswerReader, Cell } from './AnswerReader';
import { isBlank } from '../../../shared/text/composed';
import { readLabel, type Normalize } from './readLabel';
import { readShare } from './readShare';

const CONFIDENCE_SUFFIX = '_confidence';
const LEVEL_SUFFIX = '_level';
const YES_SUFFIX = '_yes';

/** Reads the option of a choice, or the level of a score. */
export function choiceReader(fields: EvaluatedFields, normalize: Normalize): AnswerReader {
	const readConfidence = confidenceReader(fields);
	const readExpected = (value: unknown) => {
		const label = readLabel(value);
		return label === undefined ? undefined : normalize(label);
	};
	return {
		expectedRule: 'text',
		answerRule: 'an answer',
		readExpected,
		readAnswer: (cell) => {
			checkNoNumber(cell);
			return isBlank(cell.value) ? null : (readExpected(cell.value) ?? null);
		},
		certaintyOf: (cell) => ({ confidence: readConfidence(cell), probability: null }),
	};
}

/** @throws ParameterError for the rating of a score or the probability of a yes, such as 0.7, which is never equal to a label */
function checkNoNumber({ value, json, name, parameter }: Cell): void {
	const number = readNumber(readLabel(value) ?? '');
	if (number === undefined || Number.isInteger(number)) return;
	const path = pathFinder(name)(json)!;
	const last = path.at(-1)!;
	const parent = valueAt(json, path.slice(0, -1)) as object;
	const subject = subjectOf(parameter);
	if (Object.hasOwn(parent, last + LEVEL_SUFFIX)) {
		const end = name.lastIndexOf(last) + last.length;
		throw new ParameterError(
			subject,
			`must name the level of a score, not its rating, which is ${describeValue(value)}: choose "${name.slice(0, end)}${LEVEL_SUFFIX}${name.slice(end)}"`,
		);
	}
	if (Object.hasOwn(parent, last + YES_SUFFIX)) {
		throw new ParameterError(
			subject,
			`must name an option or a level, not the probability of a yes, which is ${describeValue(value)}: choose 'Yes or No' under ${subjectOf(evaluatedFields.answerType)}`,
		);
	}
}

function confidenceReader({ answerField, confidenceField }: EvaluatedFields): (cell: Cell) => number | null {
	const parameter = evaluatedFields.confidenceField;
	if (confidenceField) {
		const read = fieldReader(confidenceField);
		return (cell) => readShare({ ...cell, parameter, name: confidenceField, value: read(cell.json) });
	}
	const findAnswer = pathFinder(answerField);
	const findersBeside = new Map<string, Array<ReturnType<typeof keyFinder>>>();
	return (cell) => {
		const path = findAnswer(cell.json)!;
		const answer = path.at(-1)!;
		const finders = findersBeside.get(answer) ?? confidenceNames(answer).map(keyFinder);
		findersBeside.set(answer, finders);
		const parent = valueAt(cell.json, path.slice(0, -1)) as Record<string, unknown>;
		for (const find of finders) {
			const name = find(parent);
			const share = name === undefined ? null : readShare({ ...cell, parameter, name, value: parent[name] });
			if (share !== null) return share;
		}
		return null;
	};
}

/** Returns the names that the confidence of an answer may have, by the name of its field. */
export function confidenceNames(answer: string): string[] {
	const ofAnswer = answer + CONFIDENCE_SUFFIX;
	if (!answer.endsWith(LEVEL_SUFFIX)) return [ofAnswer];
	return [ofAnswer, answer.slice(0, -LEVEL_SUFFIX.length) + CONFIDENCE_SUFFIX];
}

import type { Pause } from '../../shared/run/yieldRegularly';
import { subjectOf } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { composed } from '../../shared/text/composed';
import { readNumber } from '../../shared/text/readNumber';
import { pathFinder, valueAt } from '../../shared/text/fieldPath';
import { evaluatedFields, type AnswerType, type EvaluatedFields } from './evaluatedFields';

type FieldName = 'answerField' | 'expectedField' | 'compareField' | 'confidenceField';

const PAIRS: Array<[later: FieldName, earlier: FieldName]> = [
	['expectedField', 'answerField'],
	['compareField', 'answerField'],
	['compareField', 'expectedField'],
	['confidenceField', 'answerField'],
	['confidenceField', 'expectedField'],
	['confidenceField', 'compareField'],
];

/** Describes a column that holds an answer a second time, in another form. */
interface DerivedColumn {
	/** Ends its name, behind the question's ID. */
	suffix: string;
	/** Returns whether this column is probably derived, and no answer of its own to a question whose ID ends so. */
	isDerived(value: unknown, id: string, siblings: Record<string, unknown>): boolean;
}

/** Holds the derived columns that `columnsOf` in `questions/types` adds to the answers of each type. */
const DERIVED_COLUMNS: Record<AnswerType, DerivedColumn[]> = {
	choice: [
		{ suffix: '_level', isDerived: (_, id, siblings) => Object.hasOwn(siblings, `${id}_confidence`) },
		{ suffix: '_confidence', isDerived: (value) => readNumber(String(value)) !== undefined },
	],
	noul: [
		{
			suffix: '_yes',
			// A database may have made 1 and 0 of it, and a sheet yes and no. Beside an expected answer, a question's ID may end so too.
			isDerived: (value, id, siblings) =>
				/^(?:true|false)$/i.test(String(value)) ||
				(/^(?:[01]|yes|no)$/i.test(String(value)) && isBetween0And1(siblings[id])),
		},
	],
	tags: [{ suffix: '_text', isDerived: (value) => typeof value === 'string' }],
};

function isBetween0And1(value: unknown): boolean {
	const number = readNumber(String(value)) ?? 0;
	return number > 0 && number < 1;
}

/**
 * Checks that the parameters name different fields, and different answers. Answers that are compared with themselves would all be correct.
 * @throws ParameterError
 */
export async function checkDistinct(items: object[], fields: EvaluatedFields, pause: Pause): Promise<void> {
	const nameOf = (field: FieldName) => fields[field] ?? '';
	const pairs = PAIRS.filter((names) => names.every((name) => nameOf(name) !== ''));
	for (const [later, earlier] of pairs) {
		if (composed(nameOf(later)) === composed(nameOf(earlier))) throw sameField(later, earlier, fields);
	}
	// Two spellings, such as `team` and `['team']`, may lead to the same field.
	const finders = pairs.map((names) => names.map((name) => pathFinder(nameOf(name))));
	for (const json of items) {
		await pause();
		finders.forEach((both, index) => {
			const [one, other] = both.map((find) => find(json));
			if (!one || !other || one.length !== other.length) return;
			if (one.slice(0, -1).some((key, level) => key !== other[level])) return;
			const names: [string, string] = [one.at(-1)!, other.at(-1)!];
			if (names[0] === names[1]) throw sameField(...pairs[index]!, fields);
			// A confidence is a form of the answer that it belongs to.
			if (pairs[index]!.includes('confidenceField')) return;
			const siblings = valueAt(json, one.slice(0, -1)) as Record<string, unknown>;
			const isSame = DERIVED_COLUMNS[fields.answerType].some((column) => areOne(names, column, siblings));
			if (isSame) throw sameAnswer(...pairs[index]!, fields);
		});
	}
}

/** Returns whether one of the two names is that of an answer, and the other that of a column derived from it. */
function areOne(
	names: [string, string],
	{ suffix, isDerived }: DerivedColumn,
	siblings: Record<string, unknown>,
): boolean {
	const [id, derived] = names.toSorted((a, b) => a.length - b.length) as [string, string];
	return derived === id + suffix && isDerived(siblings[derived], id, siblings);
}

function sameAnswer(later: FieldName, earlier: FieldName, fields: EvaluatedFields): ParameterError {
	return new ParameterError(
		subjectOf(evaluatedFields[later]),
		`must name a different answer from ${subjectOf(evaluatedFields[earlier])}, but "${fields[later]}" and "${fields[earlier]}" are two forms of one answer`,
		'Name two different answers, such as that of the service and the one that a person gave.',
	);
}

function sameField(later: FieldName, earlier: FieldName, fields: EvaluatedFields): ParameterError {
	return new ParameterError(
		subjectOf(evaluatedFields[later]),
		`must name a different field from ${subjectOf(evaluatedFields[earlier])}, but both name "${fields[later]}"`,
		'Name two different fields. If the answers replaced a field of the same name, give the question another ID in the node that asks it.',
	);
}

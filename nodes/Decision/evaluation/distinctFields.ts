import type { Pause } from '../../shared/run/yieldRegularly';
import { subjectOf } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { composed } from '../../shared/text/composed';
import { pathFinder } from '../itemFields/fieldPath';
import { evaluatedFields, type EvaluatedFields } from './evaluatedFields';

type FieldName = 'answerField' | 'expectedField' | 'compareField';

const PAIRS: Array<[later: FieldName, earlier: FieldName]> = [
	['expectedField', 'answerField'],
	['compareField', 'answerField'],
	['compareField', 'expectedField'],
];

/**
 * Checks that the parameters name different fields. Answers that are compared with themselves would all be correct.
 * @throws ParameterError
 */
export async function checkDistinct(items: object[], fields: EvaluatedFields, pause: Pause): Promise<void> {
	const pairs = PAIRS.filter((names) => names.every((name) => fields[name] !== ''));
	for (const [later, earlier] of pairs) {
		if (composed(fields[later]) === composed(fields[earlier])) throw sameField(later, earlier, fields);
	}
	// Two spellings, such as `team` and `['team']`, may lead to the same field.
	const finders = pairs.map((names) => names.map((name) => pathFinder(fields[name])));
	for (const json of items) {
		await pause();
		finders.forEach((both, index) => {
			const [one, other] = both.map((find) => find(json));
			if (!one || !other || one.length !== other.length) return;
			if (one.every((key, level) => key === other[level])) throw sameField(...pairs[index]!, fields);
		});
	}
}

function sameField(later: FieldName, earlier: FieldName, fields: EvaluatedFields): ParameterError {
	return new ParameterError(
		subjectOf(evaluatedFields[later]),
		`must name another field than ${subjectOf(evaluatedFields[earlier])}, but both name "${fields[later]}"`,
		'Name two different fields. If the answers replaced a field of the same name, give the question another ID in the node that asks it.',
	);
}

import type { Pause } from '../../shared/run/yieldRegularly';
import { pathFinder, valueAt } from '../../shared/text/fieldPath';
import type { EvaluatedFields } from './evaluatedFields';
import { confidenceNames } from './types/choiceReader';

/**
 * Returns whether the two parameters are probably swapped: the field with the expected values has the column that the service's answers have
 * beside them, and the field with the answers has none. A person gives no confidence.
 */
export async function areSwapped(rows: object[], fields: EvaluatedFields, pause: Pause): Promise<boolean> {
	const { answerType, answerField, expectedField } = fields;
	if (answerType === 'noul') return false;
	const namesBeside = answerType === 'tags' ? (id: string) => [`${id}_text`] : confidenceNames;
	const [answer, expected] = [answerField, expectedField].map((name) => columnFinder(name, namesBeside));
	let isExpected = false;
	for (const json of rows) {
		await pause();
		if (answer!(json)) return false;
		isExpected ||= expected!(json);
	}
	return isExpected;
}

/**
 * Returns whether Confidence Field names another field than the confidence that the service gave with the answers, as when Answer Field was
 * changed afterwards.
 */
export function hasOtherConfidence(
	rows: object[],
	{ answerType, answerField, confidenceField = '' }: EvaluatedFields,
): boolean {
	if (answerType !== 'choice' || confidenceField === '') return false;
	const [findAnswer, findConfidence] = [answerField, confidenceField].map(pathFinder);
	const hasOwn = columnFinder(answerField, confidenceNames);
	const row = rows.find((json) => hasOwn(json) && findConfidence!(json));
	if (!row) return false;
	const [answer, confidence] = [findAnswer!(row)!, findConfidence!(row)!];
	const own = confidenceNames(answer.at(-1)!).map((name) => [...answer.slice(0, -1), name]);
	return !own.some((path) => JSON.stringify(path) === JSON.stringify(confidence));
}

/** Returns a function that says whether an item has a field with one of these names beside the named one. */
function columnFinder(name: string, namesBeside: (id: string) => string[]): (json: object) => boolean {
	const find = pathFinder(name);
	return (json) => {
		const path = find(json);
		if (!path) return false;
		const siblings = valueAt(json, path.slice(0, -1)) as object;
		return namesBeside(path.at(-1)!).some((column) => Object.hasOwn(siblings, column));
	};
}

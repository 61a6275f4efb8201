import { isMissing } from '../../../client/values/records';
import type { Pause } from '../../shared/run/yieldRegularly';
import { pathFinder } from '../../shared/text/fieldPath';
import type { EvaluatedFields } from './evaluatedFields';

/**
 * Counts the rows whose whole JSON is that of another row. If they are no more than half of the rows, they may well be messages that came
 * twice; more are most likely branches that were merged, or rows that were pasted again. Then only those count that a Route by tags sent to
 * several outputs, which were merged.
 */
export async function countRepeated(
	rows: readonly object[],
	{ answerField, expectedField, confidenceField = '', compareField }: EvaluatedFields,
	pause: Pause,
): Promise<number> {
	const names = [answerField, expectedField, confidenceField, compareField].filter((name) => name !== '');
	const finders = names.map(pathFinder);
	const seen = new Set<string>();
	let withoutText = 0;
	let isHalf = false;
	const sentToSeveral = new Set<string>();
	let copies = 0;
	for (const json of rows) {
		await pause();
		if (leftBySeveralOutputs(json)) {
			const text = JSON.stringify(json);
			if (sentToSeveral.has(text)) copies++;
			else sentToSeveral.add(text);
		}
		if (isHalf) continue;
		const evaluated = finders.flatMap((find) => find(json)?.[0] ?? []);
		// Answers alone are often equal, and do not show whether two rows are the same row.
		if (hasTextBeside(json, evaluated)) seen.add(JSON.stringify(json));
		else withoutText++;
		isHalf = (seen.size + withoutText) * 2 >= rows.length;
	}
	return isHalf ? copies : rows.length - seen.size - withoutText;
}

/** Returns whether the column of Route names several outputs. Each of them got the row. */
function leftBySeveralOutputs({ route }: { route?: unknown }): boolean {
	return Array.isArray(route) && route.length > 1;
}

/** Returns whether a row has text in another field than these, and than the columns of their questions, such as `topics_text`. */
function hasTextBeside(json: object, evaluated: string[]): boolean {
	return Object.entries(json).some(
		([name, value]) =>
			typeof value === 'string' &&
			!isMissing(value) &&
			!evaluated.some((own) => name === own || name.startsWith(`${own}_`)),
	);
}

import { isMissing } from '../../../client/values/records';
import type { Pause } from '../../shared/run/yieldRegularly';
import { pathFinder } from '../../shared/text/fieldPath';
import type { EvaluatedFields } from './evaluatedFields';

/**
 * Counts the rows whose whole JSON is that of another row. Returns 0 unless they are more than half of the rows: fewer may well be
 * messages that came twice, more are most likely branches that were merged, or rows that were pasted again.
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
	for (const json of rows) {
		await pause();
		const evaluated = finders.flatMap((find) => find(json)?.[0] ?? []);
		// Answers alone are often equal, and do not show whether two rows are the same row.
		if (hasTextBeside(json, evaluated)) seen.add(JSON.stringify(json));
		else withoutText++;
		if ((seen.size + withoutText) * 2 >= rows.length) return 0;
	}
	return rows.length - seen.size - withoutText;
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

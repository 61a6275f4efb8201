import type { Column } from '../questions/Question';
import type { Answer } from './Answer';

/** Returns the columns that a choice and a score have in common. */
export function certaintyColumns(
	id: string,
	{ confidence = null, probabilities = null }: Partial<Answer> = {},
	includeProbabilities: boolean,
): Column[] {
	return [
		[`${id}_confidence`, confidence],
		...(includeProbabilities ? [[`${id}_probabilities`, probabilities] satisfies Column] : []),
	];
}

import type { QuestionType } from './Question';
import { choice } from './types/choice';
import { noul } from './types/noul';
import { score } from './types/score';
import { tags } from './types/tags';

/** The choices under "Type" stand in the order of their labels. */
export const questionTypes = [choice, score, tags, noul] as const;

/** Returns the type that is stored by this value, or undefined if there is none. */
export function typeOf(value: unknown): QuestionType | undefined {
	return questionTypes.find((type) => type.value === value);
}

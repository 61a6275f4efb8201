import { ParameterError } from '../../shared/fields/ParameterError';
import { visibleText } from '../../shared/text/composed';
import { firstDuplicate } from '../../shared/values/firstDuplicate';

/**
 * Makes the error for a rule that a question breaks.
 * @param part names a part of the question, such as one of its fields by the label
 */
export function questionError(id: string, rule: string, part?: string): ParameterError {
	return new ParameterError(`question "${id}"${part === undefined ? '' : `: ${part}`}`, rule);
}

/** @throws ParameterError if two questions have the same ID, or IDs that look the same */
export function checkUniqueIds(ids: string[]): void {
	const duplicate = firstDuplicate(ids.map(visibleText));
	if (duplicate === undefined) return;
	throw questionError(duplicate, 'shares its ID with another question: IDs must be unique');
}

import { visibleText } from '../../shared/text/composed';
import { questionError } from '../questions/questionError';

export const UNCERTAIN_LABEL = 'Uncertain';

/**
 * Checks the names of the outputs of a question, because two outputs of one name could not be told apart.
 * @param kind names an output of the question in the error, such as "a level"
 * @throws ParameterError if an output of a question would have the name of an output that the node itself has
 */
export function checkReserved(id: string, names: string[], kind: string, reserved = [UNCERTAIN_LABEL]): void {
	const taken = reserved.find((name) => names.map(visibleText).includes(name));
	if (taken === undefined) return;
	throw questionError(id, `has ${kind} "${taken}", which is reserved: rename it`);
}

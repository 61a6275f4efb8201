import { ParameterError } from '../../shared/fields/ParameterError';

export function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}

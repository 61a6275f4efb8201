import { toScale } from '../../answers/Answer';
import { describeValue, subjectOf } from '../../../shared/fields/Field';
import { ParameterError } from '../../../shared/fields/ParameterError';
import { readNumber } from '../../../shared/text/readNumber';
import type { Cell } from './AnswerReader';

/**
 * Reads a probability or a confidence, which a sheet may give as text, such as `0,91` or `91%`. Returns null if the cell has none.
 * @throws ParameterError for a number outside 0 to 1, because it most likely is a percentage
 */
export function readShare({ value, index, name, parameter }: Cell): number | null {
	const number = typeof value === 'string' ? readNumber(value) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) return null;
	const share = toScale(number, 1);
	if (share !== null) return share;
	throw new ParameterError(
		subjectOf(parameter),
		`must name a field with numbers from 0 to 1, but in item ${index} "${name}" is ${describeValue(value)}: divide percentages by 100`,
		'Divide the numbers in a node before this one, or write them with a percent sign.',
	);
}

import type { INodeProperties } from 'n8n-workflow';

import { decisive } from './expressionRules';
import { numberField, type Field } from './Field';
import { ParameterError } from './ParameterError';
import { readNumber } from '../text/readNumber';

/**
 * Makes a field for a number from 0 to 1, which decides something. The editor's property has no limits and no precision, because without notice the editor
 * would replace a number out of range, such as 90, by 0, and round 0.995 to 1.
 */
export function shareField(property: Omit<INodeProperties, 'type'>): Field<number | undefined> {
	const { parse } = numberField({ ...property, typeOptions: { minValue: 0, maxValue: 1 } });
	return decisive({
		...numberField({ hint: 'From 0 to 1: for 90%, type 0.9', ...property }),
		parse: (value, place) => {
			const meant = shareMeantBy(value);
			if (meant === undefined) return parse(value, place);
			throw new ParameterError(place.subject, `must be a number from 0 to 1: write ${meant}`);
		},
	});
}

/**
 * Returns how to write the share that a person most likely meant by a percentage, or by a number with a comma. It returns
 * undefined for other values.
 */
function shareMeantBy(value: unknown): string | undefined {
	const isText = typeof value === 'string';
	const number = isText ? readNumber(value) : value;
	if (typeof number !== 'number') return undefined;
	// The editor makes 9 of "0,9", so a single digit may be a tenth as well as a hundredth.
	if (Number.isInteger(number) && number > 1 && number < 10 && !isPercent(value)) {
		return `0.${number} for ${number}0%, with a point`;
	}
	if (number > 1 && number <= 100) return String(number / 100);
	const isRefused = isText && Number.isNaN(Number(value));
	return isRefused && number >= 0 && number <= 1 ? String(number) : undefined;
}

function isPercent(value: unknown): boolean {
	return typeof value === 'string' && value.includes('%');
}

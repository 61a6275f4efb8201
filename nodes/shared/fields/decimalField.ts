import type { INodeProperties } from 'n8n-workflow';

import { readDecimal, type Decimal } from '../text/decimal';
import { field, isNothing, type Field } from './Field';
import { ParameterError } from './ParameterError';

/** A decimal as it was typed; undefined if none is given. */
export function decimalField(property: Omit<INodeProperties, 'type'>): Field<Decimal | undefined> {
	return field({ type: 'number', ...property }, (value, { subject }) => {
		if (isNothing(value)) return undefined;
		const decimal = typeof value === 'object' ? undefined : readDecimal(String(value));
		if (!decimal) throw new ParameterError(subject, 'must be a number');
		return decimal;
	});
}

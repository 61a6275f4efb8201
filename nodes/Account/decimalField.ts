import type { INodeProperties } from 'n8n-workflow';

import { readDecimal, type Decimal } from './decimal';
import { field, isNothing, type Field } from '../shared/fields/Field';
import { ParameterError } from '../shared/fields/ParameterError';

/** A decimal as it was typed; undefined if none is given. */
export function decimalField(property: Omit<INodeProperties, 'type'>): Field<Decimal | undefined> {
	return field({ type: 'number', ...property }, (value, { subject }) => {
		if (isNothing(value)) return undefined;
		const decimal = typeof value === 'object' ? undefined : readDecimal(String(value));
		if (!decimal) throw new ParameterError(subject, 'must be a number');
		return decimal;
	});
}

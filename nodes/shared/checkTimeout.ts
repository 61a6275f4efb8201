import type { ServiceClient } from '../../client/ServiceClient';
import { named, type Field } from './Field';
import { ParameterError } from './ParameterError';

/** @throws ParameterError where the client's transport gives up before the timeout does */
export function checkTimeout({ longestTimeoutMs }: ServiceClient, timeoutMs: number, field: Field): void {
	if (timeoutMs <= longestTimeoutMs) return;
	throw new ParameterError(
		named(field),
		`must be at most ${longestTimeoutMs} where the credential has "Reuse Connections" on`,
	);
}

import type { CallPolicy, ServiceClient } from '../../../client/ServiceClient';
import { named, type Field, type ValuesOf } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { CallOptions } from '../fields/sharedFields';

/**
 * How to call the service according to a node's options, for all calls that share their waits.
 * @throws ParameterError if the client's transport gives up before the timeout does
 */
export function callPolicy(
	client: ServiceClient,
	options: CallOptions,
	{ timeout: timeoutMs, maxRetries, maxWait }: ValuesOf<CallOptions>,
): Omit<CallPolicy, 'signal'> {
	checkTimeout(client, timeoutMs, options.timeout);
	return { timeoutMs, maxRetries, budget: client.newWaitBudget(maxWait * 1000) };
}

function checkTimeout({ longestTimeoutMs }: ServiceClient, timeoutMs: number, field: Field): void {
	if (timeoutMs <= longestTimeoutMs) return;
	throw new ParameterError(
		named(field),
		`must be at most ${longestTimeoutMs} if "Reuse Connections" is on in the credential`,
	);
}

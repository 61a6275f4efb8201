import { ExecutionCalls, ItemCalls } from '../../../client/limiter/ItemCalls';
import type { CallPolicy, ServiceClient } from '../../../client/ServiceClient';
import { named, type ValuesOf } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { CallOptions } from '../fields/sharedFields';

/**
 * How to call the service according to a node's options, for all calls that share their waits.
 * @param calls of the execution that these belong to, if there are others
 * @throws ParameterError if the client's transport gives up before the timeout does
 */
export function callPolicy(
	{ maxTimeoutMs }: ServiceClient,
	options: CallOptions,
	{ timeout: timeoutMs, maxRetries, maxWait }: ValuesOf<CallOptions>,
	calls = new ExecutionCalls(),
): Omit<CallPolicy, 'signal'> {
	if (timeoutMs > maxTimeoutMs) {
		throw new ParameterError(
			named(options.timeout),
			`must be at most ${maxTimeoutMs} if 'Reuse Connections' is on in the credential`,
		);
	}
	return { timeoutMs, maxRetries, item: new ItemCalls(calls, maxWait * 1000) };
}

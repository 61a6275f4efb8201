import { ExecutionCalls, ItemCalls } from '../../../client/limiter/ItemCalls';
import type { CallPolicy, ServiceClient } from '../../../client/ServiceClient';
import { subjectOf, type ValuesOf } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { CallOptions } from '../fields/sharedFields';

/**
 * Turns a node's options into the policy for the calls of one item, which share the item's Max Wait.
 * @param calls the state that all calls of the execution share
 * @throws ParameterError if the client's transport gives up before the timeout does
 */
export function callPolicy(
	{ maxTimeoutMs }: ServiceClient,
	options: CallOptions,
	{ timeoutMs, maxRetries, maxWaitSeconds }: ValuesOf<CallOptions>,
	calls = new ExecutionCalls(),
): Omit<CallPolicy, 'signal'> {
	if (timeoutMs > maxTimeoutMs) {
		throw new ParameterError(
			subjectOf(options.timeoutMs),
			`must be at most ${maxTimeoutMs} if 'Reuse Connections' is on in the credential`,
		);
	}
	return { timeoutMs, maxRetries, item: new ItemCalls(calls, maxWaitSeconds * 1000) };
}

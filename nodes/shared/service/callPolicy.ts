import type { RunCalls } from '../../../client/limiter/RunCalls';
import { ItemCalls, singleCall } from '../../../client/limiter/ItemCalls';
import type { CallPolicy, ServiceClient } from '../../../client/ServiceClient';
import { subjectOf, type ValuesOf } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { CallOptions } from '../fields/sharedFields';

/** Describes the parts of a call policy that all items of a run share. */
export interface SharedPolicy extends Pick<CallPolicy, 'signal' | 'stopSignal' | 'answers'> {
	/** Holds the state that all calls of the run share. If undefined, the call is the only one. */
	calls?: RunCalls;
}

/**
 * Makes the policy for the calls of one item, which share the item's Max Wait.
 * @param values the values of the options for the item
 * @throws ParameterError if the client's transport gives up before the timeout does
 */
export function callPolicy(
	{ maxTimeoutMs }: ServiceClient,
	options: CallOptions,
	{ timeoutMs, maxRetries, maxWaitSeconds }: ValuesOf<CallOptions>,
	{ calls, ...shared }: SharedPolicy,
): CallPolicy {
	if (timeoutMs > maxTimeoutMs) {
		throw new ParameterError(
			subjectOf(options.timeoutMs),
			`must be at most ${maxTimeoutMs} if 'Reuse Connections' is on in the credential`,
		);
	}
	const maxWaitMs = maxWaitSeconds * 1000;
	const item = calls ? new ItemCalls(calls, maxWaitMs) : singleCall(maxWaitMs);
	return { timeoutMs, maxRetries, item, ...shared };
}

import type { ExecutionCalls } from '../../../client/limiter/WaitBudget';
import type { ServiceClient } from '../../../client/ServiceClient';
import { clock } from '../http/clock';
import { countOf } from '../text/countOf';
import { grouped } from '../text/grouped';

const CAUSES: Record<string, string> = {
	network: 'a network failure',
	timeout: 'a timeout',
	broken: 'a broken response',
};

/** What a person should know after a run in which requests were retried or hit a rate limit; undefined when none did. */
export function describeWaiting(
	{ retries, mayBeBilledTwice }: ServiceClient,
	calls: ExecutionCalls,
): string | undefined {
	const parts = [...retries].map(
		([cause, times]) => `${grouped(times)} after ${CAUSES[cause] ?? `HTTP status ${cause}`}`,
	);
	const sentences = parts.length === 0 ? [] : [`Retries: ${parts.join(', ')}.`];
	if (mayBeBilledTwice > 0) {
		sentences.push(
			`${countOf(mayBeBilledTwice, 'repeated request')} may have reached the service before, and may be billed twice.`,
		);
	}
	if (calls.refusals > 0) {
		const seconds = (calls.waitedMs(clock.now()) / 1000).toFixed(1);
		sentences.push(
			`${countOf(calls.refusals, 'request')} hit a rate limit. The node waited ${seconds} seconds.`,
		);
	}
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

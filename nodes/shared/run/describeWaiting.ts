import type { ServiceClient } from '../../../client/ServiceClient';
import { countOf } from '../text/countOf';
import { grouped } from '../text/grouped';

const CAUSES: Record<string, string> = {
	network: 'a network failure',
	timeout: 'a timeout',
	broken: 'a broken response',
};

/** What a person should know after a run in which requests were retried or hit a rate limit; undefined when none did. */
export function describeWaiting(client: ServiceClient | undefined): string | undefined {
	if (!client) return undefined;
	const { retries, refusals, waitedMs, mayBeBilledTwice } = client;
	const parts = [...retries].map(
		([cause, times]) => `${grouped(times)} after ${CAUSES[cause] ?? `HTTP status ${cause}`}`,
	);
	const sentences = parts.length === 0 ? [] : [`Retries: ${parts.join(', ')}.`];
	if (mayBeBilledTwice > 0) {
		sentences.push(
			`${countOf(mayBeBilledTwice, 'repeated request')} may have reached the service before, and may be billed twice.`,
		);
	}
	if (refusals > 0) {
		sentences.push(`${countOf(refusals, 'request')} hit a rate limit. The node waited ${seconds(waitedMs)}.`);
	}
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} seconds`;
}

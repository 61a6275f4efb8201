import type { ServiceClient } from '../../client/ServiceClient';

const CAUSES: Record<string, string> = {
	network: 'the network failed',
	timeout: 'the service did not answer in time',
};

/** What a person should know after a run in which requests were repeated; undefined when none was. */
export function describeWaiting(client: ServiceClient | undefined): string | undefined {
	if (!client) return undefined;
	const { retries, refusals, waitedMs } = client;
	const parts = [...retries].map(
		([cause, count]) => `${times(count)} because ${CAUSES[cause] ?? `of HTTP status ${cause}`}`,
	);
	const sentences = parts.length === 0 ? [] : [`Requests were repeated ${parts.join(', and ')}.`];
	if (refusals > 0) {
		const requests = refusals === 1 ? 'One request was' : `${refusals} requests were`;
		sentences.push(
			`${requests} refused because of a rate limit, for which the node waited ${seconds(waitedMs)}.`,
		);
	}
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

function times(count: number): string {
	return count === 1 ? 'once' : `${count} times`;
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} seconds`;
}

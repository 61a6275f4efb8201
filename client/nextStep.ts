import type { RateLimitName, ServiceErrorFacts } from './ServiceError';

const UNKNOWN_MODEL = 20012;

const OVERLOADED = 50505;

const NEXT_STEP_OF_STATUS: Record<number, string> = {
	400: 'Correct the request as the message says.',
	401: 'Check the API key in the credential.',
	403: 'The API key lacks permission. The most common reason is a model that requires real-name verification of the account.',
	404: 'Check the base URL in the credential: it must include the version, /v1.',
	429: 'A rate limit is reached. Try again later, or lower the concurrency.',
	500: "The service failed. Try again; if it goes on, contact the service's support with the trace ID.",
	503: 'The model is overloaded. Try again later; for messages and chats, streaming makes this rarer.',
	504: 'The model took too long, mostly because of high load. Try again later; for messages and chats, streaming makes this rarer.',
};

const NEXT_STEP_OF_KIND: Record<Exclude<ServiceErrorFacts['kind'], 'status'>, string> = {
	redirect: 'Check the base URL in the credential. If the service has moved, enter the new address there.',
	network:
		'Check the base URL in the credential, and that this n8n instance can reach the service (network, proxy, firewall).',
	blocked:
		"Check the base URL in the credential against the credential's allowed domains and the instance's network rules.",
	timeout:
		'Try again, or raise the option "Timeout". For messages and chats, streaming keeps a slow answer alive.',
	reply:
		'Try again. If it goes on, something between n8n and the service may change its answers: check the base URL in the credential, and proxies.',
	content: 'Tell the model in its instructions what the answer must look like, or raise "Max Tokens".',
	refused: 'Check the account with the service.',
};

const LIMITED: Record<string, string> = { R: 'requests', T: 'tokens', I: 'images' };

/** What a person should do about an error of the service: one or two sentences. */
export function nextStep({ kind, httpStatus, code, limit }: Omit<ServiceErrorFacts, 'message'>): string {
	if (code === UNKNOWN_MODEL) {
		return 'Unknown model: check its name. The set of models changes as they go on- and offline.';
	}
	if (code === OVERLOADED) return NEXT_STEP_OF_STATUS[503]!;
	if (limit) return nextStepOfLimit(limit);
	if (kind !== 'status') return NEXT_STEP_OF_KIND[kind];
	if (httpStatus !== undefined && httpStatus in NEXT_STEP_OF_STATUS) return NEXT_STEP_OF_STATUS[httpStatus]!;
	return httpStatus !== undefined && httpStatus < 500
		? 'Check the request and the base URL in the credential.'
		: 'Try again later.';
}

function nextStepOfLimit(limit: RateLimitName): string {
	const perDay = limit.endsWith('D');
	const what = `The limit on ${LIMITED[limit[0]!]} per ${perDay ? 'day' : 'minute'} (${limit}) is reached.`;
	return perDay
		? `${what} Run the remaining items tomorrow, or ask the service for a higher limit.`
		: `${what} Raise the option "Max Wait", lower the concurrency, or ask the service for a higher limit.`;
}

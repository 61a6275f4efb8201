import {
	isPerDay,
	type CutOff,
	type FailureKind,
	type RateLimitName,
	type ServiceErrorFacts,
} from '../../../client/ServiceError';
import { shorten } from '../../../client/values/shorten';

/** The service sends this code of its own for an unknown model. */
const UNKNOWN_MODEL_CODE = 20012;

/** The service sends this code of its own for an overload, which has the same advice as status 503. */
const OVERLOADED_CODE = 50505;

/** The advice shortens a longer model name. */
const MAX_MODEL_CHARS = 100;

const CHECK_REQUEST = 'Check the model and the parameters: the service refuses this request as it is.';

/** People meet these HTTP statuses most, so each has its own advice. */
const NEXT_STEP_OF_STATUS: Record<number, string> = {
	400: CHECK_REQUEST,
	401: 'Check the API key in the credential.',
	402: "The account cannot pay for this. Check its balance and the model's price.",
	403: 'The API key lacks permission. The most common reason is a model that requires real-name verification of the account.',
	404: 'Check the base URL in the credential: it must include the version, /v1. If it does, the service may not know the model or the ID that the request names.',
	407: "The instance's proxy requires a user name and password. Check the proxy settings of this n8n instance.",
	413: 'The request is too large. Send less: fewer fields, a shorter text or a smaller file.',
	422: CHECK_REQUEST,
	429: 'A rate limit was reached. Try again later.',
	500: "The service failed. Try again; if it keeps happening, contact the service's support.",
	501: 'The server cannot do this with this model. Choose another model.',
	503: 'The model is overloaded. Try again later.',
	504: 'The model took too long, usually because of high load. Try again later.',
	529: 'The model is overloaded. Try again later.',
};

const NEXT_STEP_OF_KIND: Record<Exclude<FailureKind['kind'], 'status'>, string> = {
	redirect: 'Check the base URL in the credential. If the service has moved, enter the new address there.',
	network:
		'Check the base URL in the credential, and that this n8n instance can reach the service (network, proxy, firewall).',
	blocked:
		"Check the base URL in the credential against the credential's allowed domains and the instance's network rules.",
	unreachable:
		'Check the base URL in the credential: its host name, its port, and the certificate of the host.',
	request: 'Check what is sent: the input item, and its file if there is one.',
	timeout: "Try again, or raise the option 'Timeout (Milliseconds)'.",
	response:
		'Try again. If it keeps happening, a proxy between n8n and the service may be altering its responses. Check the base URL in the credential, and the proxies.',
	broken:
		'The service, or a proxy in front of it, cuts its responses short. Try again; if it keeps happening, check the base URL in the credential, and the proxies.',
	reported: 'Correct what the message names, or try again later.',
	budget:
		"Raise the option 'Token Budget' and run again. Answers that were already paid for are reused, unless 'Reuse Answers' is 'Never'.",
	content: 'Tell the model in a message which JSON you expect.',
	refusal: 'Change the prompt or the system message, or use another model.',
};

const NEXT_STEP_OF_CUT_OFF: Record<CutOff, string> = {
	tokens: "The reply reached the token limit: raise 'Max Tokens'.",
	context:
		"The conversation and the reply fill the model's context window: send less, or use a model with a larger one.",
};

const RARER_AS_STREAM = " The option 'Stream From Service' makes this rarer.";

const OVERLOAD_STATUSES: ReadonlySet<number> = new Set([503, 504, 529]);

/** A shorter wait would be named as 0 s. */
const MIN_NAMED_WAIT_MS = 500;

/** Names what a limit counts, by the first letter of the limit's name, such as the R of RPM. */
const LIMITED_UNITS: Record<string, string> = { R: 'requests', T: 'tokens', I: 'images' };

/** Describes a failure, and those other facts about the call that are known and change the advice. */
type KnownFailure = FailureKind & Partial<Omit<ServiceErrorFacts, 'kind' | 'httpStatus'>>;

/** Returns what a person should do about an error of the service, in one to three sentences. */
export function nextStep(failure: KnownFailure): string {
	const { kind, code, limit, path, model, cutOffBy, couldStream, isWaitOver } = failure;
	if (code === UNKNOWN_MODEL_CODE) {
		const named = model === undefined ? '' : ` "${shorten(model, MAX_MODEL_CHARS)}"`;
		return path === '/systemone'
			? `The service does not offer the model${named} for decisions. Decisions are in alpha; check the option 'Model'.`
			: `Unknown model${named}: check its name, vendor/model_name. The service's documentation lists the models, which are added and removed over time.`;
	}
	if (limit) return nextStepOfLimit(limit, failure);
	if (isWaitOver && failure.httpStatus !== 429) return nextStepAfterOutage(failure);
	if (code === OVERLOADED_CODE) return nextStepOfStatus(503, failure);
	if (cutOffBy) return NEXT_STEP_OF_CUT_OFF[cutOffBy];
	if (failure.kind === 'status') return nextStepOfStatus(failure.httpStatus, failure);
	const step = NEXT_STEP_OF_KIND[failure.kind];
	return kind === 'timeout' && couldStream ? step + RARER_AS_STREAM : step;
}

function nextStepOfStatus(status: number, failure: KnownFailure): string {
	const other = status < 500 ? 'Check the request and the base URL in the credential.' : 'Try again later.';
	const step = NEXT_STEP_OF_STATUS[status] ?? other;
	if (status === 429 && (failure.isWaitOver || failure.retryAfterMs || failure.wouldHaveWaited)) {
		return `A rate limit was reached. ${adviseMoreWaiting(failure)}, or try again later.`;
	}
	if (status === 500 && failure.traceId !== undefined) return `${step} Give them the trace ID.`;
	return OVERLOAD_STATUSES.has(status) && failure.couldStream ? step + RARER_AS_STREAM : step;
}

function nextStepOfLimit(limit: RateLimitName, failure: KnownFailure): string {
	const perDay = isPerDay(limit);
	const what = `The limit on ${LIMITED_UNITS[limit[0]!]} per ${perDay ? 'day' : 'minute'} (${limit}) was reached.`;
	return perDay
		? `${what} Run the remaining items tomorrow, or ask the service for a higher limit.`
		: `${what} ${adviseMoreWaiting(failure)}, or ask the service for a higher limit.`;
}

/** Returns the beginning of a sentence, which the caller completes. */
function adviseMoreWaiting(failure: KnownFailure): string {
	if (failure.wouldHaveWaited) {
		return "Raise the option 'Max Retries' above 0, so that the node waits for rate limits";
	}
	return `${describeWait(failure)}${adviseLongerWait(failure)}`;
}

/** Returns the advice for an item whose Max Wait ended while the service took no requests. */
function nextStepAfterOutage(failure: KnownFailure): string {
	const sent = failure.attempts === 0 ? 'Nothing was sent for this item. ' : '';
	return `${sent}${describeWait(failure)}${adviseLongerWait(failure)}, or run again when the service works again.`;
}

/** Says what the item waited for and how long, and that Max Wait ended the wait, in sentences that others follow. */
function describeWait({ waitedMs = 0, retryAfterMs = 0, httpStatus, isWaitOver }: KnownFailure): string {
	const seconds = Math.ceil(retryAfterMs / 1000);
	if (!isWaitOver || waitedMs < MIN_NAMED_WAIT_MS) {
		return seconds > 0 ? `The service asks for a wait of ${seconds} s. ` : '';
	}
	const what = httpStatus === 429 ? 'for the rate limit' : 'for the service to take requests again';
	const more = seconds > 0 ? `, and the service asks for another ${seconds} s` : '';
	return `The item waited ${Math.round(waitedMs / 1000)} s ${what}, until 'Max Wait (Seconds)' ended the wait${more}. `;
}

/** Advises a Max Wait that is longer than it was, and would have been enough for the wait that the service asks for. */
function adviseLongerWait({ waitedMs = 0, retryAfterMs = 0 }: KnownFailure): string {
	const option = "Raise the option 'Max Wait (Seconds)'";
	if (retryAfterMs > 0) return `${option} to at least ${Math.ceil((waitedMs + retryAfterMs) / 1000)}`;
	return waitedMs < MIN_NAMED_WAIT_MS ? option : `${option} above ${Math.round(waitedMs / 1000)}`;
}

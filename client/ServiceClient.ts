import type { paths } from '../contract/types';
import type { Clock } from './time/Alarm';
import type { Reuse, RunAnswers } from './answers/RunAnswers';
import { backOff } from './backOff';
import { IdleTimeout, Watchdog } from './time/IdleTimeout';
import { isRecord } from './response/records';
import type { Limiter, Outcome } from './limiter/Limiter';
import type { LimiterRegistry } from './limiter/LimiterRegistry';
import type { ItemCalls } from './limiter/ItemCalls';
import { mayHaveBegun, mayRepeat, UNBEGUN_STATUSES, type Repeat } from './retry';
import { readErrorResponse } from './response/errors';
import { maskKey } from './response/maskKey';
import { ResponseBody } from './response/ResponseBody';
import { CallFailure, ServiceError, type Effect, type Failure } from './ServiceError';
import { shorten } from './response/shorten';
import {
	TransportFailure,
	type CallResult,
	type Credential,
	type Decoder,
	type Transport,
	type TransportResponse,
} from './Transport';

/** A gateway that gives up later (504) has waited for this one request; a sooner one has no capacity for anybody. */
const MAX_OVERLOAD_MS = 10_000;

/** An overloaded service needs a longer break than the few milliseconds that the first back-off may take. */
const MIN_AFTER_OVERLOAD_MS = 500;

/** In characters: what a person reads of an error. */
const MAX_MESSAGE_LENGTH = 500;

/** In characters: an error is stored, and sent to a browser. */
const MAX_PARTIAL_TEXT_LENGTH = 256 * 1024;

/** A stream may be kept open by comments, which a proxy sends for a service that is stuck; but not forever. */
const MAX_TIMEOUTS_WITHOUT_EVENT = 4;

/** A path of the contract with its parameters filled in. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
	? `${Before}${string}${Filled<After>}`
	: Path;

/** What is sent to the service, and how its response is read. */
export interface ServiceRequest<Result> {
	method: 'GET' | 'POST';
	/** Below the base URL, already percent-encoded. */
	path: Filled<keyof paths>;
	/** Headers besides the credential and the content type, built again for every attempt. Names in lower case. */
	headers?: () => Record<string, string>;
	json?: unknown;
	/** Sent as multipart/form-data, built again for every attempt. */
	form?: () => FormData;
	repeat: Repeat;
	/** Undefined for a request that is neither billed nor changes anything. */
	effect?: Effect;
	decode: Decoder<Result>;
	/** Receives the text of a response as it arrives. The next piece waits until the promise is resolved. */
	onText?: (text: string) => Promise<void>;
	/** Whether the node has an option that would request the same as a stream. */
	couldStream?: boolean;
	/** The text received so far, for the error of a response that breaks off. */
	partialText?: () => string;
	/** How its answer may be reused. Without it, the request is always sent. */
	reuse?: Reuse<Result> | undefined;
}

/** How long to wait for a request, and how often to repeat it. */
export interface CallPolicy {
	/** Milliseconds until the response headers, and between two chunks of the body. */
	timeoutMs: number;
	/** Most repetitions after failures; 0 switches off those after a rate limit too. */
	maxRetries: number;
	/** How long it may wait for rate limits; shared by calls that share their waits. */
	item: ItemCalls;
	/** Ends the call at once. */
	signal: AbortSignal;
	/**
	 * Ends the call before its next request, with the reason. A request in flight is aborted only if it is not billed: what is
	 * paid for ends first. The same as `signal` if there is none.
	 */
	stopSignal?: AbortSignal | undefined;
	/** Answers that may be used instead of sending a request. */
	answers?: RunAnswers | undefined;
}

interface ServiceClientParts {
	credential: Credential;
	transport: Transport;
	clock: Clock;
	/** The limiters of the process, which all executions share. */
	limiters: LimiterRegistry;
	/** Gives numbers from 0 (inclusive) to 1 (exclusive), for the jitter of back-offs. */
	random: () => number;
	/** Told of each request that was sent, when it has ended. */
	onAttempt?: (attempt: Attempt) => void;
}

/** A request that was sent once, and how it ended. It holds no headers, no bodies and no key. */
export interface Attempt {
	method: string;
	/** Below the base URL. */
	path: string;
	/** Undefined if no response came. */
	status: number | undefined;
	/** Why it failed, if it did. */
	failure: string | undefined;
	durationMs: number;
	/** Its place among the requests of its item, from 1. */
	number: number;
	traceId: string | undefined;
}

/** Calls the service. One client serves one execution of a node, so that its calls share what they learn. */
export class ServiceClient {
	/** Repetitions of billed requests that the service may have begun to process before they failed. */
	mayBeBilledTwice = 0;

	/** Requests that are billed and were aborted while they were in flight. */
	abortedBills = 0;

	/** The longest timeout that a call may have, in milliseconds. */
	readonly maxTimeoutMs: number;

	private readonly limiters = new Map<string, Promise<Limiter>>();

	private readonly watchdog: Watchdog;

	constructor(private readonly parts: ServiceClientParts) {
		this.watchdog = new Watchdog(parts.clock);
		this.maxTimeoutMs = parts.transport.maxTimeoutMs ?? Infinity;
	}

	/**
	 * Sends the request, and repeats it as long as its failures, `request.repeat` and the policy allow. Sends nothing if the
	 * policy's answers already have the answer.
	 * @throws ServiceError
	 * @throws the signal's reason after an abort
	 */
	async call<Result>(request: ServiceRequest<Result>, policy: CallPolicy): Promise<CallResult<Result>> {
		const { credential } = this.parts;
		const { path, reuse } = request;
		const json = toJson(request, policy.item);
		const ask = async () => await this.repeat(request, json, policy);
		if (!reuse || !policy.answers || json === undefined) return await ask();
		return await policy.answers.answer(reuse, { path, json, credential, policy }, ask);
	}

	/** Sends the request until it is answered, or may not be sent again. */
	private async repeat<Result>(
		request: ServiceRequest<Result>,
		json: string | undefined,
		policy: CallPolicy,
	): Promise<CallResult<Result>> {
		const { clock, random } = this.parts;
		const { item, maxRetries, signal, stopSignal = signal } = policy;
		const failures: Failure[] = [];
		const turnAway = (reason: unknown): never => {
			throw reason instanceof CallFailure ? errorOf(reason.failure, request, item) : reason;
		};
		const limiter = await this.limiterFor(request);
		const leave = limiter.enter();
		try {
			for (;;) {
				const permit = await limiter.acquire(item, stopSignal).catch(turnAway);
				const sentMs = clock.now();
				const outcome = await this.attempt(request, json, policy).catch((error: unknown) => {
					permit.end('unrelated');
					throw error;
				});
				if (!('kind' in outcome)) {
					permit.end('succeeded');
					return outcome;
				}
				const mayWait = permit.end(outcomeOf(outcome, clock.now() - sentMs), outcome);
				if (outcome.httpStatus === 429) {
					if (mayWait && maxRetries > 0) continue;
					throw errorOf(outcome, request, item, mayWait);
				}
				const { retryAfterMs = 0 } = outcome;
				const maySendAgain =
					failures.length < maxRetries &&
					mayRepeat(request.repeat, outcome, failures) &&
					retryAfterMs <= item.leftMs;
				if (!maySendAgain) throw errorOf(outcome, request, item);
				failures.push(outcome);
				if (request.effect === 'bill' && mayHaveBegun(outcome)) this.mayBeBilledTwice++;
				// After "retry after 0 seconds", all requests would be sent again immediately, and again and again.
				const leastMs = UNBEGUN_STATUSES.has(outcome.httpStatus ?? 0) ? MIN_AFTER_OVERLOAD_MS : 0;
				const waitMs = Math.max(retryAfterMs, leastMs + backOff(failures.length, random));
				// Another item goes meanwhile.
				item.setAside(true);
				await clock.wait(waitMs, stopSignal);
				item.waitedMs += retryAfterMs;
			}
		} finally {
			leave();
		}
	}

	private limiterFor({ json, path }: ServiceRequest<unknown>): Promise<Limiter> {
		const { limiters, credential } = this.parts;
		const modelOrEndpoint = modelOrEndpointOf(json, path);
		const limiter =
			this.limiters.get(modelOrEndpoint) ?? limiters.limiterFor({ ...credential, modelOrEndpoint });
		this.limiters.set(modelOrEndpoint, limiter);
		return limiter;
	}

	/**
	 * Sends the request once. A failure of the call is returned, not thrown, so that `repeat` can decide about sending it again.
	 * @throws the signal's reason after an abort, and any error that is not a failure of a call
	 */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		json: string | undefined,
		{ timeoutMs, item, ...signals }: CallPolicy,
	): Promise<CallResult<Result> | Failure> {
		const signal = request.effect === 'bill' ? signals.signal : (signals.stopSignal ?? signals.signal);
		signal.throwIfAborted();
		const headers = request.headers?.() ?? {};
		const timeout = new IdleTimeout(this.watchdog, timeoutMs, signal);
		const sentMs = this.parts.clock.now();
		const report = (failure: string | undefined) => {
			const { method, path } = request;
			const durationMs = Math.round(this.parts.clock.now() - sentMs);
			const traceId = this.traceIdOf(response, headers);
			const status = response?.status;
			this.parts.onAttempt?.({ method, path, status, failure, durationMs, number: item.attempts, traceId });
		};
		let response: TransportResponse | undefined;
		try {
			response = await this.parts.transport.send({
				method: request.method,
				path: request.path,
				headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
				body: json ?? request.form?.(),
				signal: timeout.signal,
			});
			const result = await this.read(request, response, timeout);
			report(undefined);
			return { result, traceId: this.traceIdOf(response, headers) };
		} catch (error) {
			timeout.abort();
			if (signal.aborted) report('aborted');
			if (signal.aborted && request.effect === 'bill') this.abortedBills++;
			signal.throwIfAborted();
			const failure = failureOf(error, response, timeout);
			const { apiKey } = this.parts.credential;
			const partialText = failure.partialText ?? request.partialText?.() ?? '';
			const masked = {
				...failure,
				message: shorten(maskKey(failure.message, apiKey), MAX_MESSAGE_LENGTH),
				partialText: cut(maskKey(partialText, apiKey), MAX_PARTIAL_TEXT_LENGTH) || undefined,
			};
			report(masked.message);
			item.traceId = this.traceIdOf(response, headers);
			if (mayHaveBegun(masked)) item.mayHaveBegun++;
			return masked;
		}
	}

	/** The trace ID of the response, or else the one that was sent. */
	private traceIdOf(
		response: TransportResponse | undefined,
		sent: Record<string, string>,
	): string | undefined {
		const traceId =
			response?.header('x-service-trace-id') || (sent['x-trace-id'] ?? sent.traceparent?.split('-')[1]);
		return traceId && cut(maskKey(traceId, this.parts.credential.apiKey), MAX_MESSAGE_LENGTH);
	}

	/** @throws CallFailure for an error response */
	private async read<Result>(
		{ decode, path, onText }: ServiceRequest<Result>,
		response: TransportResponse,
		timeout: IdleTimeout,
	): Promise<Result> {
		const { status, header } = response;
		const body = new ResponseBody(response.body, timeout);
		if (status < 200 || status > 299) {
			const url = this.parts.credential.baseUrl + path;
			throw new CallFailure(readErrorResponse(response, await body.errorText(), Date.now(), url));
		}
		const onProgress = () => timeout.endIn(MAX_TIMEOUTS_WITHOUT_EVENT * timeout.timeoutMs);
		const result = await decode({ header, body, onProgress, onText });
		void body.finish();
		return result;
	}
}

/**
 * What a limiter is for. The document names limits for all endpoints and no numbers; a limit that spans models lets each limiter
 * find its share.
 */
function modelOrEndpointOf(json: unknown, path: string): string {
	if (isRecord(json) && typeof json.model === 'string') return json.model;
	return path.startsWith('/batches/') ? '/batches' : path;
}

/** What a failed attempt, which took so many milliseconds, shows about the limits of the service. */
function outcomeOf({ kind, httpStatus }: Failure, tookMs: number): Outcome {
	if (httpStatus === 429) return 'rateLimited';
	if (kind !== 'status') return 'unrelated';
	if (httpStatus === 504) return tookMs < MAX_OVERLOAD_MS ? 'overloaded' : 'unrelated';
	if (UNBEGUN_STATUSES.has(httpStatus)) return 'overloaded';
	return httpStatus < 500 && httpStatus !== 408 ? 'rejected' : 'unrelated';
}

/**
 * The error of a call, with what is known of its item's requests. This is the only place that makes one for a request.
 * @param retriesOff whether a rate limit would have been waited for, if the caller allowed any retry
 */
function errorOf(
	failure: Failure,
	{ path, effect, couldStream }: ServiceRequest<unknown>,
	{ attempts, mayHaveBegun, traceId }: ItemCalls,
	retriesOff?: boolean,
): ServiceError {
	return new ServiceError({
		...failure,
		path,
		effect,
		couldStream,
		retriesOff,
		attempts,
		mayHaveBegun,
		traceId,
	});
}

/** What is known about a failed attempt. Rethrows any error that is not a failure of a call. */
function failureOf(
	error: unknown,
	response: TransportResponse | undefined,
	{ expiredAfterMs, timeoutMs }: IdleTimeout,
): Failure {
	const httpStatus = response?.status;
	if (error instanceof CallFailure) {
		const { failure } = error;
		return failure.kind === 'status' ? failure : { ...failure, httpStatus };
	}
	if (expiredAfterMs !== undefined) {
		const stalled =
			expiredAfterMs > timeoutMs
				? 'the service kept the connection open, but sent nothing else'
				: "the service's response stalled";
		const what = response ? stalled : 'the service did not respond';
		return { kind: 'timeout', httpStatus, message: `Timed out: ${what} for ${expiredAfterMs} ms` };
	}
	if (!(error instanceof TransportFailure)) throw error;
	const { kind, message, isUnsent } = error;
	if (!response || kind === 'blocked') return { kind, httpStatus, message, isUnsent };
	return {
		kind: 'broken',
		httpStatus,
		message: `The connection broke before the service's response was complete: ${message}`,
	};
}

function cut(text: string, maxLength: number): string {
	return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/**
 * The body of a request.
 * @throws ServiceError for what JSON cannot hold
 */
function toJson(request: ServiceRequest<unknown>, item: ItemCalls): string | undefined {
	try {
		return JSON.stringify(request.json);
	} catch (error) {
		const isTooDeep = error instanceof RangeError;
		const why = isTooDeep ? 'it is nested too deeply, or too large' : (error as Error).message;
		const message = `The request cannot be written as JSON: ${why}`;
		throw errorOf({ kind: 'request', message }, request, item);
	}
}

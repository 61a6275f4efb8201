import type { paths } from '../contract/types';
import type { Clock } from './time/Alarm';
import type { PaidAnswer } from './answers/AnswerStore';
import type { Reuse, RunAnswers } from './answers/RunAnswers';
import { backOff } from './backOff';
import { IdleTimeout, Watchdog } from './time/IdleTimeout';
import { isRecord } from './values/records';
import type { Outcome } from './limiter/Permit';
import { limitScopeOf, type LimiterRegistry, type LimitScope } from './limiter/LimiterRegistry';
import type { ItemCalls } from './limiter/ItemCalls';
import {
	mayHaveBegun,
	mayRepeat,
	needsOwnConnection,
	UNAVAILABLE_STATUSES,
	UNBEGUN_STATUSES,
	type Repeat,
} from './retry';
import { decodeJsonObject } from './response/decodeJson';
import { readErrorResponse } from './response/errors';
import { maskKey } from './response/maskKey';
import { ResponseBody } from './response/ResponseBody';
import { CallFailure, isPerDay, ServiceError, type Effect, type Failure } from './ServiceError';
import { shorten } from './values/shorten';
import {
	TransportFailure,
	type CallResult,
	type Credential,
	type Decoder,
	type Transport,
	type TransportResponse,
} from './Transport';

/**
 * A 504 within this time means that the gateway takes no requests. A later 504 means that this one request took too long.
 */
const MAX_UNAVAILABLE_MS = 10_000;

/** With its jitter, the first backoff may be a few milliseconds, which is too short for an overloaded service to recover. */
const MIN_AFTER_OVERLOAD_MS = 500;

/** People do not read more characters of an error than these. */
const MAX_MESSAGE_LENGTH = 500;

/** A partial text has at most so many characters, because it is stored with the error and sent to a browser. */
const MAX_PARTIAL_TEXT_LENGTH = 256 * 1024;

/** A proxy may keep a stream open with comments although the service is stuck. An attempt has at most so many timeouts without an event. */
const MAX_TIMEOUTS_WITHOUT_EVENT = 4;

/** The log uses these words for a kind of failure. A failure's own message may quote the body, which must not be logged. */
const LOGGED_FAILURES: Partial<Record<Failure['kind'], string>> = {
	blocked: 'blocked',
	timeout: 'timed out',
	broken: 'broken off',
	response: 'unusable',
	reported: 'reports an error',
	content: 'unusable',
	refusal: 'refused by the model',
};

/** Describes a path of the contract with its parameters filled in. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
	? `${Before}${string}${Filled<After>}`
	: Path;

/** Servers with the same API list their models here. The service itself documents no such list. */
type ModelsPath = '/models';

/** Describes a request to the service, and the functions that read its response. */
export interface ServiceRequest<Result, Body = unknown> {
	method: 'GET' | 'POST';
	/** Holds the path below the base URL, already percent-encoded. */
	path: Filled<keyof paths> | ModelsPath;
	/** Builds the headers other than the credential and the content type, for every attempt anew. Names are in lower case. */
	headers?: () => Record<string, string>;
	json?: unknown;
	/** Builds the body of a request that is sent as multipart/form-data, for every attempt anew. */
	form?: () => FormData;
	repeat: Repeat;
	/** The effect is undefined for a request that is not billed and changes nothing. */
	effect?: Effect;
	/** By default, the body is decoded as a JSON object. */
	decode?: Decoder<Body>;
	/**
	 * Makes the result from the body: that of a new response, or of an answer that is reused.
	 * @throws CallFailure for a body that is not what was asked for
	 */
	read(body: Body): Result;
	/** Receives the text of a response as it arrives. The next piece is passed on when the promise is resolved. */
	onText?: (text: string) => Promise<void>;
	/** Says whether the node has an option that would stream this response. */
	couldStream?: boolean;
	/** Returns the text received so far, for the error of a response that breaks off. */
	partialText?: () => string;
	/** Says how the answer may be reused. If undefined, the request is always sent. */
	reuse?: Reuse<Result> | undefined;
}

/** Describes how long to wait for a request, and how often to repeat it. */
export interface CallPolicy {
	/** Limits the wait for the response headers, and each wait between two chunks of the body. */
	timeoutMs: number;
	/** Limits the retries after failures. Retries after a rate limit are not counted, but 0 switches them off too. */
	maxRetries: number;
	/** Holds the item that the call belongs to. Its calls share one Max Wait. */
	item: ItemCalls;
	/** Its abort ends the call at once. */
	signal: AbortSignal;
	/**
	 * Ends the call before its next request, with the signal's reason. A billed request that is in flight is not aborted, because
	 * its answer is paid for. If undefined, `signal` is used.
	 */
	stopSignal?: AbortSignal | undefined;
	/** Holds the answers that may be used instead of sending a request. It is undefined if every request must be sent. */
	answers?: RunAnswers | undefined;
}

interface ServiceClientParts {
	credential: Credential;
	transport: Transport;
	clock: Clock;
	/** Holds the limiters of the process, which all executions share. */
	limiters: LimiterRegistry;
	/** Returns a number from 0 (inclusive) to 1 (exclusive), for the jitter of backoffs. */
	random: () => number;
	/** Is called for each request that was sent, when it has ended. */
	onAttempt?: (attempt: Attempt) => void;
}

/** Describes a request that was sent once, and how it ended. It holds no headers, no bodies and no key. */
export interface Attempt {
	method: string;
	/** Holds the path below the base URL. */
	path: string;
	/** The status is undefined if no response came. */
	status: number | undefined;
	/** Holds the reason of the failure, if the status does not say it. */
	failure: string | undefined;
	durationMs: number;
	/** Holds the position of the attempt among those of its item, from 1. */
	number: number;
	traceId: string | undefined;
}

type AttemptResult<Result> =
	{ success: true; called: CallResult<Result> } | { success: false; failure: Failure };

/** Calls the service. One client serves one run of a node, and counts what may be billed twice in it. */
export class ServiceClient {
	private readonly counts = { sentAgain: 0, mayBeBilledTwice: 0, abortedBills: 0 };

	/** Holds the longest timeout that a call may have, in milliseconds. */
	readonly maxTimeoutMs: number;

	/** Hashing takes longer than a turn of the event loop, so it is done once for each model. */
	private readonly scopes = new Map<string, Promise<LimitScope>>();

	private readonly watchdog: Watchdog;

	constructor(private readonly parts: ServiceClientParts) {
		this.watchdog = new Watchdog(parts.clock);
		this.maxTimeoutMs = parts.transport.maxTimeoutMs ?? Infinity;
	}

	/** Counts the requests that were sent again after a 5xx or a broken connection. */
	get sentAgain(): number {
		return this.counts.sentAgain;
	}

	/** Counts the retries of billed requests that the service may already have begun to process. */
	get mayBeBilledTwice(): number {
		return this.counts.mayBeBilledTwice;
	}

	/** Counts the billed requests that were aborted in flight. */
	get abortedBills(): number {
		return this.counts.abortedBills;
	}

	/**
	 * Sends the request, and retries it while the kind of failure, `request.repeat` and the policy allow. Sends nothing if
	 * `policy.answers` has the answer.
	 * @throws ServiceError
	 * @throws the signal's reason after an abort
	 */
	async call<Result>(request: ServiceRequest<Result>, policy: CallPolicy): Promise<CallResult<Result>> {
		const { answers, item } = policy;
		const { path, reuse } = request;
		const json = toJson(request, item);
		if (!answers || !reuse || json === undefined) return await this.send(request, json, policy);
		const key = await answers.keyOf({ path, json, credential: this.parts.credential }, reuse, policy);
		const found = answers.find(key, item);
		if (found) return this.readAgain(request, await found, item);
		const sending = this.send(request, json, policy);
		await answers.pay(key, reuse, sending);
		return await sending;
	}

	/** The answer was sent for another item, or in an earlier run with other options, so all checks of a new response follow. */
	private readAgain<Result>(
		request: ServiceRequest<Result>,
		{ json, traceId }: PaidAnswer,
		item: ItemCalls,
	): CallResult<Result> {
		try {
			// The JSON is parsed for each item, so that items that share an answer do not share objects.
			const body: unknown = JSON.parse(json);
			return { result: request.read(body), body, traceId };
		} catch (error) {
			throw this.errorFrom(error, request, item);
		}
	}

	/** Returns the error to throw for what has ended a call. What is not a failure of a call, such as an abort, is returned unchanged. */
	private errorFrom(error: unknown, request: ServiceRequest<unknown>, item: ItemCalls): unknown {
		return error instanceof CallFailure ? errorOf(this.masked(error.failure), request, item) : error;
	}

	/** Sends the request until it is answered, or may not be sent again. */
	private async send<Result>(
		request: ServiceRequest<Result>,
		json: string | undefined,
		policy: CallPolicy,
	): Promise<CallResult<Result>> {
		const { clock, random, limiters } = this.parts;
		const { item, maxRetries, signal, stopSignal = signal } = policy;
		const failures: Failure[] = [];
		let toRepeat: Failure | undefined;
		const limiter = limiters.limiterFor(await this.scopeOf(request));
		const leave = limiter.enter(item);
		try {
			for (;;) {
				const permit = await limiter.acquire(item, stopSignal);
				if (toRepeat) this.countRepetition(request, toRepeat);
				toRepeat = undefined;
				const sentMs = clock.now();
				const attempted = await this.attempt(request, json, policy, failures).catch((error: unknown) => {
					permit.end('unrelated');
					throw error;
				});
				if (attempted.success) {
					permit.end('succeeded');
					return attempted.called;
				}
				const { failure } = attempted;
				const mayWait = permit.end(outcomeOf(failure, clock.now() - sentMs), failure);
				if (failure.httpStatus === 429) {
					if (mayWait && maxRetries > 0) continue;
					const isWaitOver = !mayWait && !isPerDay(failure.limit);
					throw errorOf({ ...failure, isWaitOver }, request, item, mayWait);
				}
				const { retryAfterMs = 0 } = failure;
				const maySendAgain = failures.length < maxRetries && mayRepeat(request.repeat, failure, failures);
				const isWaitOver = maySendAgain && retryAfterMs > item.leftMs;
				if (!maySendAgain || isWaitOver) throw errorOf({ ...failure, isWaitOver }, request, item);
				toRepeat = failure;
				failures.push(failure);
				// Without a minimum, a `Retry-After: 0` would let all requests be sent again immediately, over and over.
				const leastMs = UNBEGUN_STATUSES.has(failure.httpStatus ?? 0) ? MIN_AFTER_OVERLOAD_MS : 0;
				const waitMs = Math.max(retryAfterMs, leastMs, backOff(failures.length, random));
				// During the backoff, another item may use the slot.
				item.setAside(true);
				await clock.wait(waitMs, stopSignal);
				item.countWait(retryAfterMs);
			}
		} catch (error) {
			throw this.errorFrom(error, request, item);
		} finally {
			leave();
		}
	}

	private countRepetition({ effect }: ServiceRequest<unknown>, failure: Failure): void {
		const { kind, httpStatus = 0 } = failure;
		if (httpStatus >= 500 || kind === 'network' || kind === 'broken') this.counts.sentAgain++;
		if (effect === 'bill' && mayHaveBegun(failure)) this.counts.mayBeBilledTwice++;
	}

	private scopeOf(request: ServiceRequest<unknown>): Promise<LimitScope> {
		const modelOrEndpoint = modelOrEndpointOf(request);
		const scope = this.scopes.get(modelOrEndpoint) ?? limitScopeOf(this.parts.credential, modelOrEndpoint);
		this.scopes.set(modelOrEndpoint, scope);
		return scope;
	}

	/**
	 * Sends the request once. A failure of the call is returned, not thrown, because `send` decides whether to send it again.
	 * @param before the failures of the previous attempts
	 * @throws the signal's reason after an abort, and any error that is not a failure of a call
	 */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		json: string | undefined,
		{ timeoutMs, item, ...signals }: CallPolicy,
		before: readonly Failure[],
	): Promise<AttemptResult<Result>> {
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
				onOwnConnection: needsOwnConnection(request.repeat, before),
				signal: timeout.signal,
			});
			const read = await this.read(request, response, timeout);
			report(undefined);
			return { success: true, called: { ...read, traceId: this.traceIdOf(response, headers) } };
		} catch (error) {
			timeout.abort();
			if (signal.aborted) report('aborted');
			if (signal.aborted && request.effect === 'bill') this.counts.abortedBills++;
			signal.throwIfAborted();
			const failure = failureOf(error, response, timeout);
			const masked = this.masked({
				...failure,
				partialText: failure.partialText ?? request.partialText?.(),
			});
			report(response ? LOGGED_FAILURES[masked.kind] : masked.message);
			item.countFailure(mayHaveBegun(masked), this.traceIdOf(response, headers));
			return { success: false, failure: masked };
		}
	}

	private masked(failure: Failure): Failure {
		const { apiKey } = this.parts.credential;
		return {
			...failure,
			message: shorten(maskKey(failure.message, apiKey), MAX_MESSAGE_LENGTH),
			partialText: cut(maskKey(failure.partialText ?? '', apiKey), MAX_PARTIAL_TEXT_LENGTH) || undefined,
		};
	}

	/** Returns the trace ID of the response, or else the one that was sent. */
	private traceIdOf(
		response: TransportResponse | undefined,
		sent: Record<string, string>,
	): string | undefined {
		const traceId =
			response?.header('x-service-trace-id') || (sent['x-trace-id'] ?? sent.traceparent?.split('-')[1]);
		return traceId && cut(maskKey(traceId, this.parts.credential.apiKey), MAX_MESSAGE_LENGTH);
	}

	/**
	 * Reads a response, whose status decides whether it is a result or an error.
	 * @throws CallFailure for an error response
	 */
	private async read<Result>(
		{ decode = decodeJsonObject, path, onText, read }: ServiceRequest<Result>,
		response: TransportResponse,
		timeout: IdleTimeout,
	): Promise<{ body: unknown; result: Result }> {
		const { status, header } = response;
		const bytes = new ResponseBody(response.body, timeout);
		if (status < 200 || status > 299) {
			const url = this.parts.credential.baseUrl + path;
			throw new CallFailure(readErrorResponse(response, await bytes.errorText(), Date.now(), url));
		}
		const onProgress = () => timeout.endIn(MAX_TIMEOUTS_WITHOUT_EVENT * timeout.timeoutMs);
		const body = await decode({ header, body: bytes, onProgress, onText });
		const result = read(body);
		void bytes.finish();
		return { body, result };
	}
}

/**
 * Returns the key of the request's limiter. The service's document does not say what its limits apply to. If a limit spans
 * several models, the limiter of each finds its share.
 */
function modelOrEndpointOf({ json, form, path }: ServiceRequest<unknown>): string {
	const model = isRecord(json) ? json.model : form?.().get('model');
	if (typeof model === 'string') return model;
	return path.startsWith('/batches/') ? '/batches' : path;
}

/** Returns what a failed attempt shows about the service's limits. */
function outcomeOf({ kind, httpStatus }: Failure, tookMs: number): Outcome {
	if (httpStatus === 429) return 'rateLimited';
	// The service answered, although the node cannot use the answer.
	if (kind === 'content' || kind === 'refusal' || kind === 'response') return 'succeeded';
	if (kind === 'network') return 'unavailable';
	if (kind !== 'status') return 'unrelated';
	if (httpStatus === 504) return tookMs < MAX_UNAVAILABLE_MS ? 'unavailable' : 'unrelated';
	if (UNAVAILABLE_STATUSES.has(httpStatus)) return 'unavailable';
	return httpStatus < 500 && httpStatus !== 408 ? 'rejected' : 'unrelated';
}

/**
 * Makes the error of a call, with what is known about its item's requests.
 * @param wouldHaveWaited whether the call would have waited for the rate limit if `maxRetries` were not 0
 */
function errorOf(
	failure: Failure,
	{ path, json, effect, couldStream }: ServiceRequest<unknown>,
	{ attempts, mayHaveBegun, traceId, waitedMs }: ItemCalls,
	wouldHaveWaited?: boolean,
): ServiceError {
	return new ServiceError({
		...failure,
		path,
		model: isRecord(json) && typeof json.model === 'string' ? json.model : undefined,
		effect,
		couldStream,
		wouldHaveWaited,
		attempts,
		mayHaveBegun,
		traceId,
		waitedMs,
	});
}

/** Returns what is known about a failed attempt. Rethrows errors that are not failures of a call, such as bugs. */
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
 * Returns the body of a request.
 * @throws ServiceError for a value that cannot be written as JSON
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

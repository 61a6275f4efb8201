import type { paths } from '../contract/types';
import { backOff } from './backOff';
import type { Clock } from './Clock';
import type { Credential } from './Credential';
import type { Decoder } from './Decoder';
import { IdleTimeout } from './IdleTimeout';
import { Limiter } from './limiter/Limiter';
import type { WaitBudget } from './limiter/WaitBudget';
import { readErrorResponse } from './readErrorResponse';
import { ServiceError, type ServiceErrorFacts } from './ServiceError';
import { shorten } from './shorten';
import { TransportFailure, type Transport, type TransportResponse } from './Transport';

const TRANSIENT_STATUSES = [500, 503, 504];

/** In characters. */
const LONGEST_ERROR_BODY = 100_000;

/** In characters. */
const LONGEST_MESSAGE = 500;

/** What is sent to the service, and how its response is read. */
export interface ServiceRequest<Result> {
	method: 'GET' | 'POST';
	/** Below the base URL, already percent-encoded. */
	path: keyof paths | `/batches/${string}/cancel`;
	/** Headers besides the credential and the content type, built anew for every attempt. Names in lower case. */
	headers?: () => Record<string, string>;
	/** Sent as JSON. */
	json?: unknown;
	/** Sent as multipart/form-data, built anew for every attempt. */
	form?: () => Promise<FormData>;
	repeat: Repeat;
	/** Reads a successful response. */
	decode: Decoder<Result>;
	/** The text received so far, for the error of a response that breaks off. */
	partialText?: () => string;
}

/** How patiently a request is sent. */
export interface CallPolicy {
	/** Milliseconds until the response headers, and between two chunks of the body. */
	timeoutMs: number;
	/** Most repetitions after failures; 0 switches off those after a rate limit too. */
	maxRetries: number;
	/** How long it may wait for rate limits; shared by calls that share their waits. */
	budget: WaitBudget;
	/** Ends the call and all its waits. */
	signal: AbortSignal;
}

/**
 * When a failed request may be sent again:
 * - `always`: it changes nothing that matters when it is carried out twice; a timeout is repeated once
 * - `unless-timed-out`: one that may still be running must not be started again
 * - `only-if-refused`: only a response that says it was not carried out (429, 503) makes it safe
 */
export type Repeat = 'always' | 'unless-timed-out' | 'only-if-refused';

export interface CallResult<Result> {
	result: Result;
	/** The service's trace identifier, or the one sent where the response names none. */
	traceId?: string;
}

export interface ServiceClientParts {
	credential: Credential;
	transport: Transport;
	clock: Clock;
	/** From 0 (inclusive) to 1 (exclusive), for the jitter of back-offs. */
	random: () => number;
}

/** Calls the service. One client serves one execution of a node, so that its calls share what they learn. */
export class ServiceClient {
	/** Repetitions after failures other than rate limits so far, by what failed: `503`, `network`, `timeout` and so on. */
	readonly retries = new Map<string, number>();

	private readonly limiter: Limiter;

	private readonly redact: (text: string) => string;

	constructor(private readonly parts: ServiceClientParts) {
		this.limiter = new Limiter(parts.clock, parts.random);
		this.redact = redactionOf(parts.credential);
	}

	/** Requests refused with 429 so far. */
	get refusals(): number {
		return this.limiter.refusals;
	}

	/** Milliseconds for which a rate limit kept everything from starting, so far. */
	get pausedMs(): number {
		return this.limiter.pausedMs;
	}

	/**
	 * Sends the request, and repeats it as far as its failures, `request.repeat` and the policy allow.
	 * @throws ServiceError
	 * @throws the signal's reason after an abort
	 */
	async call<Result>(request: ServiceRequest<Result>, policy: CallPolicy): Promise<CallResult<Result>> {
		const { clock, random } = this.parts;
		const { budget, maxRetries, signal } = policy;
		let timeouts = 0;
		for (let retries = 0; ;) {
			const permit = await this.limiter.acquire(budget, signal);
			const outcome = await this.attempt(request, policy).catch(async (error: unknown) => {
				permit.released();
				return await Promise.reject(error);
			});
			if (!(outcome instanceof ServiceError)) {
				permit.succeeded();
				return outcome;
			}
			const { facts } = outcome;
			if (facts.httpStatus === 429) {
				if (permit.throttled(outcome) && maxRetries > 0) continue;
				throw outcome;
			}
			permit.released();
			if (facts.kind === 'timeout') timeouts++;
			if (retries >= maxRetries || !mayRepeat(request.repeat, facts, timeouts)) throw outcome;
			if (facts.retryAfterMs !== undefined && facts.retryAfterMs > budget.leftMs) throw outcome;
			retries++;
			this.countRetry(facts);
			await clock.wait(facts.retryAfterMs ?? backOff(retries, random), signal);
			budget.waitedMs += facts.retryAfterMs ?? 0;
		}
	}

	/** @throws the signal's reason after an abort */
	private async attempt<Result>(
		request: ServiceRequest<Result>,
		{ timeoutMs, budget, signal }: CallPolicy,
	): Promise<CallResult<Result> | ServiceError> {
		signal.throwIfAborted();
		const headers = request.headers?.() ?? {};
		const url = this.parts.credential.baseUrl + request.path;
		const timeout = new IdleTimeout(this.parts.clock, timeoutMs, signal);
		let response: TransportResponse | undefined;
		const fail = (facts: ServiceErrorFacts) =>
			new ServiceError({
				...facts,
				message: shorten(this.redact(facts.message), LONGEST_MESSAGE),
				partialText: this.redact(facts.partialText ?? request.partialText?.() ?? '') || undefined,
				attempts: budget.attempts,
				traceId: this.traceIdOf(response, headers),
			});
		try {
			response = await this.send(request, url, headers, timeout);
			const { status, header } = response;
			const body = bodyOf(response, timeout);
			if (status < 200 || status > 299) {
				const text = await readErrorText(body);
				signal.throwIfAborted();
				return fail(readErrorResponse(response, text, this.parts.clock.now(), url));
			}
			const result = await request.decode({ header, body });
			return { result, traceId: this.traceIdOf(response, headers) };
		} catch (error) {
			signal.throwIfAborted();
			return fail(factsOf(error, response, timeout.expired ? timeoutMs : undefined));
		} finally {
			timeout.stop();
		}
	}

	private async send(
		{ method, json, form }: ServiceRequest<unknown>,
		url: string,
		headers: Record<string, string>,
		{ signal }: IdleTimeout,
	): Promise<TransportResponse> {
		return await this.parts.transport.send({
			method,
			url,
			headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
			body: json === undefined ? await form?.() : JSON.stringify(json),
			signal,
		});
	}

	private traceIdOf(
		response: TransportResponse | undefined,
		sent: Record<string, string>,
	): string | undefined {
		const traceId =
			response?.header('x-service-trace-id') ?? sent['x-trace-id'] ?? sent.traceparent?.split('-')[1];
		return traceId === undefined ? undefined : this.redact(traceId);
	}

	private countRetry({ kind, httpStatus }: ServiceErrorFacts): void {
		const cause = kind === 'status' ? String(httpStatus) : kind;
		this.retries.set(cause, (this.retries.get(cause) ?? 0) + 1);
	}
}

function mayRepeat(repeat: Repeat, { kind, httpStatus }: ServiceErrorFacts, timeouts: number): boolean {
	if (kind === 'status') {
		return TRANSIENT_STATUSES.includes(httpStatus) && (repeat !== 'only-if-refused' || httpStatus === 503);
	}
	if (kind === 'timeout') return repeat === 'always' && timeouts === 1;
	return kind === 'network' && repeat !== 'only-if-refused';
}

async function* bodyOf({ body }: TransportResponse, timeout: IdleTimeout): AsyncGenerator<Uint8Array> {
	timeout.refresh();
	for await (const chunk of body) {
		timeout.refresh();
		yield chunk;
		// The time that a slow chat takes for a chunk does not count as the service being idle.
		timeout.refresh();
	}
	timeout.complete();
}

/**
 * What is known about an attempt that failed, other than by an error response. Throws an error that is none of these.
 * @param expiredMs the timeout, when it has ended the attempt
 */
function factsOf(
	error: unknown,
	response: TransportResponse | undefined,
	expiredMs: number | undefined,
): ServiceErrorFacts {
	const httpStatus = response?.status;
	if (error instanceof ServiceError) {
		const { facts } = error;
		return facts.kind === 'status' ? facts : { ...facts, httpStatus };
	}
	if (expiredMs !== undefined) {
		const what = response ? "the service's response stalled" : 'the service did not respond';
		return { kind: 'timeout', httpStatus, message: `Timed out: ${what} for ${expiredMs} ms` };
	}
	if (!(error instanceof TransportFailure)) throw error;
	const { kind, message } = error;
	if (!response || kind !== 'network') return { kind, httpStatus, message };
	return {
		kind: 'response',
		httpStatus,
		message: `The connection broke before the service's response was complete: ${message}`,
	};
}

/** The status of an error response counts even where its body breaks off. */
async function readErrorText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	try {
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length > LONGEST_ERROR_BODY) break;
		}
	} catch (error) {
		if (!(error instanceof TransportFailure)) throw error;
	}
	return text;
}

/** A service or a proxy may repeat the request's headers in what it answers, escaped in one way or another. */
function redactionOf({ apiKey }: Credential): (text: string) => string {
	const spellings = new Set([
		apiKey,
		JSON.stringify(apiKey).slice(1, -1),
		encodeURIComponent(apiKey),
		apiKey.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
	]);
	return (text) =>
		[...spellings].reduce((redacted, spelling) => redacted.replaceAll(spelling, '*****'), text);
}

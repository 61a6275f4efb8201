import { backOff } from './backOff';
import type { Clock } from './Clock';
import type { Credential } from './credential';
import { IdleWatch, type IdleTimer } from './IdleWatch';
import type { Ticket } from './RateGate';
import { RateGate, type Permit } from './RateGate';
import { readErrorReply } from './readErrorReply';
import { ServiceError, type ServiceErrorFacts } from './ServiceError';
import { shorten } from './shorten';
import { TransportFailure, type Transport, type TransportReply } from './Transport';

/** One call to the service: what is sent, and how the answer is read. */
export interface Call<Answer> {
	method: 'GET' | 'POST';
	/** Below the base URL, starting with a slash, already percent-encoded. */
	path: string;
	/** Headers besides the credential and the content type, built anew for every attempt. Names in lower case. */
	headers?: () => Record<string, string>;
	/** Sent as JSON. */
	json?: unknown;
	/** Sent as multipart/form-data, built anew for every attempt. */
	form?: () => Promise<FormData>;
	repeat: Repeat;
	/** Reads the body of a successful response. Throws a ServiceError for one that is not what was asked for. */
	decode: Decoder<Answer>;
	/** The text received so far, for the error of an answer that breaks off. */
	partialText?: () => string;
	/** Milliseconds until the response headers, and between two chunks of the body. */
	timeoutMs: number;
	/** Most repetitions after failures; 0 switches off those after a rate limit too. */
	maxRetries: number;
	/** How long it may wait for rate limits; shared by calls that share their waits. */
	ticket: Ticket;
	signal: AbortSignal;
}

/**
 * When a failed request may be sent again:
 * - `always`: it changes nothing that matters when it is carried out twice; a time-out is repeated once
 * - `unless-timed-out`: one that may still be running must not be started again
 * - `only-if-refused`: only an answer that says it was not carried out (429, 503) makes it safe
 */
export type Repeat = 'always' | 'unless-timed-out' | 'only-if-refused';

export type Decoder<Answer> = (body: AsyncIterable<Uint8Array>) => Promise<Answer>;

export interface Reply<Answer> {
	answer: Answer;
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

	private readonly gate: RateGate;

	private readonly idleWatch: IdleWatch;

	private readonly redact: (text: string) => string;

	constructor(private readonly parts: ServiceClientParts) {
		this.gate = new RateGate(parts.clock, parts.random);
		this.idleWatch = new IdleWatch(parts.clock);
		this.redact = redactionOf(parts.credential);
	}

	/** Requests refused with 429 so far. */
	get refusals(): number {
		return this.gate.refusals;
	}

	/** Milliseconds for which a rate limit kept everything from starting, so far. */
	get pausedMs(): number {
		return this.gate.pausedMs;
	}

	/**
	 * Sends the request, and repeats it as far as its failures and `call.repeat` allow.
	 * @throws ServiceError
	 * @throws the signal's reason after an abort
	 */
	async call<Answer>(call: Call<Answer>): Promise<Reply<Answer>> {
		const { clock, random } = this.parts;
		const { ticket } = call;
		let timeouts = 0;
		for (let retries = 0; ;) {
			const permit = await this.enter(ticket, call.signal);
			ticket.attempts++;
			const outcome = await this.tryOnce(call, permit);
			if (outcome.reply) return outcome.reply;
			const { error } = outcome;
			const { facts } = error;
			if (facts.httpStatus === 429) {
				const mayEnterAgain = this.gate.refused(permit, error, ticket);
				if (mayEnterAgain && call.maxRetries > 0) continue;
				throw error;
			}
			this.gate.ended(permit);
			if (facts.kind === 'timeout') timeouts++;
			if (retries >= call.maxRetries || !mayRepeat(call.repeat, facts, timeouts)) throw error;
			if (facts.retryAfterMs !== undefined && facts.retryAfterMs > ticket.leftMs) throw error;
			retries++;
			this.countRetry(facts);
			await clock.wait(facts.retryAfterMs ?? backOff(retries, random), call.signal);
			ticket.waitedMs += facts.retryAfterMs ?? 0;
		}
	}

	/** A call that the gate turns away has sent nothing since its last attempt. */
	private async enter(ticket: Ticket, signal: AbortSignal): Promise<Permit> {
		try {
			return await this.gate.enter(ticket, signal);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			const { traceId: _ofAnotherCall, ...facts } = error.facts;
			throw new ServiceError({ ...facts, attempts: ticket.attempts });
		}
	}

	private async tryOnce<Answer>(
		call: Call<Answer>,
		permit: Permit,
	): Promise<{ reply: Reply<Answer>; error?: undefined } | { reply?: undefined; error: ServiceError }> {
		try {
			const reply = await this.attempt(call);
			this.gate.passed(permit);
			return { reply };
		} catch (error) {
			if (error instanceof ServiceError) return { error };
			this.gate.ended(permit);
			throw error;
		}
	}

	private traceIdOf(reply: TransportReply | undefined, sent: Record<string, string>): string | undefined {
		const traceId =
			reply?.header('x-service-trace-id') ?? sent['x-trace-id'] ?? sent.traceparent?.split('-')[1];
		return traceId === undefined ? undefined : this.redact(traceId);
	}

	private countRetry({ kind, httpStatus }: ServiceErrorFacts): void {
		const cause = kind === 'status' ? String(httpStatus) : kind;
		this.retries.set(cause, (this.retries.get(cause) ?? 0) + 1);
	}

	private async attempt<Answer>(call: Call<Answer>): Promise<Reply<Answer>> {
		const headers = call.headers?.() ?? {};
		const { credential, transport, clock } = this.parts;
		const url = credential.baseUrl + call.path;
		const timer = this.idleWatch.start(call.timeoutMs, call.signal);
		let reply: TransportReply | undefined;
		try {
			reply = await transport.send({
				method: call.method,
				url,
				headers: call.json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
				body: call.json === undefined ? await call.form?.() : JSON.stringify(call.json),
				signal: timer.signal,
			});
			const body = touching(reply.body, timer);
			if (reply.status < 200 || reply.status > 299) {
				throw readErrorReply(reply, await readErrorText(body), clock.now(), url);
			}
			return { answer: await call.decode(body), traceId: this.traceIdOf(reply, headers) };
		} catch (error) {
			call.signal.throwIfAborted();
			const { facts } = toServiceError(error, reply, timer.expired ? call.timeoutMs : undefined);
			throw new ServiceError({
				...facts,
				httpStatus: facts.httpStatus ?? reply?.status,
				message: shorten(this.redact(facts.message), LONGEST_MESSAGE),
				partialText: this.redact(facts.partialText ?? call.partialText?.() ?? '') || undefined,
				attempts: call.ticket.attempts,
				traceId: this.traceIdOf(reply, headers),
			});
		} finally {
			timer.stop();
		}
	}
}

const TRANSIENT_STATUSES = [500, 503, 504];

function mayRepeat(repeat: Repeat, { kind, httpStatus }: ServiceErrorFacts, timeouts: number): boolean {
	if (kind === 'status') {
		const isTransient = httpStatus !== undefined && TRANSIENT_STATUSES.includes(httpStatus);
		return isTransient && (repeat !== 'only-if-refused' || httpStatus === 503);
	}
	if (kind === 'timeout') return repeat === 'always' && timeouts === 1;
	return kind === 'network' && repeat !== 'only-if-refused';
}

async function* touching(body: AsyncIterable<Uint8Array>, timer: IdleTimer): AsyncGenerator<Uint8Array> {
	timer.touch();
	for await (const chunk of body) {
		timer.touch();
		yield chunk;
		// What is done with a chunk, such as sending it on to a slow chat, is no idleness of the service.
		timer.touch();
	}
	timer.complete();
}

function timeoutError(timeoutMs: number, reply: TransportReply | undefined): ServiceError {
	const what = reply ? "the service's answer stalled" : 'the service did not answer';
	return new ServiceError({
		kind: 'timeout',
		message: `Timed out: ${what} for ${timeoutMs} ms`,
		responded: reply !== undefined,
	});
}

/** @param expiredMs the time-out, when it has ended the attempt */
function toServiceError(
	error: unknown,
	reply: TransportReply | undefined,
	expiredMs: number | undefined,
): ServiceError {
	if (error instanceof ServiceError) return error;
	if (expiredMs !== undefined) return timeoutError(expiredMs, reply);
	if (!(error instanceof TransportFailure)) throw error;
	const responded = reply !== undefined;
	return responded && error.kind === 'network'
		? new ServiceError({
				kind: 'reply',
				message: `The connection broke before the service's answer was complete: ${error.message}`,
				responded,
			})
		: new ServiceError({ kind: error.kind, message: error.message, responded });
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

const LONGEST_ERROR_BODY = 100_000;

const LONGEST_MESSAGE = 500;

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

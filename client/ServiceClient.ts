import type { Clock } from './Clock';
import type { Credential } from './credential';
import { IdleTimer } from './IdleTimer';
import { readErrorReply } from './readErrorReply';
import { ServiceError } from './ServiceError';
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
	/** Milliseconds until the response headers, and between two chunks of the body. */
	timeoutMs: number;
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
}

/** Calls the service. One client serves one execution of a node, so that its calls share what they learn. */
export class ServiceClient {
	constructor(private readonly parts: ServiceClientParts) {}

	/**
	 * @throws ServiceError
	 * @throws the signal's reason after an abort
	 */
	async call<Answer>(call: Call<Answer>): Promise<Reply<Answer>> {
		return await this.attempt(call, 1);
	}

	private async attempt<Answer>(call: Call<Answer>, attempts: number): Promise<Reply<Answer>> {
		const headers = call.headers?.() ?? {};
		const { credential, transport, clock } = this.parts;
		const url = credential.baseUrl + call.path;
		const timer = new IdleTimer(clock, call.timeoutMs, call.signal);
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
			return { answer: await call.decode(body), traceId: traceIdOf(reply, headers) };
		} catch (error) {
			call.signal.throwIfAborted();
			const { facts } = timer.expired ? timeoutError(call.timeoutMs, reply) : toServiceError(error, reply);
			throw new ServiceError({
				...facts,
				httpStatus: facts.httpStatus ?? reply?.status,
				message: withoutKey(facts.message, credential),
				partialText: facts.partialText && withoutKey(facts.partialText, credential),
				attempts,
				traceId: traceIdOf(reply, headers),
			});
		} finally {
			timer.stop();
		}
	}
}

async function* touching(body: AsyncIterable<Uint8Array>, timer: IdleTimer): AsyncGenerator<Uint8Array> {
	timer.touch();
	for await (const chunk of body) {
		timer.touch();
		yield chunk;
	}
}

function timeoutError(timeoutMs: number, reply: TransportReply | undefined): ServiceError {
	const what = reply ? "the service's answer stalled" : 'the service did not answer';
	return new ServiceError({
		kind: 'timeout',
		message: `Timed out: ${what} for ${timeoutMs} ms`,
		responded: reply !== undefined,
	});
}

function toServiceError(error: unknown, reply: TransportReply | undefined): ServiceError {
	if (error instanceof ServiceError) return error;
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

function traceIdOf(reply: TransportReply | undefined, sent: Record<string, string>): string | undefined {
	return reply?.headers['x-service-trace-id'] ?? sent['x-trace-id'] ?? sent.traceparent?.split('-')[1];
}

/** A service or a proxy may repeat the request's headers in an error. */
function withoutKey(text: string, { apiKey }: Credential): string {
	return text.replaceAll(apiKey, '*****');
}

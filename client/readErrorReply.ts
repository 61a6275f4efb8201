import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { RATE_LIMITS, ServiceError, type RateLimitName } from './ServiceError';
import { shorten } from './shorten';
import type { TransportReply } from './Transport';

const LONGEST_MESSAGE = 500;

/**
 * What an error response says. The service sends JSON or a plain string; a proxy on the way may send HTML or nothing.
 * @param reply a response whose status is not a success
 * @param text its body, or as much of it as came
 * @param nowMs for a `Retry-After` that is a date, Unix milliseconds
 * @param requestUrl what a relative `Location` is relative to
 */
export function readErrorReply(
	reply: Omit<TransportReply, 'body'>,
	text: string,
	nowMs: number,
	requestUrl: string,
): ServiceError {
	const facts = { httpStatus: reply.status, responded: true };
	if (reply.status >= 300 && reply.status < 400) {
		return new ServiceError({
			...facts,
			kind: 'redirect',
			message: `The service answered ${reply.status} with a redirect to ${hostOf(reply.headers.location, requestUrl)}, and redirects are never followed`,
		});
	}
	const body = readErrorBody(text);
	const message = body.message || `The service answered ${reply.status} ${reply.statusText}`.trim();
	return new ServiceError({
		...facts,
		kind: 'status',
		message,
		code: body.code,
		limit: reply.status === 429 ? limitNamedIn(message) : undefined,
		retryAfterMs: readRetryAfter(reply.headers['retry-after'], nowMs),
	});
}

/**
 * Milliseconds to wait, from the header's seconds or HTTP date; never negative.
 * @param value the header as received
 * @param nowMs Unix milliseconds
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	if (value === undefined || value.trim() === '') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** The message of an error's body, empty where there is none, and the service's code. */
export function readErrorBody(text: string): { message: string; code?: number } {
	const { value } = parseJson(text);
	if (typeof value === 'string') return { message: shorten(value, LONGEST_MESSAGE) };
	if (isRecord(value)) {
		const nested = isRecord(value.error) ? value.error : value;
		const message = [nested.message, value.message, value.error, value.detail].find(
			(candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
		);
		const code = [value.code, nested.code].find((candidate) => typeof candidate === 'number');
		return {
			message: shorten(message ?? text, LONGEST_MESSAGE),
			code: typeof code === 'number' ? code : undefined,
		};
	}
	return { message: shorten(looksLikeHtml(text) ? textOfHtml(text) : text, LONGEST_MESSAGE) };
}

function hostOf(location: string | undefined, requestUrl: string): string {
	if (!location) return 'an unnamed host';
	try {
		return new URL(location, requestUrl).host;
	} catch {
		return shorten(location, LONGEST_MESSAGE);
	}
}

function limitNamedIn(message: string): RateLimitName | undefined {
	return RATE_LIMITS.find((name) => new RegExp(`(^|[^A-Za-z])${name}([^A-Za-z]|$)`).test(message));
}

function looksLikeHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text);
}

function textOfHtml(html: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1];
	const heading = /<h1[^>]*>([^<]*)<\/h1>/i.exec(html)?.[1];
	return [title ?? heading, '(an HTML page, not an answer of the service)'].filter(Boolean).join(' ');
}

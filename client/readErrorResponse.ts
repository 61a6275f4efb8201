import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { RATE_LIMITS, type RateLimitName, type ServiceErrorFacts } from './ServiceError';
import type { TransportResponse } from './Transport';

/**
 * What an error response says. The service sends JSON or a plain string; a proxy on the way may send HTML or nothing.
 * @param response whose status is not a success
 * @param text its body, or as much of it as came
 * @param nowMs for a `Retry-After` that is a date, Unix milliseconds
 * @param requestUrl what a relative `Location` is relative to
 */
export function readErrorResponse(
	{ status, statusText, header }: Omit<TransportResponse, 'body'>,
	text: string,
	nowMs: number,
	requestUrl: string,
): ServiceErrorFacts {
	if (status >= 300 && status < 400) {
		return {
			kind: 'redirect',
			httpStatus: status,
			message: `The service answered ${status} with a redirect to ${hostOf(header('location'), requestUrl)}, and redirects are never followed`,
		};
	}
	const body = readErrorBody(text);
	const message = body.message || `The service answered ${status} ${statusText}`.trim();
	return {
		kind: 'status',
		httpStatus: status,
		message,
		code: body.code,
		limit: status === 429 ? limitNamedIn(message) : undefined,
		retryAfterMs: readRetryAfter(header('retry-after'), nowMs),
	};
}

/**
 * Milliseconds to wait, from the header's seconds or HTTP date; never negative.
 * @param value the header as received
 * @param nowMs Unix milliseconds
 */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	if (value === undefined || value.trim() === '') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
	// `Date.parse` takes "-5" for a year.
	const date = /[A-Za-z]/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** The message of an error's body, empty where there is none, and the service's code. */
export function readErrorBody(text: string): { message: string; code?: number } {
	const parsed = parseJson(text);
	if (!parsed.success) return { message: looksLikeHtml(text) ? textOfHtml(text) : text };
	const { value } = parsed;
	if (typeof value === 'string') return { message: value };
	if (isRecord(value)) {
		const nested = isRecord(value.error) ? value.error : value;
		const message = [nested.message, value.message, value.error, value.detail, value.data].find(
			(candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
		);
		const code = [value.code, nested.code].find((candidate) => typeof candidate === 'number');
		return { message: message ?? text, code: typeof code === 'number' ? code : undefined };
	}
	// JSON that is null or a number, or a list, says nothing to a person.
	return { message: '' };
}

function hostOf(location: string | undefined, requestUrl: string): string {
	if (!location) return 'an unnamed host';
	try {
		return new URL(location, requestUrl).host;
	} catch {
		return location;
	}
}

/** The limit that the message of a refusal names. */
export function limitNamedIn(message: string): RateLimitName | undefined {
	return RATE_LIMITS.find((name) => new RegExp(`(^|[^A-Za-z])${name}([^A-Za-z]|$)`).test(message));
}

function looksLikeHtml(text: string): boolean {
	return /^\s*</.test(text) && /<(!doctype|html|head|body)[\s>]/i.test(text.slice(0, 2000));
}

function textOfHtml(html: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1];
	const heading = /<h1[^>]*>([^<]*)<\/h1>/i.exec(html)?.[1];
	return [title ?? heading, '(an HTML page, not a response of the service)'].filter(Boolean).join(' ');
}

import { isRecord } from './isRecord';
import { parseResponseJson } from './parseResponseJson';
import { presentOrNull } from './presentOrNull';
import { RATE_LIMITS, type RateLimitName, type ServiceErrorFacts } from '../ServiceError';
import type { TransportResponse } from '../Transport';

/** In characters. No HTTP date is longer. */
const LONGEST_DATE = 100;

/** Where services and gateways put the text of an error, in the order in which it is looked for. */
const MESSAGE_FIELDS = ['message', 'msg', 'error_msg', 'detail', 'error', 'errors', 'title', 'reason'];

/** How much of a page is searched for its title, in characters. */
const LONGEST_HEAD = 2000;

/**
 * What an error response says. The service sends JSON or a plain string; a proxy on the way may send HTML or nothing.
 * @param response whose status is not a success
 * @param text its body, or the part that arrived
 * @param nowMs for a `Retry-After` that is a date, Unix milliseconds; the response's own `Date` goes before it
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
			message: `The service redirected to ${hostOf(header('location'), requestUrl)} (${status}). Redirects are never followed`,
		};
	}
	const body = readErrorBody(text);
	const message = isBlank(body.message)
		? `The service responded with status ${status} ${statusText}`
		: body.message;
	return {
		kind: 'status',
		httpStatus: status,
		message,
		code: body.code,
		limit: status === 429 ? limitNamedIn(message) : undefined,
		retryAfterMs: readRetryAfter(header('retry-after'), readDate(header('date')) ?? nowMs),
	};
}

/**
 * Milliseconds to wait, from the header's seconds or HTTP date, rounded up; never negative. Of several seconds, the first count.
 * @param value the header as received
 * @param nowMs Unix milliseconds
 */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	const seconds = /^\s*(\d{1,15}(\.\d{1,15})?)\s*(,|$)/.exec(value ?? '')?.[1];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	const timeMs = readDate(value);
	return timeMs === undefined ? undefined : Math.max(0, timeMs - nowMs);
}

/** The Unix milliseconds of an HTTP date. */
function readDate(text: string | undefined): number | undefined {
	if (text === undefined || text.length > LONGEST_DATE || !/^\s*[A-Z][a-z]{2,8},? /.test(text)) {
		return undefined;
	}
	// All dates of HTTP are in GMT; the one of asctime does not say so.
	const timeMs = Date.parse(/(GMT|UTC|[+-]\d{4})$/.test(text.trim()) ? text : `${text} GMT`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** The message of an error's body, empty if there is none, and the service's code. */
export function readErrorBody(text: string): { message: string; code?: number } {
	const parsed = parseResponseJson(text);
	if (!parsed.success) return { message: looksLikeHtml(text) ? textOfHtml(text) : text };
	const { value } = parsed;
	// Null or a number as JSON means nothing to a person.
	if (!isRecord(value)) return { message: messageIn(value) ?? '' };
	const isEmpty = Object.values(value).every((field) => presentOrNull(field) === null);
	const nested = isRecord(value.error) ? value.error : value;
	return {
		message: messageIn(value) ?? (isEmpty ? '' : text),
		code: toCode(value.code) ?? toCode(nested.code),
	};
}

/**
 * What an error says, whatever shape it has: the first text under one of the usual names, also within objects and the first
 * entry of lists. FastAPI says beside its text where the error is: `{ "loc": ["body", "x"], "msg": "Field required" }`.
 */
function messageIn(value: unknown): string | undefined {
	if (typeof value === 'string') return isBlank(value) ? undefined : value;
	if (Array.isArray(value)) return messageIn(value[0]);
	if (!isRecord(value)) return undefined;
	for (const name of MESSAGE_FIELDS) {
		const message = messageIn(value[name]);
		if (message === undefined) continue;
		return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${message}` : message;
	}
	return undefined;
}

/** Whether a person would see nothing. */
function isBlank(text: string): boolean {
	return !/[^\s\p{C}]/u.test(text);
}

function toCode(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function hostOf(location: string | undefined, requestUrl: string): string {
	if (!location) return 'an unnamed host';
	return URL.canParse(location, requestUrl) ? new URL(location, requestUrl).host : location;
}

/** The limit that the message of a refusal names first. */
export function limitNamedIn(message: string): RateLimitName | undefined {
	const named = new RegExp(`(?<![A-Za-z])(${RATE_LIMITS.join('|')})(?![A-Za-z])`).exec(message);
	return named?.[1] as RateLimitName | undefined;
}

/** Whether a text is a page, as proxies and wrong hosts send. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*</.test(text) && /<(!doctype|html|head|body)[\s>]/i.test(text.slice(0, LONGEST_HEAD));
}

/** The message of a page that was received instead of a response. */
export function textOfHtml(html: string): string {
	const head = html.slice(0, LONGEST_HEAD);
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(head)?.[1];
	const heading = /<h1[^<>]*>([^<]*)<\/h1>/i.exec(head)?.[1];
	return `${title ?? heading ?? ''} (an HTML page, not a response of the service)`;
}

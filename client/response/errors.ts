import { parseJson } from './parseJson';
import { isMissing, isRecord } from './records';
import { RATE_LIMITS, responseFailure, CallFailure, type RateLimitName, type Failure } from '../ServiceError';
import type { TransportResponse } from '../Transport';

/** In characters. No HTTP date is longer. */
const MAX_DATE_LENGTH = 100;

/** How much of a page is searched for its title, in characters. */
const MAX_HEAD_LENGTH = 2000;

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
): Failure {
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
	if (text === undefined || text.length > MAX_DATE_LENGTH || !/^\s*[A-Z][a-z]{2,8},? /.test(text)) {
		return undefined;
	}
	// All dates of HTTP are in GMT; the one of asctime does not say so.
	const timeMs = Date.parse(/(GMT|UTC|[+-]\d{4})$/.test(text.trim()) ? text : `${text} GMT`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Where the text of an error may stand in JSON: the first that has one counts. */
const MESSAGE_FIELDS = ['message', 'msg', 'error_msg', 'detail', 'error', 'errors', 'title', 'reason'];

/** How deep a text is looked for. `{ "error": { "errors": [{ "message": "…" }] } }` takes four levels. */
const MAX_LEVELS = 8;

/** The text of an error that JSON holds, within objects and the first entry of lists; empty if there is none. */
function messageIn(value: unknown, levels = MAX_LEVELS): string {
	if (typeof value === 'string') return isBlank(value) ? '' : value;
	if (levels === 0) return '';
	if (Array.isArray(value)) return messageIn(value[0], levels - 1);
	if (!isRecord(value)) return '';
	for (const name of MESSAGE_FIELDS) {
		const message = Object.hasOwn(value, name) ? messageIn(value[name], levels - 1) : '';
		if (message === '') continue;
		// FastAPI names the field that is wrong beside what is wrong with it.
		return name === 'msg' && isPath(value.loc) ? `${value.loc.join('.')}: ${message}` : message;
	}
	return '';
}

function isPath(value: unknown): value is Array<string | number> {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every((part) => typeof part === 'string' || typeof part === 'number')
	);
}

/** The message of an error's body, empty if there is none, and the service's code. */
function readErrorBody(text: string): { message: string; code?: number } {
	const parsed = parseJson(text);
	if (!parsed.success) return { message: looksLikeHtml(text) ? textOfHtml(text) : text };
	const { value } = parsed;
	const { code, error } = isRecord(value) ? value : {};
	const fields = typeof value === 'object' && value !== null ? Object.values(value) : [];
	return {
		message: messageIn(value) || (fields.every(isMissing) ? '' : text),
		code: toCode(code) ?? (isRecord(error) ? toCode(error.code) : undefined),
	};
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
function limitNamedIn(message: string): RateLimitName | undefined {
	const named = new RegExp(`(?<![A-Za-z])(${RATE_LIMITS.join('|')})(?![A-Za-z])`).exec(message);
	return named?.[1] as RateLimitName | undefined;
}

/** Whether a text is a page, as proxies and wrong hosts send. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*</.test(text) && /<(!doctype|html|head|body)[\s>]/i.test(text.slice(0, MAX_HEAD_LENGTH));
}

/** The message of a page that was received instead of a response. */
export function textOfHtml(html: string): string {
	const head = html.slice(0, MAX_HEAD_LENGTH);
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(head)?.[1];
	const heading = /<h1[^<>]*>([^<]*)<\/h1>/i.exec(head)?.[1];
	return `${title ?? heading ?? ''} (an HTML page, not a response of the service)`;
}

/**
 * The error that a body with a success status reports; undefined if it reports none. The service's errors
 * without a `status` are left to `missingError`.
 */
export function reportedErrorIn(body: Record<string, unknown>): CallFailure | undefined {
	return holdsError(body) || body.status === false ? reportedError(JSON.stringify(body)) : undefined;
}

/** Whether a body is an error, by its type or by a field that contains one. */
export function holdsError({ type, object, error }: Record<string, unknown>): boolean {
	return (
		type === 'error' || object === 'error' || isRecord(error) || (typeof error === 'string' && error !== '')
	);
}

/** Whether a body that has nothing of an answer has a text that says why. */
export function hasErrorMessage(body: object): boolean {
	return messageIn(body) !== '';
}

/**
 * The error that a text reports, in any of the shapes of an error's body.
 * @param text JSON or plain
 */
export function reportedError(text: string): CallFailure {
	const { message, code } = readErrorBody(text);
	// JSON without a message in a known field is returned as it is.
	const isRaw = message === text && text.startsWith('{');
	return new CallFailure({
		kind: 'reported',
		message: isRaw
			? `The service reported a failure: ${text}`
			: message || 'The service reported a failure without a reason',
		code,
		limit: limitNamedIn(message),
	});
}

/** @throws CallFailure as `missingError` says, unless the field holds text */
export function checkHasText<Body extends object>(body: Body, name: keyof Body & string): void {
	const value = body[name];
	if (typeof value !== 'string' || value.trim() === '') throw missingError(name, body);
}

/**
 * The error of a body with a success status that lacks what was asked for: the one that it reports, if that has a message.
 * @param what is missing
 */
export function missingError(what: string, body: object): CallFailure {
	return messageIn(body) === ''
		? responseFailure(`The service's response has no ${what}`)
		: reportedError(JSON.stringify(body));
}

import { hasVisibleText } from '../values/hasVisibleText';
import { parseJson } from '../values/parseJson';
import { isFilledText, isMissing, isRecord, type UnknownFields } from '../values/records';
import { RATE_LIMITS, responseFailure, CallFailure, type RateLimitName, type Failure } from '../ServiceError';
import type { TransportResponse } from '../Transport';

/** The title of an HTML page is searched in so many of its first characters, because a page may be long. */
const MAX_HEAD_LENGTH = 2000;

/**
 * Reads an error response. The service sends JSON or a plain string; a proxy may send HTML or nothing.
 * @param response has an error status or a redirect
 * @param text the body, or the part of it that arrived
 * @param nowMs Unix milliseconds, for a `Retry-After` that is a date, if the response has no `Date`
 * @param requestUrl resolves a relative `Location`
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
	const message = hasVisibleText(body.message)
		? body.message
		: `The service responded with status ${status} ${statusText}`;
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
 * Returns the milliseconds to wait, from seconds or an HTTP date; never negative. If the header was sent several times, the
 * first value counts.
 * @param value the header as received
 * @param nowMs Unix milliseconds
 */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	const seconds = /^\s*(\d{1,15}(\.\d{1,15})?)\s*(,|$)/.exec(value ?? '')?.[1];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	const timeMs = readDate(value);
	return timeMs === undefined ? undefined : Math.max(0, timeMs - nowMs);
}

/** Parses an HTTP date into Unix milliseconds. */
function readDate(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*[A-Z][a-z]{2,8},? /.test(text)) return undefined;
	// All HTTP dates are in GMT, but the obsolete asctime format does not say so.
	const timeMs = Date.parse(/(GMT|UTC|[+-]\d{4})$/.test(text.trim()) ? text : `${text} GMT`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Each of these fields of an error body may hold its message. The first field with a text counts. */
const MESSAGE_FIELDS = ['message', 'msg', 'error_msg', 'detail', 'error', 'errors', 'title', 'reason'];

/** Finds the message in an error body, in nested objects and in the first entry of lists. The message is empty if there is none. */
function messageIn(value: unknown): string {
	if (typeof value === 'string') return hasVisibleText(value) ? value : '';
	if (Array.isArray(value)) return messageIn(value[0]);
	if (!isRecord(value)) return '';
	for (const name of MESSAGE_FIELDS) {
		const message = Object.hasOwn(value, name) ? messageIn(value[name]) : '';
		if (message === '') continue;
		// FastAPI puts the message into `msg`, and the name of the wrong field into `loc`.
		return name === 'msg' && isPath(value.loc) ? `${value.loc.join('.')}: ${message}` : message;
	}
	return '';
}

/** Finds the first text under `message`, at any depth. */
function messageWithin(value: unknown): string {
	if (typeof value !== 'object' || value === null) return '';
	const { message } = value as { message?: unknown };
	if (typeof message === 'string' && hasVisibleText(message)) return message;
	for (const inner of Object.values(value)) {
		const found = messageWithin(inner);
		if (found !== '') return found;
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

/** Reads the message of an error body (empty if there is none) and the service's error code. */
function readErrorBody(text: string): { message: string; code?: number } {
	const parsed = parseJson(text);
	if (!parsed.success) return { message: looksLikeHtml(text) ? textOfHtml(text) : text };
	const { value } = parsed;
	const { code, error } = isRecord(value) ? value : {};
	const fields = typeof value === 'object' && value !== null ? Object.values(value) : [value];
	return {
		message: messageIn(value) || messageWithin(value) || (fields.every(isMissing) ? '' : text),
		code: toCode(code) ?? (isRecord(error) ? toCode(error.code) : undefined),
	};
}

function toCode(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function hostOf(location: string | undefined, requestUrl: string): string {
	if (!location) return 'an unnamed host';
	return URL.canParse(location, requestUrl) ? new URL(location, requestUrl).host : location;
}

/** Finds the first rate limit that the message of a 429 names. */
function limitNamedIn(message: string): RateLimitName | undefined {
	const named = new RegExp(`(?<![A-Za-z])(${RATE_LIMITS.join('|')})(?![A-Za-z])`).exec(message);
	return named?.[1] as RateLimitName | undefined;
}

/** Returns whether a text is an HTML page, which proxies and wrong hosts send. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*</.test(text) && /<(!doctype|html|head|body)[\s>]/i.test(text.slice(0, MAX_HEAD_LENGTH));
}

/** Makes an error message for an HTML page that came instead of a response. */
export function textOfHtml(html: string): string {
	const head = html.slice(0, MAX_HEAD_LENGTH);
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(head)?.[1];
	const heading = /<h1[^<>]*>([^<]*)<\/h1>/i.exec(head)?.[1];
	return `${title ?? heading ?? ''} (an HTML page, not a response of the service)`;
}

/**
 * Returns the error that a body with a success status reports, or undefined. An error that has only a message is not recognized
 * here, but by `missingError`, because an answer may have such a field too.
 */
export function reportedErrorIn(body: Record<string, unknown>): CallFailure | undefined {
	return holdsError(body) || body.status === false ? reportedError(JSON.stringify(body)) : undefined;
}

/** Returns whether a body is an error, by its type or by its field `error`. */
export function holdsError({ type, object, error }: Record<string, unknown>): boolean {
	return (
		type === 'error' || object === 'error' || isRecord(error) || (typeof error === 'string' && error !== '')
	);
}

/** These codes say that a request succeeded. The service sends 20000, other servers 0 or an HTTP status. */
const SUCCESS_CODES = new Set([0, 200, 202, 204, 20000]);

const SUCCESS_TEXT = /^(?:true|yes|ok|success|successful|succeeded|done|deleted|completed)[.!]?$/i;

/** A text with one of these words reports a success, whatever else it mentions, such as "0 errors". */
const SUCCESS_WORD = /\b(?:ok|success|successful|successfully|succeeded|done|(?<!not )deleted)\b/i;

const NO_FAILURE = /\b(?:no|0|without) (?:errors?|failures?)\b/gi;

const FAILURE_TEXT =
	/^(?:false|no)$|fail|error|not.?found|no such|not exist|denied|forbidden|invalid|reject/i;

const MIN_ERROR_STATUS = 400;

/** Only the body of an error has these fields. */
const ERROR_FIELDS = ['detail', 'errors', 'error_msg'];

/**
 * Returns the error in a body with a success status that has nothing to give but a confirmation, or undefined. Whatever says no
 * in such a body, or in its `data` or `result`, makes it an error.
 * @param body parsed JSON of any type, or a text that is no JSON
 * @param names the names of what the request was about. A text may repeat them, and their words say nothing about success.
 */
export function refusalIn(body: unknown, names: string[]): CallFailure | undefined {
	if (body === false) return reportedError('');
	const { data, result } = isRecord(body) ? body : {};
	const withoutNames = (text: string) => names.reduce((left, name) => left.replaceAll(name, ''), text);
	const text = [body, result].find((one) => typeof one === 'string' && tellsOfFailure(withoutNames(one)));
	if (text !== undefined) return reportedError(String(text));
	const refused = [body, data, result].filter(isRecord).find(saysNo);
	return refused && reportedError(JSON.stringify(refused));
}

/** Returns whether a text tells of a failure, and of no success beside it. */
function tellsOfFailure(text: string): boolean {
	return isNo(text.replace(NO_FAILURE, '').trim()) && !SUCCESS_WORD.test(text);
}

function saysNo(body: Record<string, unknown>): boolean {
	const { deleted, success, ok, status, code, data, message = body.msg } = body;
	const flags = [deleted, success, ok];
	if (holdsError(body) || body.error === true || flags.includes(0) || [...flags, status].some(isNo)) {
		return true;
	}
	if ([...flags, status, code, message].some(isYes)) return false;
	const isEnvelope = code !== undefined || data !== undefined;
	return (
		!isMissing(code) ||
		isNo(message) ||
		(isEnvelope && hasErrorMessage(body)) ||
		ERROR_FIELDS.some((name) => messageIn(body[name]) !== '')
	);
}

function isNo(value: unknown): boolean {
	if (typeof value === 'string') return FAILURE_TEXT.test(value);
	return value === false || (typeof value === 'number' && value >= MIN_ERROR_STATUS && !isYes(value));
}

function isYes(value: unknown): boolean {
	if (typeof value === 'string' && SUCCESS_TEXT.test(value.trim())) return true;
	return value === true || SUCCESS_CODES.has(toCode(value) ?? NaN);
}

/** Returns whether a body has an error message in one of the known fields. */
export function hasErrorMessage(body: object): boolean {
	return messageIn(body) !== '';
}

/**
 * Makes an error from an error body of any known shape.
 * @param text JSON or plain text
 */
export function reportedError(text: string): CallFailure {
	const { message, code } = readErrorBody(text);
	// For JSON without a message in a known field, `readErrorBody` returns the JSON itself.
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

/**
 * Makes the error for a body with a success status that lacks what was asked for. If the body has an error message, the error
 * has it too.
 * @param what names the missing part
 */
export function missingError(what: string, body: object): CallFailure {
	return messageIn(body) === '' && messageWithin(body) === ''
		? responseFailure(`The service's response has no ${what}`)
		: reportedError(JSON.stringify(body));
}

/**
 * Returns a function that reads a body which must have a text in this field.
 * @throws CallFailure from that function, for a field without text
 */
export function bodyWith<Wire>(
	name: keyof UnknownFields<Wire> & string,
): (body: UnknownFields<Wire>) => UnknownFields<Wire> {
	return (body) => {
		if (!isFilledText(body[name])) throw missingError(name, body);
		return body;
	};
}

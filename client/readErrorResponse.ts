import { isRecord } from './isRecord';
import { parseJson } from './parseJson';
import { RATE_LIMITS, type RateLimitName, type ServiceErrorFacts } from './ServiceError';
import type { TransportResponse } from './Transport';

/** How much of a page is looked at for its title, in characters. */
const LONGEST_HEAD = 2000;

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
	if (status === 304) {
		return {
			kind: 'response',
			httpStatus: status,
			message: `The service responded with status 304 ${statusText}, although nothing was cached`,
		};
	}
	if (status >= 300 && status < 400) {
		return {
			kind: 'redirect',
			httpStatus: status,
			message: `The service redirected to ${hostOf(header('location'), requestUrl)} (${status}). Redirects are never followed`,
		};
	}
	const body = readErrorBody(text);
	const message = body.message || `The service responded with status ${status} ${statusText}`;
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
 * Milliseconds to wait, from the header's seconds or HTTP date; never negative. Of several headers, the first counts.
 * @param value the header as received
 * @param nowMs Unix milliseconds
 */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
	if (value === undefined) return undefined;
	const seconds = /^\s*(\d+(\.\d+)?)\s*(,|$)/.exec(value)?.[1];
	if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
	const [date] = /^\s*[A-Za-z]+,[^,]*|^\s*[A-Za-z][^,]*/.exec(value) ?? [];
	if (date === undefined) return undefined;
	// All dates of HTTP are in GMT; the one of asctime does not say so.
	const timeMs = Date.parse(/(GMT|UTC|[+-]\d{4})\s*$/.test(date) ? date : `${date} GMT`);
	return Number.isNaN(timeMs) ? undefined : Math.max(0, timeMs - nowMs);
}

/** The message of an error's body, empty where there is none, the service's code, and the error's type. */
export function readErrorBody(text: string): { message: string; code?: number; type?: string } {
	const parsed = parseJson(text);
	if (!parsed.success) {
		const event = dataOfEvent(text);
		if (event !== undefined) return readErrorBody(event);
		return { message: looksLikeHtml(text) ? textOfHtml(text) : text };
	}
	const { value } = parsed;
	if (typeof value === 'string') return { message: value };
	if (isRecord(value)) {
		const nested = isRecord(value.error) ? value.error : value;
		const message = [nested.message, value.message, value.error, value.detail, value.errors, value.data]
			.map(toMessage)
			.find((candidate) => candidate.trim() !== '');
		const code = [value.code, nested.code].map(toCode).find((candidate) => candidate !== undefined);
		const type = typeof nested.type === 'string' ? nested.type : undefined;
		return { message: message ?? text, code, type };
	}
	// JSON that is null or a number, or a list, says nothing to a person.
	return { message: '' };
}

/** What a text, or a list of what is wrong with parts of a request, says; empty for anything else. */
function toMessage(value: unknown): string {
	if (typeof value === 'string') return value;
	if (!Array.isArray(value)) return '';
	return value
		.map((entry: unknown) => {
			if (!isRecord(entry)) return toMessage(entry);
			const what = [entry.message, entry.msg, entry.detail, entry.reason]
				.map(toMessage)
				.find((said) => said !== '');
			const where = Array.isArray(entry.loc) ? `${entry.loc.join('.')}: ` : '';
			return what === undefined ? '' : `${where}${what}`;
		})
		.filter((said) => said !== '')
		.join('; ');
}

function toCode(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The data of the first event where the text is a stream of them. */
function dataOfEvent(text: string): string | undefined {
	if (!/^\s*(event|data|id|retry)?:/.test(text)) return undefined;
	return /^data:(.*)/m.exec(text)?.[1]?.trim();
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

/** Whether a text is a page, as proxies and wrong hosts send. */
export function looksLikeHtml(text: string): boolean {
	return /^\s*</.test(text) && /<(!doctype|html|head|body)[\s>]/i.test(text.slice(0, LONGEST_HEAD));
}

function textOfHtml(html: string): string {
	const head = html.slice(0, LONGEST_HEAD);
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(head)?.[1];
	const heading = /<h1[^<>]*>([^<]*)<\/h1>/i.exec(head)?.[1];
	return `${title ?? heading ?? ''} (an HTML page, not a response of the service)`;
}

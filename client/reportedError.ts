import { isRecord } from './isRecord';
import { limitNamedIn, readErrorBody } from './readErrorResponse';
import { responseError, ServiceError } from './ServiceError';

/** What the service's bodies of errors consist of. */
const ERROR_FIELDS: ReadonlySet<string> = new Set(['code', 'message', 'data', 'status']);

/** The statuses that errors of these types would have had before the response began. */
const STATUS_OF_TYPE: Record<string, number> = {
	invalid_request_error: 400,
	authentication_error: 401,
	permission_error: 403,
	not_found_error: 404,
	rate_limit_error: 429,
	api_error: 500,
	overloaded_error: 503,
	timeout_error: 504,
};

/**
 * The error that a body with a success status reports; undefined where it reports none. The service wraps some responses in
 * `code`, `message`, `status` and `data`, and answers with these and without data where it failed.
 */
export function reportedErrorIn(body: Record<string, unknown>): ServiceError | undefined {
	const { status, type, error, data } = body;
	const isEnvelope =
		typeof body.message === 'string' &&
		status !== true &&
		Object.keys(body).every((name) => ERROR_FIELDS.has(name)) &&
		(data === undefined || data === null || typeof data === 'string');
	const isError = type === 'error' || isRecord(error) || (typeof error === 'string' && error !== '');
	return isEnvelope || isError || status === false ? reportedError(JSON.stringify(body)) : undefined;
}

/**
 * The error that a text reports, in any of the shapes of an error's body.
 * @param text JSON or plain
 */
export function reportedError(text: string): ServiceError {
	const { message, code, type = '' } = readErrorBody(text);
	// JSON that says nothing in a field that is known comes back as it is.
	const isRaw = message === text && text.startsWith('{');
	return new ServiceError({
		kind: 'reported',
		message: isRaw
			? `The service reported a failure: ${text}`
			: message || 'The service reported a failure without a reason',
		code,
		limit: limitNamedIn(message),
		meansStatus: STATUS_OF_TYPE[type],
	});
}

/**
 * A field that a result cannot do without.
 * @throws ServiceError as `lackOf` says
 */
export function requiredText(result: Record<string, unknown>, name: string): string {
	const value = result[name];
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw lackOf(name, result);
}

/**
 * The error of a body with a success status that lacks what was asked for: the one that it reports, where it has a message.
 * @param what is not there
 */
export function lackOf(what: string, body: Record<string, unknown>): ServiceError {
	const { message } = body;
	const isReported = typeof message === 'string' && message.trim() !== '';
	return isReported
		? reportedError(JSON.stringify(body))
		: responseError(`The service's response has no ${what}`);
}

import type { BadRequestError } from '../../contract/types';
import { isRecord } from './isRecord';
import { limitNamedIn, readErrorBody } from './readErrorResponse';
import type { Received } from './Received';
import { responseError, ServiceError } from '../ServiceError';

/**
 * The error that a body with a success status reports; undefined if it reports none. The service's errors
 * without a `status` are left to `missingError`.
 */
export function reportedErrorIn(body: Record<string, unknown>): ServiceError | undefined {
	return holdsError(body) || body.status === false ? reportedError(JSON.stringify(body)) : undefined;
}

/** Whether a body is an error, by its type or by a field that contains one. */
export function holdsError({ type, error }: Record<string, unknown>): boolean {
	return type === 'error' || isRecord(error) || (typeof error === 'string' && error !== '');
}

/**
 * The error that a text reports, in any of the shapes of an error's body.
 * @param text JSON or plain
 */
export function reportedError(text: string): ServiceError {
	const { message, code } = readErrorBody(text);
	// JSON without a message in a known field is returned as it is.
	const isRaw = message === text && text.startsWith('{');
	return new ServiceError({
		kind: 'reported',
		message: isRaw
			? `The service reported a failure: ${text}`
			: message || 'The service reported a failure without a reason',
		code,
		limit: limitNamedIn(message),
	});
}

/** @throws ServiceError as `missingError` says, unless the field holds text */
export function checkHasText<Body extends object>(body: Body, name: keyof Body & string): void {
	const value = body[name];
	if (typeof value !== 'string' || value.trim() === '') throw missingError(name, body);
}

/**
 * The error of a body with a success status that lacks what was asked for: the one that it reports, if that has a message.
 * @param what is missing
 */
export function missingError(what: string, body: object): ServiceError {
	const { message } = body as Received<BadRequestError>;
	const isReported = typeof message === 'string' && message.trim() !== '';
	return isReported
		? reportedError(JSON.stringify(body))
		: responseError(`The service's response has no ${what}`);
}

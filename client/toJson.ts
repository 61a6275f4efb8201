import { ServiceError } from './ServiceError';

/**
 * The body of a request.
 * @throws ServiceError for what JSON cannot hold
 */
export function toJson(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch (error) {
		const isTooDeep = error instanceof RangeError;
		throw new ServiceError({
			kind: 'request',
			message: `The request cannot be written as JSON: ${isTooDeep ? 'it is nested too deeply, or too large' : (error as Error).message}`,
			attempts: 0,
		});
	}
}

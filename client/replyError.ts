import { ServiceError } from './ServiceError';

/** An answer that is malformed, or not what was asked for. */
export function replyError(message: string): ServiceError {
	return new ServiceError({ kind: 'reply', message, responded: true });
}

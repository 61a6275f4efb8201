import type { ServiceError } from '../ServiceError';

/** Leave to send one request. Just one of its methods is called, once the request is over. */
export interface Permit {
	/** The request got past the rate limit. */
	succeeded(): void;
	/**
	 * The request was refused with 429.
	 * @param refusal what the service said
	 * @returns whether the call may acquire another permit
	 */
	throttled(refusal: ServiceError): boolean;
	/** The request ended without telling anything about the rate limit. */
	released(): void;
}

import { responseError } from './ServiceError';

/** Each takes far more memory than the few bytes of a stream that begin it. */
const MOST_PARTS = 1024;

/** Counts the parts of one result: choices, tool calls, blocks. */
export class PartCount {
	private count = 0;

	/** @throws ServiceError of kind `response` for one part too many */
	add(): void {
		this.count++;
		if (this.count > MOST_PARTS) {
			throw responseError(`The service's response has more than ${MOST_PARTS} parts`);
		}
	}
}

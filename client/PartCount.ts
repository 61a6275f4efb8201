import { MOST_CONTAINERS } from './parseResponseJson';
import { responseError } from './ServiceError';

/** Each part takes far more memory than the few bytes of a stream that begin it. */
const MOST_PARTS = 1024;

/** V8 tells texts of 16,384 characters and more apart only by comparing them, so a long index would make each lookup slow. */
const LONGEST_INDEX = 20;

/** The index by which a stream names one of its parts: a number, as documented, or whatever else a service sends. */
export function partIndex(index: unknown): unknown {
	return typeof index === 'string' ? index.slice(0, LONGEST_INDEX) : index;
}

/** Counts the parts of a result that arrives in pieces. */
export class PartCount {
	private parts = 0;

	private containers = 0;

	/**
	 * Counts a choice, a tool call or a block.
	 * @throws ServiceError of kind `response` for one too many
	 */
	add(): void {
		this.parts++;
		if (this.parts > MOST_PARTS) throw tooMany(`${MOST_PARTS} parts`);
	}

	/**
	 * Counts the lists and objects in a value.
	 * @throws ServiceError of kind `response` for one too many
	 */
	addWithin(value: unknown): void {
		if (typeof value !== 'object' || value === null) return;
		this.containers++;
		if (this.containers > MOST_CONTAINERS) throw tooMany(`${MOST_CONTAINERS} lists and objects`);
		for (const within of Object.values(value)) this.addWithin(within);
	}
}

function tooMany(what: string): Error {
	return responseError(`The service's response has more than ${what}`);
}

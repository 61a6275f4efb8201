import { MOST_CONTAINERS } from './parseResponseJson';
import { responseError } from './ServiceError';

/** Each part takes far more memory than the few bytes of a stream that begin it. */
const MOST_PARTS = 1024;

/** Counts the parts of a result that arrives in pieces. */
export class PartCount {
	private parts = 0;

	private containers = 0;

	/**
	 * A choice, a tool call or a block.
	 * @throws ServiceError of kind `response` for one too many
	 */
	add(): void {
		this.parts++;
		if (this.parts > MOST_PARTS) throw tooMany(`${MOST_PARTS} parts`);
	}

	/**
	 * The lists and objects of a value.
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

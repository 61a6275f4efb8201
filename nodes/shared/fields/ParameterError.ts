/** A parameter of one item that cannot be used. Thrown before anything is sent for that item. */
export class ParameterError extends Error {
	override readonly name = 'ParameterError';

	/**
	 * @param subject the parameter as on the screen, with its stored name behind it, such as `"Trace ID" (options.traceId)`; for a
	 * question `question "<ID>"`
	 * @param rule what it must be, such as `must not be empty`
	 * @param step what to do about it
	 */
	constructor(
		readonly subject: string,
		readonly rule: string,
		readonly step = 'Correct the parameter.',
	) {
		super(`${subject} ${rule}`);
	}
}

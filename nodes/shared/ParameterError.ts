/** A parameter of one item that cannot be used. Thrown before anything is sent for that item. */
export class ParameterError extends Error {
	override readonly name = 'ParameterError';

	/**
	 * @param parameter as in the workflow, such as `options.traceId`; for a question `question "<ID>"`
	 * @param rule what it must be, such as `must not be empty`
	 */
	constructor(
		readonly parameter: string,
		readonly rule: string,
	) {
		super(`${parameter} ${rule}`);
	}
}

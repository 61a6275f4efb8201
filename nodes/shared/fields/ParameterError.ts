/** Represents an error in a parameter of one item. It is thrown before anything is sent for that item. */
export class ParameterError extends Error {
	override readonly name = 'ParameterError';

	/**
	 * Puts the parameter, the rule and the advice together.
	 * @param subject the parameter by its label and its stored name, such as `"Trace ID" (options.traceId)`, or a question as
	 * `question "<ID>"`
	 * @param rule the rule that the value breaks, such as `must not be empty`
	 * @param step the advice for the person who filled in the node
	 */
	constructor(
		readonly subject: string,
		readonly rule: string,
		readonly step = 'Correct the parameter.',
	) {
		super(`${subject} ${rule}`);
	}
}

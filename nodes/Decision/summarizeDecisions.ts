import { count } from '../shared/text/count';
import type { Execution } from '../shared/run/Execution';
import { AnswerTally } from './AnswerTally';
import { hintValue } from './hintValue';
import { missingFields } from './state';

/** The answers of an execution so far; for `Execution.once`. */
export function answerTally(): AnswerTally {
	return new AnswerTally();
}

/** What a person should know after a run of decisions. */
export function summarizeDecisions(execution: Execution): string | undefined {
	const { context, items, mayShowData } = execution;
	const missing = mayShowData ? [...execution.once(missingFields)] : [];
	const parts = [
		execution.once(answerTally).describe(mayShowData),
		...missing.map(
			([name, times]) =>
				`Field not found, and not sent: ${hintValue(name)} (in ${times} of ${count(items.length, 'item')})`,
		),
		...(context.getNode().alwaysOutputData && context.getNodeOutputs().length > 1
			? [
					"With 'Always Output Data' on, n8n 2 sends an empty item to the 'Uncertain' output. Turn it off in the node's settings.",
				]
			: []),
	].filter((part) => part !== undefined);
	return parts.length === 0 ? undefined : parts.join('<br>');
}

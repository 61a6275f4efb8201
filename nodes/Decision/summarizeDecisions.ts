import type { Execution } from '../shared/run/Execution';
import type { DecisionState } from './DecisionState';
import { hintValue } from './hintValue';

/** What a person should know after a run of decisions. */
export function summarizeDecisions(
	{ tally, missingFields }: DecisionState,
	execution: Execution,
): string | undefined {
	const { context, items, mayShowData } = execution;
	const missing = mayShowData ? [...missingFields] : [];
	const parts = [
		tally.describe(mayShowData),
		...missing.map(
			([name, times]) =>
				`Field not found, and not sent: ${hintValue(name)} (in ${times} of ${items.length} items)`,
		),
		...(context.getNode().alwaysOutputData && context.getNodeOutputs().length > 1
			? [
					"With 'Always Output Data' on, n8n 2 sends an empty item to the 'Uncertain' output. Turn it off in the node's settings.",
				]
			: []),
	].filter((part) => part !== undefined);
	return parts.length === 0 ? undefined : parts.join('<br>');
}

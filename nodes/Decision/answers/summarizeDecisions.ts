import type { Execution } from '../../shared/run/Execution';
import type { DecisionRun } from '../DecisionRun';
import { grouped, hintValue } from '../../shared/text/wording';
import { source } from '../state/state';

const MOST_MISSING = 5;

export function summarizeDecisions(
	{ tally, missingFields }: DecisionRun,
	execution: Execution,
): string | undefined {
	const { context, items, mayShowData } = execution;
	const missing = mayShowData ? [...missingFields] : [];
	const parts = [
		tally.describe(mayShowData),
		...missing
			.slice(0, MOST_MISSING)
			.map(
				([name, times]) =>
					`Field not found, and not sent: ${hintValue(name)} (in ${times} of ${items.length} items)`,
			),
		...(missing.length > MOST_MISSING
			? [`${grouped(missing.length - MOST_MISSING)} more fields were not found`]
			: []),
		mayShowData ? describeEqual(execution) : undefined,
		...(context.getNode().alwaysOutputData && context.getNodeOutputs().length > 1
			? [
					"With 'Always Output Data' on, n8n 2 sends an empty item to the 'Uncertain' output. Turn it off in the node's settings.",
				]
			: []),
	].filter((part) => part !== undefined);
	return parts.length === 0 ? undefined : parts.join('<br>');
}

function describeEqual({ items, parameters, spending }: Execution): string | undefined {
	const shared = spending?.answers?.shared ?? 0;
	if (shared === 0 || shared < items.length - 1) return undefined;
	const kind = parameters.read(source, 0);
	if (kind !== 'text' && kind !== 'json') return undefined;
	const all = items.length === 2 ? 'both' : `all ${grouped(items.length)}`;
	const [what, field] = kind === 'text' ? ['text', 'Text'] : ['JSON', 'JSON'];
	return `The ${what} was the same for ${all} items: drag a field from the input into '${field}'.`;
}

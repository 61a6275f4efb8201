import type { RunContext } from '../../shared/context/RunContext';
import { WorkflowGraph } from '../../shared/context/WorkflowGraph';
import { outputsOf } from '../editor/outputs';
import { readStored } from '../editor/storedDecision';

/** Describes a "Route" before this node, some of whose outputs do not lead here. */
interface MissingBranches {
	node: string;
	labels: string[];
}

/**
 * Finds the nodes with "Route" that answer the evaluated question, and whose items reach this node from some outputs only. The rows are then
 * chosen by their answers, so that no figure holds for all of them.
 * @param answer the name of the field with the answer, without the path to it
 */
export function findMissingBranches({ context }: RunContext, answer: string): MissingBranches[] {
	const graph = WorkflowGraph.of(context);
	if (!graph) return [];
	const { name: own, type } = context.getNode();
	const isReached = graph.nodesBefore(own);
	return [...isReached].flatMap((name) => {
		const node = graph.node(name);
		if (!node || node.type !== type || node.disabled === true) return [];
		const stored = readStored(node.parameters);
		if (stored.operation !== 'route' || !answers(stored.questions, answer)) return [];
		const targets = graph.targetsOf(name);
		const labels = outputsOf(stored)
			.map(({ displayName = '' }) => displayName)
			.filter((_, index) => !targets[index]?.some((target) => isReached.has(target)));
		return labels.length === 0 ? [] : [{ node: name, labels }];
	});
}

/** Returns whether a field has the name of a column of one of these questions, or of the column with the output. */
function answers(questions: Array<{ id: string }>, field: string): boolean {
	return field === 'route' || questions.some(({ id }) => field === id || field.startsWith(`${id}_`));
}

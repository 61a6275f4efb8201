import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { processState } from '../service/processState';
import type { MovedLabel, Output } from '../service/ConnectionMemory';
import { increase } from '../values/increase';
import type { RunContext } from '../context/RunContext';
import { WorkflowGraph } from '../context/WorkflowGraph';
import type { ItemResult } from '../node/Operation';

/**
 * Describes what a person may not have meant, because n8n itself says nothing of it: items that get lost, and labels that lead
 * elsewhere.
 */
export interface ConnectionFindings {
	/** Counts the items that left by an output that is connected to nothing, by its label. */
	lost: ReadonlyMap<string, number>;
	/**
	 * Holds the labels that lead to other nodes than in an earlier run, because options were deleted or moved, and those that lead where
	 * another label led, because another question chooses the output.
	 */
	moved: MovedLabel[];
}

/**
 * Looks at the connections behind the outputs. When a person deletes or moves an option, n8n's editor moves the labels of the
 * outputs, but not their connections.
 * @param source identifies what decides about the labels
 * @param results the items that left, each by its output
 * @returns undefined if n8n does not show the connections, or if nothing is connected, because the workflow ends here
 */
export function watchConnections(
	run: RunContext,
	results: ItemResult[],
	source: string,
): ConnectionFindings | undefined {
	const { context } = run;
	const outputs = readOutputs(context);
	if (!outputs || outputs.every(({ targets, isForErrors }) => isForErrors || targets.length === 0)) {
		return undefined;
	}
	const lost = new Map<string, number>();
	for (const { output = 0 } of results) {
		const left = outputs[output];
		if (left?.targets.length === 0) increase(lost, left.label);
	}
	const { id: workflowId } = context.getWorkflow();
	if (!workflowId) return { lost, moved: [] };
	const node = JSON.stringify([workflowId, context.getNode().id]);
	return {
		lost,
		moved: processState.connections.compare(node, context.getMode() === 'manual', { list: outputs, source }),
	};
}

/** Returns the labelled outputs of the node, in order, and the nodes that they lead to, or undefined if n8n does not show all of them. */
function readOutputs(context: IExecuteFunctions): Output[] | undefined {
	const graph = WorkflowGraph.of(context);
	// n8n's types do not have this field of the context. It names the only node to be executed, if there is one.
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	if (!graph || runExecutionData?.startData?.destinationNode) return undefined;
	const targets = graph.targetsOf(context.getNode().name);
	return context.getNodeOutputs().map(({ displayName = '', category }, index) => ({
		label: displayName,
		isForErrors: category === 'error',
		// A node may be renamed, but keeps its ID.
		targets: (targets[index] ?? []).map((name) => ({ id: graph.node(name)?.id ?? name, name })),
	}));
}

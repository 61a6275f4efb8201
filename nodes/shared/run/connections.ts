import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { processState } from '../service/processState';
import type { MovedLabel, Output } from '../service/ConnectionMemory';
import { increase } from '../values/increase';
import { present } from '../values/present';
import type { RunContext } from '../context/RunContext';
import { WorkflowGraph } from '../context/WorkflowGraph';
import type { ItemResult } from '../node/Operation';

/**
 * Describes what a person may not have meant, because n8n itself says nothing of it: items that get lost or arrive several
 * times, and labels that lead elsewhere.
 */
export interface ConnectionFindings {
	/** Counts the items that left by an output that is connected to nothing, by its label. */
	lost: ReadonlyMap<string, number>;
	/**
	 * Holds the labels that lead to other nodes than in an earlier run, because options were deleted or moved, and those that lead where
	 * another label led, because another question chooses the output.
	 */
	moved: MovedLabel[];
	/** Counts the items that left by several outputs that lead to one input of a node, by the node's name. It runs for each of them. */
	repeated: ReadonlyMap<string, number>;
}

/**
 * Looks at the connections behind the outputs. When a person deletes or moves an option, n8n's editor moves the labels of the
 * outputs, but not their connections.
 * @param source identifies what decides about the labels
 * @param results the items that left, each by its outputs
 * @returns undefined if n8n does not show the connections, or if nothing is connected, because the workflow ends here
 */
export function watchConnections(
	run: RunContext,
	results: ItemResult[][],
	source: string,
): ConnectionFindings | undefined {
	const { context } = run;
	const outputs = readOutputs(context);
	if (!outputs || outputs.every(({ targets, isForErrors }) => isForErrors || targets.length === 0)) {
		return undefined;
	}
	const lost = new Map<string, number>();
	const repeated = new Map<string, number>();
	for (const itemResults of results) {
		const left = present(itemResults.map(({ output = 0 }) => outputs[output]));
		for (const { label, targets } of left) if (targets.length === 0) increase(lost, label);
		for (const name of repeatedIn(left)) increase(repeated, name);
	}
	const { id: workflowId } = context.getWorkflow();
	if (!workflowId) return { lost, moved: [], repeated };
	const node = JSON.stringify([workflowId, context.getNode().id]);
	return {
		lost,
		repeated,
		moved: processState.connections.compare(node, context.getMode() === 'manual', { list: outputs, source }),
	};
}

/** Returns the names of the nodes with an input that several of these outputs lead to. */
function repeatedIn(outputs: Output[]): Set<string> {
	const inputs = new Set<string>();
	const repeated = new Set<string>();
	for (const { id, name, input } of outputs.flatMap(({ targets }) => targets)) {
		const key = JSON.stringify([id, input]);
		if (inputs.has(key)) repeated.add(name);
		inputs.add(key);
	}
	return repeated;
}

/** Returns the labelled outputs of the node, in order, and the nodes that they lead to, or undefined if n8n does not show all of them. */
function readOutputs(context: IExecuteFunctions): Output[] | undefined {
	const graph = WorkflowGraph.of(context);
	// n8n's types do not have this field of the context. It names the only node to be executed, if there is one.
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	if (!graph || runExecutionData?.startData?.destinationNode) return undefined;
	const connections = graph.connectionsOf(context.getNode().name);
	return context.getNodeOutputs().map(({ displayName = '', category }, index) => ({
		label: displayName,
		isForErrors: category === 'error',
		// A node may be renamed, but keeps its ID.
		targets: (connections[index] ?? []).map(({ node: name, index: input }) => ({
			id: graph.node(name)?.id ?? name,
			name,
			input,
		})),
	}));
}

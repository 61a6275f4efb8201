import type { IExecuteFunctions, NodeConnectionType } from 'n8n-workflow';

import { isRecord } from '../../../client/values/records';

/**
 * Reads the nodes of a workflow and their connections, which n8n's types do not have. For an execution of a single step, n8n hands over
 * only the connections that lead to that step.
 */
export class WorkflowGraph {
	private constructor(
		private readonly nodes: Record<string, unknown>,
		private readonly connections: Record<string, unknown>,
	) {}

	/** Returns undefined if n8n does not show the workflow. */
	static of(context: IExecuteFunctions): WorkflowGraph | undefined {
		const { workflow } = context as { workflow?: unknown };
		if (!isRecord(workflow)) return undefined;
		const { nodes, connectionsBySourceNode: connections } = workflow;
		return isRecord(nodes) && isRecord(connections) ? new WorkflowGraph(nodes, connections) : undefined;
	}

	/** Returns a node as the workflow has it, with the parameters as they are stored. */
	node(name: string): Record<string, unknown> | undefined {
		const node = this.nodes[name];
		return isRecord(node) ? node : undefined;
	}

	/** Returns the names of the nodes that each output of this type leads to, in the order of the outputs. */
	targetsOf(name: string, type: NodeConnectionType = 'main'): string[][] {
		const outputs = this.connections[name];
		const byOutput: unknown = isRecord(outputs) ? outputs[type] : undefined;
		return listIn(byOutput).map((connections) =>
			listIn(connections)
				.filter(isRecord)
				.map(({ node }) => String(node)),
		);
	}

	/** Returns the names of the nodes with an output of this type that leads to a node. */
	sourcesOf(target: string, type?: NodeConnectionType): string[] {
		return Object.keys(this.connections).filter((name) =>
			this.targetsOf(name, type).some((targets) => targets.includes(target)),
		);
	}
}

/** An output that leads nowhere may be null. */
function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

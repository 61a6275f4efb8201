import type { IConnection, IExecuteFunctions, INode, NodeConnectionType, Workflow } from 'n8n-workflow';

/**
 * Reads the nodes of a workflow and their connections. For an execution of a single step, n8n hands over only the connections that lead
 * to that step.
 */
export class WorkflowGraph {
	private constructor(private readonly workflow: Pick<Workflow, 'nodes' | 'connectionsBySourceNode'>) {}

	/** Returns undefined if n8n does not show the workflow, which its types do not have. */
	static of(context: IExecuteFunctions): WorkflowGraph | undefined {
		const { workflow } = context as { workflow?: Partial<Workflow> };
		const { nodes, connectionsBySourceNode } = workflow ?? {};
		return nodes && connectionsBySourceNode && new WorkflowGraph({ nodes, connectionsBySourceNode });
	}

	/** Returns a node as the workflow has it, with the parameters as they are stored. */
	node(name: string): INode | undefined {
		return this.workflow.nodes[name];
	}

	/** Returns the inputs of other nodes that each output of this type leads to, in the order of the outputs. */
	connectionsOf(name: string, type: NodeConnectionType = 'main'): IConnection[][] {
		const outputs = this.workflow.connectionsBySourceNode[name]?.[type] ?? [];
		return outputs.map((connections) => connections ?? []);
	}

	/** Returns the names of the nodes that each output of this type leads to, in the order of the outputs. */
	targetsOf(name: string, type?: NodeConnectionType): string[][] {
		return this.connectionsOf(name, type).map((connections) => connections.map(({ node }) => node));
	}

	/** Returns the names of the nodes with an output of this type that leads to a node. */
	sourcesOf(target: string, type?: NodeConnectionType): string[] {
		return Object.keys(this.workflow.connectionsBySourceNode).filter((name) =>
			this.targetsOf(name, type).some((targets) => targets.includes(target)),
		);
	}

	/** Returns the names of the nodes from which items may get to a node, and its own. */
	nodesBefore(name: string): Set<string> {
		const found = new Set([name]);
		for (const known of found) {
			for (const source of this.sourcesOf(known)) found.add(source);
		}
		return found;
	}
}

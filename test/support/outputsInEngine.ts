import { text } from 'node:stream/consumers';

import {
	Expression,
	NodeHelpers,
	Workflow,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeTypesOf } from '../../engine/builtInNodes';

/** The JSON that the program reads from its standard input. */
export interface OutputsQuestion {
	/** The engine of n8n that computes the expressions. */
	engine: 'legacy' | 'vm' | 'quickjs';
	description: INodeTypeDescription;
	/** The parameters of each node. */
	stored: INodeParameters[];
}

const LIMITS = { bridgeTimeout: 5000, bridgeMemoryLimit: 128, maxCodeCacheSize: 100, poolSize: 1 };

/**
 * Prints the outputs that n8n computes for each of the nodes. This is a program of its own, because Jest does not support the
 * dynamic import by which n8n loads an engine.
 */
async function main(): Promise<void> {
	const { engine, description, stored } = JSON.parse(await text(process.stdin)) as OutputsQuestion;
	const workflow = new Workflow({
		nodes: [{ id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} }],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf({ x: { description } }),
	});
	await Expression.initExpressionEngine({ engine, ...LIMITS });
	const outputs = await workflow.expression.withIsolate(async () =>
		stored.map((parameters) => {
			const node = Object.assign(workflow.nodes.Node!, { parameters });
			return NodeHelpers.getNodeOutputs(workflow, node, description);
		}),
	);
	process.stdout.write(JSON.stringify({ engine: Expression.getActiveImplementation(), outputs }));
	await Expression.disposeExpressionEngine();
}

void main();

import { text } from 'node:stream/consumers';

import {
	Expression,
	NodeHelpers,
	Workflow,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeTypesOf } from '../../engine/builtInNodes';

export type Engine = 'legacy' | 'vm' | 'quickjs';

/** The program reads this JSON from its standard input. */
export interface OutputsQuestion {
	/** These engines of n8n compute the expressions, one after the other. */
	engines: Engine[];
	description: INodeTypeDescription;
	stored: INodeParameters[];
}

/** The program prints this JSON for each engine. */
export interface EngineOutputs {
	/** n8n says that it used this engine. */
	engine: string;
	outputs: unknown[];
}

const LIMITS = { bridgeTimeout: 5000, bridgeMemoryLimit: 128, maxCodeCacheSize: 100, poolSize: 1 };

/**
 * Prints the outputs that n8n computes for each of the nodes, in each engine. This is a program of its own, because Jest does not support the
 * dynamic import by which n8n loads an engine.
 */
async function main(): Promise<void> {
	const { engines, description, stored } = JSON.parse(await text(process.stdin)) as OutputsQuestion;
	const printed: EngineOutputs[] = [];
	for (const engine of engines) {
		await Expression.initExpressionEngine({ engine, ...LIMITS });
		const outputs = await outputsOf(description, stored);
		printed.push({ engine: Expression.getActiveImplementation(), outputs });
		await Expression.disposeExpressionEngine();
	}
	process.stdout.write(JSON.stringify(printed));
}

async function outputsOf(description: INodeTypeDescription, stored: INodeParameters[]): Promise<unknown[]> {
	const workflow = new Workflow({
		nodes: [{ id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} }],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf({ x: { description } }),
	});
	return await workflow.expression.withIsolate(async () =>
		stored.map((parameters) => {
			const node = Object.assign(workflow.nodes.Node!, { parameters });
			return NodeHelpers.getNodeOutputs(workflow, node, description);
		}),
	);
}

void main();

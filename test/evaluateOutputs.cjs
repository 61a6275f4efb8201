// Computes a node's outputs in one of n8n's expression engines. n8n loads these by a dynamic import, which Jest cannot do.
// Arguments: the engine (legacy, vm or quickjs). Standard input: { expression, cases: an array of parameters }.
require('reflect-metadata');
const { text } = require('node:stream/consumers');
const { Expression, NodeHelpers, Workflow } = require('n8n-workflow');

async function main() {
	const [, , engine] = process.argv;
	const { expression, cases } = JSON.parse(await text(process.stdin));
	await Expression.initExpressionEngine({
		engine,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		maxCodeCacheSize: 100,
		poolSize: 1,
	});
	const type = { description: { name: 'node', outputs: expression, properties: [] } };
	const find = () => type;
	const nodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const node = { id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters: {} };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const results = await workflow.expression.withIsolate(async () =>
		cases.map((parameters) => {
			workflow.nodes.Node.parameters = parameters;
			return NodeHelpers.getNodeOutputs(workflow, workflow.nodes.Node, type.description);
		}),
	);
	const implementation = Expression.getActiveImplementation();
	await Expression.disposeExpressionEngine();
	process.stdout.write(JSON.stringify({ implementation, results }));
}

void main();

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Workflow, type INode, type INodePropertyOptions, type INodeType } from 'n8n-workflow';
import { parse } from 'yaml';

import manifest from '../package.json';
import { NODE_TRIALS } from '../strangers/nodeTrials';
import { NODE_OPERATIONS, operationOf } from './nodeOperations';
import { nodeTypes } from './runNode';

/** What is written by hand for each node or operation, and would be forgotten without a test. */

const ROOT = join(__dirname, '..');

/** By their names, such as `accountTrigger`. */
const nodes = Object.values(nodeTypes).map(({ description }) => description);

/** n8n runs a trigger and a sub-node only through another node. */
const runAlone = nodes.filter(({ inputs }) => inputs.length > 0).map(({ name }) => name);

function textOf(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

test('every node has a test file of its name, which also runs on other versions of n8n', () => {
	const files = globSync('test/*.test.ts', { cwd: ROOT }).map((file) => file.toLowerCase());
	const missing = nodes.filter(({ name }) => !files.includes(`test/${name.toLowerCase()}.test.ts`));
	expect(missing.map(({ name }) => name)).toEqual([]);
});

test('the saved workflows have one for each operation of every node', () => {
	const saved = globSync('test/savedWorkflows/*.json', { cwd: ROOT }).flatMap((file) =>
		(JSON.parse(textOf(file)) as { nodes: INode[] }).nodes.map(({ type, parameters }) =>
			operationOf(type.replace(`${manifest.name}.`, ''), parameters),
		),
	);
	expect(saved).toEqual(expect.arrayContaining(NODE_OPERATIONS));
});

/** What the canvas shows below a node of this type that has one of the operations. */
function subtitleOf(type: INodeType, operation: string): unknown {
	const parameters = { operation };
	const node: INode = { id: '1', name: 'N', type: 'n', typeVersion: 1, position: [0, 0], parameters };
	const find = () => type;
	const nodeTypesOfOne = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: nodeTypesOfOne });
	return workflow.expression.getSimpleParameterValue(node, type.description.subtitle, 'internal', {});
}

test('the subtitle of every node shows the label of the operation', () => {
	for (const type of Object.values(nodeTypes)) {
		const { name, properties } = type.description;
		// Decision shows its questions instead.
		if (name === 'decision') continue;
		const choices = (properties.find((property) => property.name === 'operation')?.options ??
			[]) as INodePropertyOptions[];
		const shown = choices.map(({ value }) => subtitleOf(type, String(value)));
		expect(shown).toEqual(choices.map((choice) => choice.name));
	}
});

test('every node is introduced by the README', () => {
	const readme = textOf('README.md');
	const missing = nodes.filter(({ displayName }) => !readme.includes(displayName));
	expect(missing.map(({ name }) => name)).toEqual([]);
});

test('every node is tried with third-party servers', () => {
	const titles = NODE_TRIALS.map(({ title }) => title.split(':')[0]!.toLowerCase());
	expect(titles).toEqual(expect.arrayContaining(runAlone));
});

test('every node can be chosen in a bug report', () => {
	const { body } = parse(textOf('.github/ISSUE_TEMPLATE/bug.yml')) as {
		body: Array<{ id?: string; attributes: { options?: string[] } }>;
	};
	const { options } = body.find(({ id }) => id === 'node')!.attributes;
	const names = nodes.map(({ displayName }) => displayName.replace(/^Inference /, ''));
	expect([...options!].sort()).toEqual([...names, 'The credential'].sort());
});

test('every node has its own icons', () => {
	const icons = globSync('{nodes,credentials}/**/*.svg', { cwd: ROOT }).map(textOf);
	expect(new Set(icons).size).toBe(icons.length);
});

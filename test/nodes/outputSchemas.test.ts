import { globSync } from 'node:fs';
import path from 'node:path';

import Ajv from 'ajv';
import { loadOutputSchema } from 'n8n-core/dist/nodes-loader/output-schema-resolver';
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { nodeTypes } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

// A node's schemas matter because n8n shows their fields before the node has run, to drag them into the next node.

const emulator = useEmulator();

const NODES = path.resolve(__dirname, '../../nodes');

const MESSAGE = { messages: { message: [{ role: 'user', content: 'Hello' }] }, model: 'acme/quick-1' };

const STYLE = {
	audioSource: 'dataUri',
	audioDataUri: 'data:audio/mpeg;base64,SUQzBAAAAAAA',
	customName: 'narrator',
	text: 'Hello',
	model: 'vendor/voice-1',
};

const ROWS = [
	{ team: 'cards', expected: 'cards', team_confidence: 0.9 },
	{ team: 'fees', expected: 'cards', team_confidence: 0.4 },
];

interface Run {
	parameters: INodeParameters;
	input?: NodeInput;
	before?: () => Promise<unknown>;
}

const upload = async () => await nodeDriver('voice', emulator).json({ operation: 'upload', ...STYLE });

/** Runs of all operations except Answer Questions and Route, whose output depends on the questions. */
const runs: Record<string, Run> = {
	'Account/get': { parameters: {} },
	'Account/getBalance': { parameters: {} },
	'Batch/cancel': { parameters: { batchId: 'batch_1' } },
	'Decision/evaluate': {
		parameters: { answerField: 'team', expectedField: 'expected' },
		input: { items: ROWS },
	},
	'Message/chat': { parameters: MESSAGE },
	'Message/create': { parameters: MESSAGE },
	'Voice/delete': {
		parameters: { uri: '={{ $json.uri }}' },
		before: upload,
	},
	'Voice/getAll': { parameters: {}, before: upload },
	'Voice/upload': { parameters: STYLE },
};

const schemaOf = (name: string) => {
	const [node = '', operation] = name.split('/');
	return loadOutputSchema({ nodeDir: path.join(NODES, node), version: 1, operation }) as {
		properties: IDataObject;
	};
};

/** Allows null for every field, because a schema can show only one type and the service may send null. */
function withNulls(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withNulls);
	if (typeof schema !== 'object' || schema === null) return schema;
	const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withNulls(value)]));
	return typeof inner.type === 'string' ? { ...inner, type: [inner.type, 'null'] } : inner;
}

test.each(Object.entries(runs))(
	'%s outputs the fields of its schema',
	async (name, { parameters, input, before }) => {
		const [node = '', operation] = name.split('/');
		const made = (await before?.()) as IDataObject | undefined;
		const json = await nodeDriver(node.toLowerCase(), emulator).json(
			{ operation, ...parameters },
			input ?? (made ? { items: [made] } : {}),
		);
		const { version: _version, ...schema } = schemaOf(name) as { version?: unknown; properties: IDataObject };
		expect(Object.keys(json).sort()).toEqual(Object.keys(schema.properties).sort());
		const validate = new Ajv({ allowUnionTypes: true }).compile(withNulls(schema) as object);
		expect(validate(json) ? [] : validate.errors).toEqual([]);
	},
);

test('every operation but Answer Questions and Route has a schema, which this suite checks', () => {
	const operations = Object.values(nodeTypes).flatMap(({ description: { name, properties } }) => {
		const chooser = properties.find((property) => property.name === 'operation');
		const values = (chooser?.options ?? []) as INodePropertyOptions[];
		return values.map(({ value }) => `${name[0]!.toUpperCase()}${name.slice(1)}/${String(value)}`);
	});
	const withSchema = operations.filter((one) => !['Decision/ask', 'Decision/route'].includes(one)).sort();
	expect(Object.keys(runs).sort()).toEqual(withSchema);
	const files = globSync('*/__schema__/v1.0.0/*.json', { cwd: NODES }).map((file) =>
		file.replaceAll(path.sep, '/').replace('/__schema__/v1.0.0', '').replace('.json', ''),
	);
	expect(files.sort()).toEqual(withSchema);
});

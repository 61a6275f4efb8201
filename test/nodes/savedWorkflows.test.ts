import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodePropertyOptions,
} from 'n8n-workflow';
import { z } from 'zod/v3';

import type { RecordedMultipart } from '../../emulator/Emulator';
import { outputsOf, runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { CAPABILITIES, testWhere } from '../support/host';
import { modelUser, type Use } from '../support/modelUser';
import { credentialTypes, nodeTypes, withInner } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

/**
 * Workflows as people have saved them. They must always send the same requests and give items of the same shape: a file
 * is never changed and its snapshot never updated; what is new gets its own file. Those that end in `-complete` fill in
 * every parameter.
 */
const FOLDER = join(__dirname, 'savedWorkflows');

/** What a node of n8n's does with a chat model: a conversation with a tool, longer than the service takes. */
const converse: Use = async (model) => {
	const lookUp = new DynamicStructuredTool({
		name: 'look_up',
		description: 'Looks a city up',
		schema: z.object({ city: z.string() }),
		func: async () => '',
	});
	const turns = Array.from({ length: 6 }, (_, turn) => [
		new HumanMessage(`Question ${turn}`),
		new AIMessage({
			content: `Round ${turn}`,
			tool_calls: [{ id: `call-${turn}`, name: 'look_up', args: { city: `City ${turn}` } }],
		}),
		new ToolMessage({ tool_call_id: `call-${turn}`, content: `Result ${turn}` }),
		new AIMessage(`Answer ${turn}`),
	]).flat();
	const messages = [new SystemMessage('Be brief.'), ...turns, new HumanMessage('And now?')];
	return (await model.bindTools!([lookUp]).invoke(messages)).content;
};

const emulator = useEmulator();

const files = readdirSync(FOLDER);
const completeFiles = files.filter((file) => file.endsWith('-complete.json'));
const needsSdk = (file: string) => file.startsWith('chat-model');

/** Runs a test for each of the files, on an n8n that can. */
function testEach(title: string, some: string[], run: (file: string) => Promise<void>): void {
	test.each(some.filter((file) => !needsSdk(file)))(title, run, 120_000);
	testWhere('aiNodeSdk').each(some.filter(needsSdk))(title, run, 120_000);
}

function readWorkflow(file: string): WorkflowRun['workflow'] {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowRun['workflow'];
}

async function run(workflow: WorkflowRun['workflow'], use = converse): Promise<INodeExecutionData[][]> {
	const run = await runWorkflow({
		workflow,
		workflowId: undefined,
		nodeTypes: { ...nodeTypes, 'test.modelUser': modelUser(use) },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
	});
	return outputsOf(run, 'Node');
}

// `npm run compatibility` runs this on older versions of n8n, to tell what they lack.
test.each(Object.entries(CAPABILITIES))('this n8n has the capability %s', (_, { isThere }) => {
	expect(isThere()).toBe(true);
});

testEach('%s does what it did when it was saved', files, async (file) => {
	const outputs = await run(readWorkflow(file));
	const requests = emulator.requests
		.map(({ method, path, body, multipart }) => ({
			method,
			path,
			body,
			...(multipart && partsOf(multipart)),
		}))
		.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en'));
	expect({
		requests,
		outputs: outputs.map((items) => items.map(({ json }) => shapeOf(json))),
	}).toMatchSnapshot();
});

test('every operation of every node is in a complete workflow', () => {
	const saved = completeFiles.map((file) => {
		const { type, parameters } = nodeOf(readWorkflow(file));
		return `${type} ${String(parameters.operation)}`;
	});
	const operations = Object.entries(nodeTypes).flatMap(([type, { description }]) => {
		const chooser = description.properties.find(({ name }) => name === 'operation');
		return ((chooser?.options as INodePropertyOptions[] | undefined) ?? []).map(
			({ value }) => `${type} ${String(value)}`,
		);
	});
	expect(saved).toEqual(expect.arrayContaining(operations));
});

function partsOf({ fields, files }: RecordedMultipart): object {
	return { fields, files: files.map(({ bytes: _bytes, ...file }) => file) };
}

/** Names and types; what a model answers may change. */
function shapeOf(json: IDataObject): object {
	return Object.fromEntries(
		Object.entries(json).map(([name, value]) => [
			name,
			value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
		]),
	);
}

/*
 * Values that an API, or an AI that builds workflows, may store although the editor would not: each value of a node, and
 * each list and collection, is replaced by values of other kinds. That must be an error before anything is sent, or the same
 * as if nothing were stored.
 */
type Path = Array<string | number>;

const MISSING = Symbol('missing');

const OTHERS: Array<[string, unknown]> = [
	['nothing', MISSING],
	['an empty text', ''],
	['null', null],
	['a number', 7],
	['an empty list', []],
	['a list', ['x', null]],
	['an empty object', {}],
];

/** What n8n itself says about entries that are not a list, before it has a workflow to run. */
const NOT_LOADED = /^propertyValues\[itemName\] is not iterable$/;

const RAW = /Cannot (read|convert|destructure)|is not (a function|iterable|defined)|undefined|\[object|NaN/;

testEach(
	'%s: a stored value of another kind is an error before anything is sent, or the default',
	completeFiles,
	async (file) => {
		const workflow = readWorkflow(file);
		const { parameters } = nodeOf(workflow);
		expect(await failuresOf(workflow, parameters)).toEqual([]);
		emulator.reset();
		const wrong: string[] = [];
		// `__rl` is n8n's mark of a value with a mode, not a value.
		for (const path of pathsIn(parameters).filter((one) => one.at(-1) !== '__rl')) {
			let withoutIt: unknown[] = [];
			for (const [name, value] of OTHERS) {
				// A valid timeout, of so few milliseconds that a busy machine exceeds it.
				if (name === 'a number' && path.at(-1) === 'timeout') continue;
				const failures = await failuresOf(workflow, replaced(parameters, path, value));
				const refused = emulator.requests.some(({ status = 0 }) => status >= 400);
				const sent = emulator.requests.map(({ path, body, multipart }) => [path, body, multipart?.fields]);
				emulator.reset();
				if (value === MISSING) withoutIt = sent;
				const words = failures.map(({ message = '' }) => message).join(' ');
				if (NOT_LOADED.test(words)) continue;
				const report = (what: string) => wrong.push(`${path.join('.')} is ${name}: ${what} "${words}"`);
				if (failures.length > 0 && (words === '' || RAW.test(words))) report('fails with');
				// A number may be a name, which is valid.
				const isName = name === 'a number' && typeof valueAt(parameters, path) === 'string';
				if ((refused || (failures.length > 0 && sent.length > 0)) && !isName) {
					report('is sent, and fails with');
				}
				if (JSON.stringify(sent).includes('[object')) report('is sent as [object Object]');
				// Any object can be the input of a tool, and any object or list can be judged.
				const isValue = ['inputSchema', 'stateJson'].includes(String(path.at(-1)));
				const isEmpty = name !== 'a number' && name !== 'a list' && !isValue;
				if (isEmpty && sent.length > 0 && !isDeepStrictEqual(sent, withoutIt)) {
					report(`sends ${JSON.stringify(sent)} instead of ${JSON.stringify(withoutIt)}`);
				}
			}
		}
		expect(wrong).toEqual([]);
	},
);

test('every parameter of every node is tried', () => {
	const tried = completeFiles.map((file) => nodeOf(readWorkflow(file)));
	// Those of a tool, and n8n's own.
	const others = ['descriptionType', 'toolDescription', 'pollTimes'];
	const missing = Object.entries(nodeTypes).flatMap(([name, { description }]) => {
		const stored = tried
			.filter(({ type }) => type === name)
			.flatMap(({ parameters }) => pathsIn(parameters).map((path) => path.at(-1)));
		return withInner(description.properties)
			.filter((property) => property.type !== 'notice' && ![...stored, ...others].includes(property.name))
			.map((property) => `${name}: ${property.name}`);
	});
	expect(missing).toEqual([]);
});

/** The node of this package that a complete workflow is about. */
function nodeOf({ nodes }: WorkflowRun['workflow']): INode {
	return nodes.find(({ type }) => type in nodeTypes)!;
}

function pathsIn(value: unknown, path: Path = []): Path[] {
	if (typeof value !== 'object' || value === null) return [path];
	const within = Object.entries(value).flatMap(([key, inner]) =>
		pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
	return path.length === 0 ? within : [path, ...within];
}

function valueAt(parameters: unknown, path: Path): unknown {
	return path.reduce((at, key) => (at as Record<string | number, unknown>)[key], parameters);
}

function replaced(parameters: INodeParameters, path: Path, value: unknown): INodeParameters {
	const copy = structuredClone(parameters);
	const last = path.at(-1)!;
	const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
	if (value !== MISSING) holder[last] = structuredClone(value);
	else if (Array.isArray(holder)) holder.splice(Number(last), 1);
	else delete holder[last];
	return copy;
}

/** What the node threw, or output as errors. */
async function failuresOf(
	workflow: WorkflowRun['workflow'],
	parameters: INodeParameters,
): Promise<Array<{ message?: string }>> {
	const changed = structuredClone(workflow);
	Object.assign(nodeOf(changed), { parameters, onError: 'continueRegularOutput' });
	emulator.fault({ path: '/audio/voice/deletions', status: 200, body: {} });
	try {
		const outputs = await run(changed, async (model) => (await model.invoke('Hello')).content);
		return outputs.flat().flatMap(({ json }) => (json.error as object | undefined) ?? []);
	} catch (error) {
		return [error as Error];
	}
}

import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { PublishedWorkflow } from '../engine/PublishedWorkflow';
import { testWhere } from './host';
import { modelUserOf } from './modelUser';
import { credentialTypes, nodeTypes, runNode, type NodeRun } from './runNode';
import { useEmulator } from './useEmulator';

/*
 * Values that an API, or an AI that builds workflows, may store although the editor would not: each value of a node, and
 * each list and collection, is replaced by values of other kinds. That must be an error before anything is sent, or the same
 * as if nothing were stored.
 */

const emulator = useEmulator();

const PACKAGE = 'n8n-nodes-inference-service';

const CALL_OPTIONS = { maxRetries: 1, maxWait: 10, timeout: 10_000 };

const OPTIONS = { ...CALL_OPTIONS, concurrency: 2, includeOtherFields: true };

const PAID_OPTIONS = { ...OPTIONS, reuseAnswers: 'never', tokenBudget: 100_000 };

const SAMPLING = { stopSequences: ['END'], temperature: 0.5, topK: 5, topP: 0.5 };

const DECISION_OPTIONS = {
	...PAID_OPTIONS,
	includeMetadata: true,
	includeProbabilities: true,
	model: 'Kev-4B',
	outputField: 'answers',
	traceId: 'trace-1',
	traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const QUESTIONS = {
	question: [
		{
			id: 'team',
			type: 'choice',
			instructions: 'Which team?',
			options: {
				option: [
					{ name: 'cards', description: 'Cards' },
					{ name: 'fees', description: 'Fees' },
				],
			},
		},
		{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' },
		{
			id: 'upset',
			type: 'score',
			instructions: 'How upset?',
			levels: { level: [{ description: 'low' }, { description: 'high' }] },
		},
	],
};

const MESSAGES = {
	message: [
		{ role: 'user', content: 'Hello' },
		{ role: 'assistant', content: 'Hi' },
		{ role: 'user', content: 'Well?' },
	],
};

const TOOL = { name: 'look_up', description: 'Finds an order', inputSchema: '{"type":"object"}' };

const AUDIO = { mimeType: 'audio/mpeg', fileName: 'a.mp3', fileExtension: 'mp3', data: 'AAAA' };

const WHOLE: Array<[string, string, IDataObject]> = [
	[
		'ask',
		'decision',
		{
			stateSource: 'item',
			stateFields: 'text',
			questionsSource: 'fields',
			questions: QUESTIONS,
			simplify: true,
			options: DECISION_OPTIONS,
		},
	],
	[
		'ask with JSON',
		'decision',
		{
			operation: 'ask',
			stateSource: 'json',
			stateJson: '{"text":"hello"}',
			questionsSource: 'json',
			questionsJson: '{"urgent":{"type":"noul","instructions":"Is it urgent?"}}',
		},
	],
	[
		'ask about a text',
		'decision',
		{ stateSource: 'text', stateText: 'hello', questions: { question: [QUESTIONS.question[1]!] } },
	],
	[
		'route by a choice',
		'decision',
		{
			operation: 'route',
			questions: QUESTIONS,
			routeQuestion: 'team',
			routing: { minConfidence: 0.1, noBelow: 0.4, yesAtLeast: 0.6 },
			options: { ...DECISION_OPTIONS, spotCheck: 5 },
		},
	],
	[
		'route by yes or no',
		'decision',
		{
			operation: 'route',
			questions: { question: [QUESTIONS.question[1]!] },
			routing: { noBelow: 0.4, yesAtLeast: 0.6 },
		},
	],
	[
		'route by a score',
		'decision',
		{ operation: 'route', questions: { question: [QUESTIONS.question[2]!, QUESTIONS.question[0]!] } },
	],
	[
		'evaluate',
		'decision',
		{
			operation: 'evaluate',
			answerType: 'choice',
			answerField: 'team',
			expectedField: 'expected',
			confidenceField: 'sure',
			targetAccuracy: 0.8,
			report: 'summary',
			options: { ignoreCase: true, compareField: 'team' },
		},
	],
	[
		'create',
		'message',
		{
			operation: 'create',
			model: 'acme/quick-1',
			messagesSource: 'fields',
			messages: MESSAGES,
			maxTokens: 50,
			simplify: true,
			options: {
				...PAID_OPTIONS,
				...SAMPLING,
				keepLastMessages: 10,
				system: 'Be brief.',
				tools: { tool: [TOOL] },
				toolChoice: 'tool',
				toolName: 'look_up',
				maxToolRounds: 2,
				stream: true,
				enableStreaming: false,
				responseFormat: 'text',
				extraBody: '{"top_k":7}',
			},
		},
	],
	[
		'chat',
		'message',
		{
			operation: 'chat',
			model: 'acme/quick-1',
			messagesSource: 'json',
			messagesJson: '[{"role":"user","content":"Hello"}]',
			maxTokens: 50,
			options: {
				...OPTIONS,
				system: 'Be brief.',
				keepLastMessages: 5,
				stream: false,
				responseFormat: 'text',
				extraBody: '{"max_tokens":60}',
			},
		},
	],
	[
		'upload a file',
		'voice',
		{
			operation: 'upload',
			audioSource: 'binary',
			binaryPropertyName: 'data',
			customName: 'mine',
			text: 'Hello',
			model: 'acme/voice-1',
			simplify: true,
			options: { ...OPTIONS, audioFieldName: 'audio', fileName: 'b.mp3' },
		},
	],
	[
		'upload a data URI',
		'voice',
		{
			operation: 'upload',
			audioSource: 'dataUri',
			audioDataUri: 'data:audio/mpeg;base64,AAAA',
			customName: 'mine',
			text: 'Hello',
			model: 'acme/voice-1',
		},
	],
	['list', 'voice', { operation: 'getAll', returnAll: false, limit: 5, simplify: true, options: OPTIONS }],
	[
		'delete',
		'voice',
		{
			operation: 'delete',
			uri: { __rl: true, mode: 'uri', value: 'speech:mine:emulated:1' },
			options: OPTIONS,
		},
	],
	['cancel', 'batch', { operation: 'cancel', batchId: 'batch_1', simplify: true, options: OPTIONS }],
	['get', 'account', { operation: 'get', simplify: true, options: OPTIONS }],
	[
		'get the balance',
		'account',
		{ operation: 'getBalance', simplify: true, options: { ...OPTIONS, lowBelow: 5 } },
	],
	[
		'watch',
		'accountTrigger',
		{ event: 'balanceBelow', balanceField: 'totalBalance', threshold: 1e9, options: CALL_OPTIONS },
	],
	[
		'supply',
		'chatModel',
		{
			model: 'acme/quick-1',
			options: { ...CALL_OPTIONS, ...SAMPLING, maxTokens: 50, longConversations: 'fold', stream: true },
		},
	],
];

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

function pathsIn(value: unknown, path: Path = []): Path[] {
	if (typeof value !== 'object' || value === null) return [path];
	const within = Object.entries(value).flatMap(([key, inner]) =>
		pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
	return path.length === 0 ? within : [path, ...within];
}

function replaced(parameters: IDataObject, path: Path, value: unknown): INodeParameters {
	const copy = structuredClone(parameters);
	const last = path.at(-1)!;
	const holder = path
		.slice(0, -1)
		.reduce<Record<string | number, unknown>>((at, key) => at[key] as Record<string | number, unknown>, copy);
	if (value !== MISSING) holder[last] = structuredClone(value);
	else if (Array.isArray(holder)) holder.splice(Number(last), 1);
	else delete holder[last];
	return copy as INodeParameters;
}

function valueAt(parameters: unknown, path: Path): unknown {
	return path.reduce((at, key) => (at as Record<string | number, unknown>)[key], parameters);
}

/** Runs a node of any kind. What it threw, or output as errors, in words. */
async function errorsOf(type: string, parameters: INodeParameters): Promise<unknown[]> {
	const failures: unknown[] = [];
	emulator.fault({ path: '/audio/voice/deletions', status: 200, body: {} });
	try {
		if (type === 'accountTrigger') await poll(parameters);
		else if (type === 'chatModel') (await invoke(parameters)).result();
		else {
			const { outputs } = await runNode({
				type,
				parameters,
				service: emulator,
				onError: 'continueRegularOutput',
				items: [
					{
						json: { text: 'hello', team: 'cards', expected: 'cards', sure: 0.8 },
						binary: { data: AUDIO },
					},
				] as NodeRun['items'],
			});
			for (const { json } of outputs().flat()) if (json.error) failures.push(json.error);
		}
	} catch (error) {
		failures.push(error);
	}
	return failures;
}

async function poll(parameters: INodeParameters): Promise<void> {
	const published = new PublishedWorkflow({
		workflow: {
			nodes: [
				{
					id: '1',
					name: 'Trigger',
					type: `${PACKAGE}.accountTrigger`,
					typeVersion: 1,
					position: [0, 0],
					parameters,
					credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
				},
			],
			connections: {},
		},
		nodeTypes,
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		stored: { staticData: '{}' },
	});
	await published.poll('Trigger');
}

const useModel = modelUserOf(emulator, 'acme/quick-1');

async function invoke(parameters: INodeParameters) {
	return await useModel(async (model) => (await model.invoke('Hello')).content, { parameters });
}

interface Sent {
	path: string;
	body: unknown;
	multipart?: unknown;
}

function takeSent(): Sent[] {
	const sent = emulator.requests.map(({ path, body, multipart }) => ({
		path,
		body,
		multipart: multipart?.fields,
	}));
	emulator.reset();
	return sent;
}

/** What n8n itself says about entries that are not a list, before it has a workflow to run. */
const NOT_LOADED = /^propertyValues\[itemName\] is not iterable$/;

const RAW = /Cannot (read|convert|destructure)|is not (a function|iterable|defined)|undefined|\[object|NaN/;

async function check(type: string, parameters: IDataObject): Promise<void> {
	expect(await errorsOf(type, parameters as INodeParameters)).toEqual([]);
	emulator.reset();
	const wrong: string[] = [];
	// `__rl` is n8n's mark of a value with a mode, not a value.
	for (const path of pathsIn(parameters).filter((one) => one.at(-1) !== '__rl')) {
		let withoutIt: Sent[] = [];
		for (const [name, value] of OTHERS) {
			// A valid timeout, of so few milliseconds that a busy machine exceeds it.
			if (name === 'a number' && path.at(-1) === 'timeout') continue;
			const failures = await errorsOf(type, replaced(parameters, path, value));
			const refused = emulator.requests.some(({ status = 0 }) => status >= 400);
			const sent = takeSent();
			const where = `${path.join('.')} is ${name}`;
			if (value === MISSING) withoutIt = sent;
			const words = failures.map((failure) => (failure as { message?: string }).message ?? '').join(' ');
			if (NOT_LOADED.test(words)) continue;
			if (failures.length > 0 && (words === '' || RAW.test(words))) {
				wrong.push(`${where}: fails with "${words}"`);
			}
			// A number may be a name, which is valid.
			const isName = name === 'a number' && typeof valueAt(parameters, path) === 'string';
			if ((refused || (failures.length > 0 && sent.length > 0)) && !isName) {
				wrong.push(`${where}: is sent, and fails with "${words}"`);
			}
			if (JSON.stringify(sent).includes('[object')) wrong.push(`${where}: is sent as [object Object]`);
			// Any object can be the input of a tool, and any object or list can be judged.
			const isValue = ['inputSchema', 'stateJson'].includes(String(path.at(-1)));
			const isEmpty = name !== 'a number' && name !== 'a list' && !isValue;
			if (isEmpty && sent.length > 0 && !isDeepStrictEqual(sent, withoutIt)) {
				wrong.push(`${where}: sends ${JSON.stringify(sent)} instead of ${JSON.stringify(withoutIt)}`);
			}
		}
	}
	expect(wrong).toEqual([]);
}

const TITLE = '%s (%s): a stored value of another kind is an error before anything is sent, or the default';

const needsSdk = (type: string) => type === 'chatModel';

test.each(WHOLE.filter(([, type]) => !needsSdk(type)))(
	TITLE,
	async (_, type, parameters) => await check(type, parameters),
	120_000,
);

testWhere('aiNodeSdk').each(WHOLE.filter(([, type]) => needsSdk(type)))(
	TITLE,
	async (_, type, parameters) => await check(type, parameters),
	120_000,
);

test('every parameter of every node is tried', () => {
	const namesIn = (value: unknown): string[] =>
		typeof value === 'object' && value !== null
			? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
			: [];
	const propertyNames = (property: INodeProperties): string[] => [
		property.name,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values.flatMap(propertyNames);
			return 'type' in option ? propertyNames(option) : [];
		}),
	];
	const missing = Object.entries(nodeTypes).map(([name, { description }]): [string, string[]] => {
		const stored = new Set(
			WHOLE.filter(([, type]) => name === `${PACKAGE}.${type}`).flatMap(([, , parameters]) =>
				namesIn(parameters),
			),
		);
		const ofTools = new Set(['descriptionType', 'toolDescription']);
		const left = description.properties
			.filter(({ type }) => type !== 'notice')
			.flatMap(propertyNames)
			.filter((one) => !stored.has(one) && !ofTools.has(one));
		return [name, left];
	});
	expect(Object.fromEntries(missing)).toEqual(Object.fromEntries(missing.map(([name]) => [name, []])));
});

import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { Execution, WorkflowFile } from '../N8nSession';
import { node, rowOf } from '../workflows';
import { scriptMessages, type ScriptedMessage } from './scriptMessages';
import { openSetting, type Setting } from './setting';

const MODEL = 'acme/quick-1';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';

let setting: Setting;

beforeAll(async () => {
	setting = await openSetting();
});
afterEach(() => setting.emulator.reset());
afterAll(async () => await setting?.close());

/** Describes a sub-node, and the kind of connection with which it serves the node called "Root". */
type SubNode = [INode, 'ai_languageModel' | 'ai_tool' | 'ai_memory' | 'ai_outputParser', index?: number];

function chatModel(name = 'Model', parameters: object = { model: MODEL }): INode {
	return node(name, 'chatModel', parameters);
}

function langchain(name: string, type: string, typeVersion: number, parameters: object = {}): INode {
	return node(name, `${LANGCHAIN}.${type}`, parameters, { typeVersion });
}

const calculator = () => langchain('Calculator', 'toolCalculator', 1);

const judge = () =>
	node('Judge', 'decisionTool', {
		descriptionType: 'manual',
		toolDescription: 'Tells whether a message is urgent',
		stateText: "={{ $fromAI('text', 'The message to judge') }}",
		questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is help needed immediately?' }] },
	});

function agent(typeVersion: number, parameters: object = {}): INode {
	return langchain('Root', 'agent', typeVersion, {
		promptType: 'define',
		text: '={{ $json.text }}',
		options: {},
		...parameters,
	});
}

/** Makes a workflow of a trigger, a node called "Root", and its sub-nodes. */
function workflowOf(root: INode, subNodes: SubNode[], items: IDataObject[]): WorkflowFile {
	const workflow = rowOf('Chat model', items, [root]);
	for (const [subNode, type, index = 0] of subNodes) {
		workflow.nodes.push(subNode);
		workflow.connections[subNode.name] = { [type]: [[{ node: 'Root', type, index }]] };
	}
	return workflow;
}

async function run(
	root: INode,
	subNodes: SubNode[],
	{ script = [], items = [{ text: 'Hello' }] }: { script?: ScriptedMessage[]; items?: IDataObject[] } = {},
): Promise<Execution> {
	scriptMessages(setting.emulator, script);
	const id = await setting.session.importWorkflow(workflowOf(root, subNodes, items), setting.credentials);
	return await setting.session.run(id, 'Start');
}

function bodies(): Array<{
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ name: string }>;
}> {
	return setting.emulator.requests
		.filter(({ path }) => path === '/messages')
		.map(({ body }) => body as ReturnType<typeof bodies>[number]);
}

function expectSuccess({ status, error }: Execution): void {
	expect({ status, error: error && { message: error.message, description: error.description } }).toEqual({
		status: 'success',
		error: undefined,
	});
}

describe.each([2.2, 3.1])('AI Agent %s', (version) => {
	test('answers, and reports the real tokens, the model and why it stopped', async () => {
		const execution = await run(agent(version), [[chatModel(), 'ai_languageModel']], {
			script: [{ text: 'Hello to you.' }],
		});
		expectSuccess(execution);
		expect(execution.outputs.Root![0]![0]!.json.output).toBe('Hello to you.');
		expect(execution.outputs.Model![0]![0]!.json).toMatchObject({
			response: {
				generations: [[{ text: 'Hello to you.', generationInfo: { stop_reason: 'end_turn', model: MODEL } }]],
			},
			tokenUsage: { promptTokens: 100, completionTokens: 10, totalTokens: 110 },
		});
	});

	test('calls tools in parallel, and each call has its result', async () => {
		const execution = await run(
			agent(version),
			[
				[chatModel(), 'ai_languageModel'],
				[judge(), 'ai_tool'],
				[calculator(), 'ai_tool'],
			],
			{
				script: [
					{
						calls: [
							{ name: 'Calculator', input: { input: '6*7' } },
							{ name: 'Judge', input: { text: 'Help me now!' } },
							{ name: 'Calculator', input: { input: '2+3' } },
						],
					},
					{ text: 'Done.' },
				],
			},
		);
		expectSuccess(execution);
		const told = JSON.stringify(bodies()[1]!.messages);
		for (const id of ['toolu_0_0', 'toolu_0_1', 'toolu_0_2']) {
			expect(told).toContain(`"type":"tool_use","id":"${id}"`);
			expect(told).toContain(`"tool_use_id":"${id}"`);
		}
	});

	test('gets through eight rounds of tools within the ten messages', async () => {
		const rounds = Array.from({ length: 8 }, (_, round) => ({
			calls: [{ name: 'Calculator', input: { input: `${round}+1000` } }],
		}));
		const execution = await run(
			agent(version, { options: { maxIterations: 12 } }),
			[
				[chatModel(), 'ai_languageModel'],
				[calculator(), 'ai_tool'],
			],
			{ script: [...rounds, { text: 'Done.' }] },
		);
		expectSuccess(execution);
		expect(execution.outputs.Root![0]![0]!.json.output).toBe('Done.');
		expect(bodies()).toHaveLength(9);
		const last = bodies().at(-1)!.messages;
		expect(last).toHaveLength(9);
		for (let round = 0; round < 8; round++) expect(JSON.stringify(last)).toContain(String(1000 + round));
	});

	test('remembers more than ten messages with Simple Memory', async () => {
		const memory = langchain('Memory', 'memoryBufferWindow', 1.3, {
			sessionIdType: 'customKey',
			sessionKey: randomUUID(),
		});
		const workflow = workflowOf(
			agent(version),
			[
				[chatModel(), 'ai_languageModel'],
				[memory, 'ai_memory'],
			],
			[{ text: 'Hello' }],
		);
		const id = await setting.session.importWorkflow(workflow, setting.credentials);
		for (let turn = 0; turn < 7; turn++) {
			scriptMessages(setting.emulator, [{ text: `Answer ${turn}.` }]);
			expectSuccess(await setting.session.run(id, 'Start'));
		}
		const last = bodies().at(-1)!.messages;
		expect(last).toHaveLength(9);
		expect(last[0]!.content).toContain('Assistant: Answer 1.');
		expect(last.at(-2)).toEqual({ role: 'assistant', content: 'Answer 5.' });
	});

	test('fills a Structured Output Parser', async () => {
		const parser = langchain('Parser', 'outputParserStructured', 1.3, {
			jsonSchemaExample: '{ "city": "Paris" }',
		});
		const execution = await run(
			agent(version, { hasOutputParser: true }),
			[
				[chatModel(), 'ai_languageModel'],
				[parser, 'ai_outputParser'],
			],
			{ script: [{ calls: [{ name: 'format_final_json_response', input: { output: { city: 'Rome' } } }] }] },
		);
		expectSuccess(execution);
		expect(execution.outputs.Root![0]![0]!.json.output).toEqual({ city: 'Rome' });
	});

	test('uses its fallback model', async () => {
		setting.emulator.fault({ path: '/messages', status: 503, bodyIncludes: 'acme/quick-1', times: Infinity });
		const execution = await run(agent(version, { needsFallback: true }), [
			[chatModel('Model', { model: MODEL, options: { maxRetries: 0 } }), 'ai_languageModel', 0],
			[chatModel('Fallback', { model: 'globex/small-2' }), 'ai_languageModel', 1],
		]);
		expectSuccess(execution);
		expect(execution.outputs.Root![0]![0]!.json.output).toContain('Hello');
	});
});

describe('n8n’s other AI nodes', () => {
	test('Basic LLM Chain outputs the reply of the model', async () => {
		const chain = langchain('Root', 'chainLlm', 1.9, { promptType: 'define', text: '={{ $json.text }}' });
		const execution = await run(chain, [[chatModel(), 'ai_languageModel']], {
			script: [{ text: 'Hello to you.' }],
		});
		expectSuccess(execution);
		expect(execution.outputs.Root![0]![0]!.json.text).toBe('Hello to you.');
	});

	test('Text Classifier sends an item to the class that the model names', async () => {
		const classifier = langchain('Root', 'textClassifier', 1.1, {
			inputText: '={{ $json.text }}',
			categories: {
				categories: [
					{ category: 'greeting', description: '' },
					{ category: 'complaint', description: '' },
				],
			},
			options: {},
		});
		const execution = await run(classifier, [[chatModel(), 'ai_languageModel']], {
			script: [{ text: '{"greeting": false, "complaint": true}' }],
		});
		expectSuccess(execution);
		expect(execution.outputs.Root!.map((items) => items.length)).toEqual([0, 1]);
	});
});

describe('a chat that streams', () => {
	test.each([2.2, 3.1])('shows the first words before the last are sent (AI Agent %s)', async (version) => {
		setting.emulator.reset();
		const trigger = langchain('Start', 'chatTrigger', 1.4, {
			public: true,
			mode: 'webhook',
			options: { responseMode: 'streaming' },
		});
		trigger.webhookId = randomUUID();
		const root = langchain('Root', 'agent', version, { options: {} });
		const workflow = workflowOf(root, [[chatModel(), 'ai_languageModel']], []);
		workflow.nodes = [trigger, ...workflow.nodes.filter(({ name }) => name !== 'Start')];
		delete workflow.pinData;
		const id = await setting.session.importWorkflow(workflow, setting.credentials);
		await setting.session.publish(id);
		setting.emulator.fault({ path: '/messages', split: 'every-byte', splitDelayMs: 1 });

		const response = await fetch(`${setting.n8nUrl}/webhook/${trigger.webhookId}/chat`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({
				action: 'sendMessage',
				sessionId: randomUUID(),
				chatInput: 'How does it feel?',
			}),
		});
		let text = '';
		let inFlightAtFirstWords: number | undefined;
		const decoder = new TextDecoder();
		for await (const bytes of response.body!) {
			text += decoder.decode(bytes, { stream: true });
			if (text.includes('You')) inFlightAtFirstWords ??= setting.emulator.inFlight;
		}
		const pieces = text
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as { type: string; content?: string })
			.filter(({ type }) => type === 'item');
		expect(pieces.map(({ content }) => content).join('')).toMatch(
			/^You wrote “How does it feel\?”.*answer to it\.$/,
		);
		// Version 2 of the Agent itself holds the text back until the model is done.
		expect(inFlightAtFirstWords).toBe(version < 3 ? 0 : 1);
		const { outputs } = await setting.session.latestExecution(id);
		expect(outputs.Model![0]![0]!.json.tokenUsage).toMatchObject({ completionTokens: expect.any(Number) });
		expect(outputs.Model![0]![0]!.json.tokenUsageEstimate).toBeUndefined();
	});
});

describe('when something goes wrong', () => {
	test('Stop ends the request within a second', async () => {
		setting.emulator.fault({ path: '/messages', stall: 'before-headers' });
		const workflow = workflowOf(agent(3.1), [[chatModel(), 'ai_languageModel']], [{ text: 'Hello' }]);
		const id = await setting.session.importWorkflow(workflow, setting.credentials);
		const executionId = await setting.session.start(id, 'Start');
		await setting.emulator.waitForRequests(1, 20_000);
		const stopped = performance.now();
		await setting.session.stop(executionId);
		await setting.emulator.waitFor(() => setting.emulator.inFlight === 0, 5000);
		expect(performance.now() - stopped).toBeLessThan(1000);
		expect((await setting.session.settledExecution(executionId)).status).toBe('canceled');
	});
});

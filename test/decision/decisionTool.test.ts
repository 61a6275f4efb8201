import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { behindTrigger, START } from '../../engine/behindTrigger';
import { outputsOf, runWorkflow } from '../../engine/runWorkflow';
import { toolOf } from '../support/toolOf';
import { testWhere } from '../support/host';
import { wrongParameter } from '../support/nodeDriver';
import { credentialTypes, nodeTypes } from '../support/runNode';
import { readTemplate } from '../support/template';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const agentDescription: INodeTypeDescription = {
	displayName: 'Agent',
	name: 'agent',
	group: ['transform'],
	version: 1,
	description: '',
	defaults: { name: 'Agent' },
	inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
};

/** Describes the properties of the tool that an AI Agent uses. */
interface Tool {
	name: string;
	description: string;
	schema: { shape: object };
	invoke(input: IDataObject): Promise<string>;
}

/** Creates an agent that calls its tool once with these arguments. */
type AgentOf = (args: IDataObject, seen: Tool[]) => INodeType;

/** Works like an AI Agent up to version 2, which calls the tool within its own run. */
const agentThatCalls: AgentOf = (args, seen) => ({
	description: agentDescription,
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
		seen.push(tool!);
		return [[{ json: { answer: JSON.parse(await tool!.invoke(args)) as IDataObject } }]];
	},
});

/** Works like an AI Agent from version 3 on, which asks the engine to run the tool, and is run again with the answer. */
const agentThatRequests: AgentOf = (args) => ({
	description: agentDescription,
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		const [answered] = response?.actionResponses ?? [];
		if (!answered) {
			const action = {
				actionType: 'ExecutionNodeAction' as const,
				nodeName: TOOL,
				input: args,
				type: NodeConnectionTypes.AiTool,
				id: 'call-1',
				metadata: { itemIndex: 0 },
			};
			return { actions: [action], metadata: {} };
		}
		const { error, data } = answered.data;
		if (error) throw error;
		return [[{ json: { answer: data?.ai_tool?.[0]?.map(({ json }) => json) } }]];
	},
});

const TOOL = 'Check the text';

/** The agent gets this item from the chat. The tool's own item has its fields beside the arguments. */
const CHAT_ITEM = { chatInput: 'Is it?', sessionId: '4711' };

/** Runs an agent whose tool is the node, and returns what the agent was told. */
async function runAgent(
	agentOf: AgentOf,
	parameters: INodeParameters,
	args: IDataObject,
	onError?: 'continueRegularOutput',
	{ node = 'decision', input = CHAT_ITEM }: { node?: string; input?: IDataObject } = {},
) {
	const seen: Tool[] = [];
	const run = await runWorkflow({
		nodeTypes: {
			...nodeTypes,
			[`n8n-nodes-inference-service.${node}Tool`]: toolOf(nodeTypes[`n8n-nodes-inference-service.${node}`]!),
			agent: agentOf(args, seen),
		},
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		workflow: {
			nodes: [
				START,
				{ id: '2', name: 'Agent', type: 'agent', typeVersion: 1, position: [200, 0], parameters: {} },
				{
					id: '3',
					name: TOOL,
					type: `n8n-nodes-inference-service.${node}Tool`,
					typeVersion: 1,
					position: [200, 200],
					parameters,
					onError,
					credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
				},
			],
			connections: {
				Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		},
		items: [{ json: input }],
	});
	const answer = () => outputsOf(run, 'Agent')[0]![0]!.json.answer as IDataObject[];
	return { answer, seen };
}

const questions = {
	question: [
		{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' },
		{
			id: 'team',
			type: 'choice',
			instructions: "=Which team? {{ $fromAI('hint', 'What to heed', 'string') }}",
			options: { option: [{ name: 'cards' }, { name: 'fees' }] },
		},
	],
};

const TEXT = "={{ $fromAI('text', 'The text to judge', 'string') }}";

describe.each([
	['calls', agentThatCalls],
	['requests', agentThatRequests],
])('an agent that %s its tool', (_, agentOf) => {
	test('fills in the text and gets the columns, nothing else', async () => {
		const { answer } = await runAgent(
			agentOf,
			{ stateText: TEXT, questions },
			{ text: 'My card is gone!', hint: 'Only cards' },
		);
		expect(answer()).toEqual([
			{
				urgent: expect.any(Number),
				urgent_yes: expect.any(Boolean),
				team: expect.any(String),
				team_confidence: expect.any(Number),
			},
		]);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]!.body).toMatchObject({
			state: 'My card is gone!',
			questions: { team: { instructions: 'Which team? Only cards' } },
		});
	});

	test('may fill in a text that looks like an object, which an expression may not', async () => {
		const said = 'It shows [object Object]';
		const parameters = (end: string) => ({ stateText: `${TEXT}${end}`, questions });
		await runAgent(agentOf, parameters('!'), { text: said, hint: 'x' });
		expect(emulator.requests[0]!.body).toHaveProperty('state', `${said}!`);
		const args = { text: said, hint: 'x' };
		const { answer } = await runAgent(agentOf, parameters(' {{ $json }}'), args, 'continueRegularOutput');
		expect(answer()).toMatchObject([
			{
				error: {
					message: wrongParameter('stateText', 'must not join an object to text, as {{ $json }} does'),
				},
			},
		]);
		expect(emulator.requests).toHaveLength(1);
	});

	test('gets an error for a stored "Route"', async () => {
		const parameters = {
			operation: 'route',
			stateText: TEXT,
			questions: { question: [questions.question[0]!] },
		};
		const { answer } = await runAgent(agentOf, parameters, { text: 'x' }, 'continueRegularOutput');
		expect(answer()).toEqual([
			{
				error: expect.objectContaining({
					message: wrongParameter('operation', 'must not be "Route" in a tool of an AI Agent'),
				}),
			},
		]);
		expect(emulator.requests).toHaveLength(0);
	});

	test('is told about a failure', async () => {
		emulator.fault({ status: 403, body: 'not for you' });
		const { answer } = await runAgent(agentOf, { stateText: TEXT, questions }, { text: 'x', hint: 'x' });
		expect(answer).toThrow(/not for you/);
	});
});

testWhere('toolDescription')(
	'an agent sees a name, a description and the parameters to fill in',
	async () => {
		const { seen } = await runAgent(agentThatCalls, { stateText: TEXT, questions }, { text: 'x', hint: 'x' });
		expect(seen[0]).toMatchObject({
			name: 'Check_the_text',
			description: [
				'Answers questions about text that you give it, quickly and with a probability or a confidence. It finds out:',
				'- urgent (yes or no, with a probability): Is it urgent?',
				'- team (one of: cards, fees)',
			].join('\n'),
		});
		expect(Object.keys(seen[0]!.schema.shape).sort()).toEqual(['hint', 'text']);
	},
);

test('a tool that was just added asks the agent for the text', async () => {
	const { seen, answer } = await runAgent(
		agentThatCalls,
		{ questions: { question: [questions.question[0]!] } },
		{ text: 'My card is gone!' },
	);
	expect(Object.keys(seen[0]!.schema.shape)).toEqual(['text']);
	expect(answer()).toEqual([{ urgent: expect.any(Number), urgent_yes: expect.any(Boolean) }]);
	expect(emulator.requests[0]!.body).toHaveProperty('state', 'My card is gone!');
});

test('the template for MCP clients lets the caller give a question and its options', async () => {
	const { nodes } = readTemplate('decisions-for-any-mcp-client.json');
	const { parameters } = nodes.find(({ name }) => name === 'Choose One')!;
	const { answer } = await runAgent(agentThatCalls, parameters, {
		text: TEXT,
		question: 'Which team?',
		options: 'cards, PIN\n fees \n\nrefunds',
	});
	expect(answer()).toMatchObject([{ answer: expect.stringMatching(/^(cards, PIN|fees|refunds)$/) }]);
	expect(emulator.requests[0]!.body).toMatchObject({
		state: TEXT,
		questions: {
			answer: { instructions: 'Which team?', criteria: { 'cards, PIN': '', fees: '', refunds: '' } },
		},
	});
});

testWhere('toolDescription')('questions given as JSON are listed in the description too', async () => {
	const map = {
		mood: { type: 'score', instructions: 'How upset?', criteria: ['calm', 'angry'] },
		team: { type: 'choice', instructions: 'Which team?', criteria: { cards: '', fees: '' } },
	};
	const parameters = { questionsSource: 'json', questionsJson: JSON.stringify(map) };
	const { seen } = await runAgent(agentThatCalls, parameters, { text: 'x' });
	expect(seen[0]!.description).toContain(
		'- mood (a rating from "calm" to "angry"): How upset?\n- team (one of: cards, fees): Which team?',
	);
});

testWhere('toolDescription')('when an item is judged, the description does not ask for text', async () => {
	const { seen } = await runAgent(agentThatCalls, { stateSource: 'item', questions }, { hint: 'x' });
	expect(seen[0]!.description).toMatch(/^Answers questions about the item that the agent works on, quickly/);
});

testWhere('toolDescription')(
	'the description of the tool lists tags as options of which any may apply',
	async () => {
		const tags = { ...questions.question[1]!, instructions: 'What about?', type: 'tags' };
		const { seen, answer } = await runAgent(
			agentThatCalls,
			{ stateText: TEXT, questions: { question: [tags] } },
			{ text: 'x' },
		);
		expect(seen[0]!.description).toContain('- team (any of these, or none: cards, fees): What about?');
		expect(answer()).toEqual([{ team: expect.any(Array), team_text: expect.any(String) }]);
	},
);

test('a call of the tool without an item gets an error that says what to choose', async () => {
	const { answer } = await runAgent(
		agentThatRequests,
		{ stateSource: 'item', questions: { question: [questions.question[0]!] } },
		{},
		'continueRegularOutput',
		{ input: {} },
	);
	expect(answer()[0]).toMatchObject({
		error: { message: expect.stringMatching(/\(stateSource\) must be Text here, because .*choose Text/) },
	});
	expect(emulator.requests).toHaveLength(0);
});

testWhere('toolDescription').each([
	['account', 'getBalance', /^Retrieve the account's three balances/],
	['account', 'get', /^Retrieve the account's name/],
	['message', 'create', /^Generates text/],
	['message', 'chat', /^Generates the next message of a chat/],
	['voice', 'getAll', /^List your voice styles/],
	['voice', 'delete', /^Delete one of your voice styles/],
])('a tool of the node %s says what its operation %s does', async (node, operation, description) => {
	const { seen } = await runAgent(
		agentThatCalls,
		{ operation, model: 'vendor/model_name' },
		{},
		'continueRegularOutput',
		{ node },
	);
	expect(seen[0]!.description).toMatch(description);
});

test('an expression that fails is an error before a request is sent', async () => {
	const parameters = { operation: 'getBalance', simplify: '={{ $("Nowhere").item }}' };
	await runAgent(agentThatCalls, parameters, {}, 'continueRegularOutput', { node: 'account' });
	expect(emulator.requests).toHaveLength(0);
});

test.each<[name: string, args: IDataObject, expected: object]>([
	['without the fields that n8n adds', { text: 'My card is gone!' }, { text: 'My card is gone!' }],
	['without the name of a tool that a person has approved', { tool: 'Check_the_text' }, {}],
	['with a field of its own called tool', { tool: 'hammer' }, { tool: 'hammer' }],
])("the item of an agent's tool call is sent %s", async (_, args, expected) => {
	await runAgent(agentThatRequests, { stateSource: 'item', questions }, { ...args, hint: 'x' });
	const { state } = emulator.requests[0]!.body as IDataObject;
	expect(state).toEqual({ ...CHAT_ITEM, hint: 'x', ...expected });
});

test('calls of a tool share no request, and their answers are not stored for a later run', async () => {
	const type = 'n8n-nodes-inference-service.decisionTool';
	const parameters = { stateText: '={{ $json.text }}', questions: { question: [questions.question[0]!] } };
	const credentials = { inferenceServiceApi: { id: '1', name: 'Service' } };
	emulator.fault({ bodyIncludes: 'refused', times: Infinity, status: 400 });
	for (const sent of [3, 6]) {
		const run = await runWorkflow({
			nodeTypes: { [type]: toolOf(nodeTypes['n8n-nodes-inference-service.decision']!) },
			credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
			workflow: behindTrigger({ type, typeVersion: 1, parameters, credentials }),
			items: ['a', 'a', 'refused'].map((text) => ({ json: { text } })),
		});
		expect(run.status).toBe('error');
		expect(emulator.requests).toHaveLength(sent);
	}
});

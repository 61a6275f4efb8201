import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { node } from '../workflows';
import { openSetting, type Setting } from './setting';

const CALLS_AT_ONCE = 20;

let setting: Setting;
let client: Client;

beforeAll(async () => {
	setting = await openSetting();
	const path = randomUUID();
	const trigger = node(
		'MCP',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ path },
		{ typeVersion: 2, webhookId: path },
	);
	const question = { id: 'urgent', type: 'noul', instructions: 'Does the customer need an answer today?' };
	const tools = [
		node('Rate Message', 'decisionTool', { questions: { question: [question] } }),
		node('Rate Item', 'decisionTool', { stateSource: 'item', questions: { question: [question] } }),
		node('Balance', 'accountTool', { operation: 'getBalance' }),
	];
	const toTrigger = { ai_tool: [[{ node: trigger.name, type: 'ai_tool' as const, index: 0 }]] };
	const id = await setting.session.importWorkflow(
		{
			name: 'Decisions for MCP clients',
			nodes: [trigger, ...tools],
			connections: Object.fromEntries(tools.map(({ name }) => [name, toTrigger])),
		},
		setting.credentials,
	);
	await setting.session.publish(id);
	client = new Client({ name: 'browser suite', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${setting.n8nUrl}/mcp/${path}`)));
});

beforeEach(() => {
	setting.emulator.reset();
});

afterAll(async () => {
	await client?.close();
	await setting?.close();
});

/** What the client gets for a call, and whether it is told of an error. */
async function call(name: string, args: Record<string, unknown>) {
	const { content, isError = false } = await client.callTool({ name, arguments: args });
	const text = (content as Array<{ text?: string }>).map((part) => part.text ?? '').join('\n');
	return { isError: isError === true, text };
}

test("MCP's client is told what each tool does, and what it takes", async () => {
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).sort()).toEqual(['Balance', 'Rate_Item', 'Rate_Message']);
	const [balance, item, message] = tools.sort((a, b) => a.name.localeCompare(b.name));
	expect(message).toMatchObject({
		description: expect.stringMatching(
			/a text that you give it.*\n- urgent \(yes or no, with a probability\)/s,
		),
		inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] },
	});
	expect(item!.description).toContain('the item that the agent works on');
	expect(balance!.description).toMatch(/^Retrieve the account's balances/);
});

test("a call of MCP's client is a decision", async () => {
	const { isError, text } = await call('Rate_Message', { text: 'My card is gone, help me now!' });
	expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining('urgent_yes') });
	expect(setting.emulator.requests).toHaveLength(1);
	expect(setting.emulator.requests[0]!.body).toHaveProperty('state', 'My card is gone, help me now!');
});

test.each([
	['none', {}],
	['an empty one', { text: '' }],
	['a number', { text: 5 }],
	['another', { words: 'x' }],
])("a wrong argument of MCP's client is answered in words: %s", async (_, args) => {
	const outcome = await call('Rate_Message', args).catch((error: Error) => ({
		isError: true,
		text: error.message,
	}));
	expect(outcome).toEqual({ isError: true, text: expect.stringMatching(/text/i) });
	expect(outcome.text).not.toContain(setting.emulator.apiKey);
	expect(setting.emulator.requests).toEqual([]);
});

test("MCP's client has no input item, and is told what to choose", async () => {
	const { isError, text } = await call('Rate_Item', {});
	expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/choose Text/) });
});

test(`MCP's client makes ${CALLS_AT_ONCE} calls at once`, async () => {
	const texts = Array.from({ length: CALLS_AT_ONCE }, (_, index) => `Message ${index}`);
	const answers = await Promise.all(texts.map(async (text) => await call('Rate_Message', { text })));
	expect(answers.filter(({ isError }) => isError)).toEqual([]);
	const states = setting.emulator.requests.map(({ body }) => (body as { state: string }).state);
	expect(states.sort()).toEqual(texts.sort());
});

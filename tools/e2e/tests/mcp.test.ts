import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { PACKAGE_NAME } from '../paths';
import { readTemplate } from '../templates';
import { node } from '../workflows';
import { openSetting, type Setting } from './setting';

const CALLS_AT_ONCE = 20;
const TOKEN = 'a-long-token';

let setting: Setting;
let client: Client;

beforeAll(async () => (setting = await openSetting()));

beforeEach(() => setting.emulator.reset());

afterAll(async () => await setting?.close());

async function connect(path: string, headers: Record<string, string> = {}): Promise<void> {
	client = new Client({ name: 'browser suite', version: '1.0.0' });
	const url = new URL(path, setting.n8nUrl);
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
}

/** Returns the result of a tool call as the MCP client gets it, and whether it is marked as an error. */
async function call(name: string, args: Record<string, unknown>) {
	const { content, isError = false } = await client.callTool({ name, arguments: args });
	const text = (content as Array<{ text?: string }>).map((part) => part.text ?? '').join('\n');
	return { isError: isError === true, text };
}

describe('the template for MCP clients, with two more tools', () => {
	beforeAll(async () => {
		const template = readTemplate('decisions-for-any-mcp-client.json');
		const [trigger] = template.nodes;
		const path = randomUUID();
		const bearer = await setting.session.createCredential('MCP', 'httpBearerAuth', { token: TOKEN });
		trigger!.webhookId = path;
		trigger!.parameters.path = path;
		trigger!.credentials = { httpBearerAuth: { ...bearer } };
		const question = { id: 'urgent', type: 'noul', instructions: 'Does the customer need an answer today?' };
		const added = [
			node('Rate Message', 'decisionTool', { questions: { question: [question] } }),
			node('Rate Item', 'decisionTool', { stateSource: 'item', questions: { question: [question] } }),
		];
		template.nodes.push(...added);
		for (const { name } of added) template.connections[name] = template.connections['Get Balance']!;
		await setting.session.publish(await setting.session.importWorkflow(template, setting.credentials));
		await expect(connect(`/mcp/${path}`)).rejects.toThrow(/Authorization/);
		await connect(`/mcp/${path}`, { authorization: `Bearer ${TOKEN}` });
	});

	afterAll(async () => await client?.close());

	test('the client is told what each tool does, and what it takes', async () => {
		const { tools } = await client.listTools();
		const told = Object.fromEntries(
			tools.map(({ name, description, inputSchema }) => [
				name,
				{ description, takes: Object.keys(inputSchema.properties ?? {}), required: inputSchema.required },
			]),
		);
		expect(told).toEqual({
			Choose_One: expect.objectContaining({ takes: ['text', 'question', 'options'] }),
			Get_Balance: expect.objectContaining({
				description: expect.stringMatching(/^Retrieve the account's/),
				takes: [],
			}),
			Rate_Item: expect.objectContaining({
				description: expect.stringContaining('the item that the agent works on'),
			}),
			Rate_Message: {
				description: expect.stringMatching(
					/text that you give it.*\n- urgent \(yes or no, with a probability\)/s,
				),
				takes: ['text'],
				required: ['text'],
			},
			Yes_or_No: expect.objectContaining({ takes: ['text', 'question'] }),
		});
	});

	test.each<[name: string, args: Record<string, unknown>, answer: string]>([
		['Rate_Message', { text: 'My card is gone, help me now!' }, 'urgent_yes'],
		['Yes_or_No', { text: 'Please help me immediately!', question: 'Is it urgent?' }, 'answer_yes'],
		[
			'Choose_One',
			{ text: 'I was charged twice', question: 'Which team?', options: 'Flights (Europe, Asia)\nHotels' },
			'answer_confidence',
		],
		['Get_Balance', {}, '100.000000'],
	])('the tool %s answers', async (name, args, answer) => {
		expect(await call(name, args)).toEqual({ isError: false, text: expect.stringContaining(answer) });
		expect(setting.emulator.requests).toHaveLength(1);
		const { text: state } = args;
		expect(setting.emulator.requests[0]!.body ?? {}).toEqual(
			state === undefined ? {} : expect.objectContaining({ state }),
		);
	});

	test.each([
		['Billing', 'option 2 has none'],
		['Billing\nBilling', 'must not have "Billing" twice'],
		['Billing, Cards', 'option 2 has none'],
		['', 'must have at least one option'],
	])('to choose among %j is refused with the reason', async (options, reason) => {
		const outcome = await call('Choose_One', { text: 'Hello', question: 'Which team?', options });
		expect(outcome).toEqual({ isError: true, text: expect.stringContaining(reason) });
		expect(setting.emulator.requests).toEqual([]);
	});

	test.each([
		['none', {}],
		['an empty one', { text: '' }],
		['a number', { text: 5 }],
		['another', { words: 'x' }],
	])('a wrong argument gets a readable answer: %s', async (_, args) => {
		const outcome = await call('Rate_Message', args).catch((error: Error) => ({
			isError: true,
			text: error.message,
		}));
		expect(outcome).toEqual({ isError: true, text: expect.stringMatching(/text/i) });
		expect(outcome.text).not.toContain(setting.emulator.apiKey);
		expect(setting.emulator.requests).toEqual([]);
	});

	test('a client has no input item, and is told what to choose', async () => {
		const { isError, text } = await call('Rate_Item', {});
		expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/choose Text/) });
	});

	test(`${CALLS_AT_ONCE} calls at once are all answered`, async () => {
		const texts = Array.from({ length: CALLS_AT_ONCE }, (_, index) => `Message ${index}`);
		const answers = await Promise.all(texts.map(async (text) => await call('Rate_Message', { text })));
		expect(answers.filter(({ isError }) => isError)).toEqual([]);
		const states = setting.emulator.requests.map(({ body }) => (body as { state: string }).state);
		expect(states.sort()).toEqual(texts.sort());
	});
});

describe("n8n's own MCP server, which builds workflows", () => {
	beforeAll(async () => {
		await setting.session.call('PATCH', '/mcp/settings', {
			mcpAccessEnabled: true,
			autoExposeNewWorkflows: true,
		});
		const { apiKey } = (await setting.session.call('POST', '/mcp/api-key/rotate')) as { apiKey: string };
		await connect('/mcp-server/http', { authorization: `Bearer ${apiKey}` });
	});

	afterAll(async () => await client?.close());

	// n8n shows five nodes. A search for "chat model" finds no chat model of any vendor, because nodes called Chat or
	// Model come first.
	test.each([
		['classify', 'decision'],
		['route by AI', 'decision'],
		['account balance', 'account'],
		['low balance alert', 'accountTrigger'],
		['voice', 'voice'],
		['language model', 'chatModel'],
		['generate text', 'message'],
	])('a search for "%s" finds %s', async (query, name) => {
		const { text } = await call('search_nodes', { queries: [query] });
		expect([...text.matchAll(/^- (\S+)/gm)].map(([, found]) => found)).toContain(`${PACKAGE_NAME}.${name}`);
	});
});

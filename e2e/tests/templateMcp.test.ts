import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { readTemplate } from '../templates';
import { openSetting, type Setting } from './setting';

let setting: Setting;
let client: Client;

beforeAll(async () => {
	setting = await openSetting();
	const template = readTemplate('decisions-for-any-mcp-client.json');
	const path = randomUUID();
	const [trigger] = template.nodes;
	trigger!.webhookId = path;
	trigger!.parameters.path = path;
	await setting.session.publish(await setting.session.importWorkflow(template, setting.credentials));
	client = new Client({ name: 'browser suite', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${setting.n8nUrl}/mcp/${path}`)));
});

afterAll(async () => {
	await client?.close();
	await setting?.close();
});

test.each<[string, Record<string, unknown>, string]>([
	['Yes_or_No', { text: 'Please help me immediately!', question: 'Is it urgent?' }, 'answer_yes'],
	[
		'Choose_One',
		{ text: 'I was charged twice', question: 'Which team?', options: 'Billing, Cards' },
		'answer_confidence',
	],
	['Get_Balance', {}, '100.000000'],
])('the template for MCP clients: the tool %s answers', async (name, args, answer) => {
	const { tools } = await client.listTools();
	const tool = tools.find((one) => one.name === name)!;
	expect(Object.keys(tool.inputSchema.properties ?? {}).sort()).toEqual(Object.keys(args).sort());
	const { content } = await client.callTool({ name, arguments: args });
	expect(JSON.stringify(content)).toContain(answer);
});

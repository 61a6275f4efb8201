import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	StructuredChunk,
} from 'n8n-workflow';

import { ACCEPTED_MODELS } from '../emulator/Emulator';
import { csvFile, csvOf, ReadFile } from './ReadFile';
import {
	PassOn,
	readTemplate,
	runTemplate,
	SAVED_TEMPLATES,
	Trigger,
	valueOf,
	type Template,
} from './template';
import { useEmulator } from './useEmulator';

const MESSAGE = 'n8n-nodes-inference-service.message';

/** Stands in for Edit Fields in its mode for JSON. */
class Fields extends PassOn {
	constructor() {
		super('set', 1, [{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '' }]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData().map((_, index) => ({
			json: this.getNodeParameter('jsonOutput', index) as IDataObject,
			pairedItem: { item: index },
		}));
		return [items];
	}
}

/** Stands in for Chat Memory Manager with its memory. */
class Memory extends PassOn {
	static said: Array<{ human: string; ai: string }> = [];
	static kept: unknown;

	constructor() {
		super('memoryManager', 1, [
			{ displayName: 'Mode', name: 'mode', type: 'string', default: 'load' },
			{ displayName: 'Messages', name: 'messages', type: 'json', default: {} },
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('mode', 0) === 'insert') {
			Memory.kept = this.getNodeParameter('messages.messageValues', 0);
			return [this.getInputData()];
		}
		const json = { messages: Memory.said, messagesCount: Memory.said.length };
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}

const others: Record<string, INodeType> = {
	'@n8n/n8n-nodes-langchain.chatTrigger': new Trigger('chatTrigger'),
	'@n8n/n8n-nodes-langchain.memoryBufferWindow': new PassOn('memoryBufferWindow'),
	'@n8n/n8n-nodes-langchain.memoryManager': new Memory(),
	'n8n-nodes-base.extractFromFile': new ReadFile(),
	'n8n-nodes-base.set': new Fields(),
};

const emulator = useEmulator();

/** Runs a template with the model chosen, as its notes ask for. */
async function run(template: Template, json: IDataObject, binary?: IBinaryKeyData) {
	const chunks: StructuredChunk[] = [];
	const nodes = template.nodes.map((node) =>
		node.type === MESSAGE
			? { ...node, parameters: { ...node.parameters, model: ACCEPTED_MODELS[0]! } }
			: node,
	);
	const { outputsOf } = await runTemplate({ ...template, nodes }, emulator, {
		json,
		binary,
		others,
		mode: 'webhook',
		onChunk: (chunk) => chunks.push(chunk),
	});
	return { chunks, itemsOf: (name: string) => outputsOf(name)[0]!.map((item) => item.json) };
}

const savedChat = () => readTemplate('chat-that-streams.json', SAVED_TEMPLATES);

test('the chat of 0.1 still streams the answer to the message, and knows what was said before', async () => {
	Memory.said = [{ human: 'I am Ada.', ai: 'Hello, Ada!' }];
	const { chunks, itemsOf } = await run(savedChat(), {
		chatInput: 'How are you?',
		sessionId: '1',
	});
	const [answer] = itemsOf('Answer');
	expect(answer!.text).toContain('How are you?');
	expect([chunks[0], chunks[1], chunks.at(-1)]).toMatchObject([
		{ type: 'begin' },
		{ type: 'item' },
		{ type: 'end' },
	]);
	expect(chunks.map(({ content }) => content ?? '').join('')).toBe(answer!.text);
	expect(emulator.requests.at(-1)!.body).toMatchObject({
		messages: [
			{ role: 'system' },
			{ role: 'user', content: 'I am Ada.' },
			{ role: 'assistant', content: 'Hello, Ada!' },
			{ role: 'user', content: 'How are you?' },
		],
	});
	expect(Memory.kept).toEqual([
		{ type: 'user', message: 'How are you?' },
		{ type: 'ai', message: answer!.text },
	]);
});

test('the first message of that chat has nothing before it', async () => {
	Memory.said = [];
	await run(savedChat(), { chatInput: 'How are you?', sessionId: '1' });
	expect(emulator.requests.at(-1)!.body).toMatchObject({
		messages: [{ role: 'system' }, { role: 'user', content: 'How are you?' }],
	});
});

test.each([',', ';', '\t'])(
	'the sheet keeps its rows and columns, and gets the replies next to them',
	async (separator) => {
		const drafted = { summary: 'Asks for the parcel', reply: 'It is on its way.', needs_person: false };
		const replying = (text: string) => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' });
		emulator.fault({
			bodyIncludes: 'parcel',
			status: 200,
			body: replying(`\`\`\`json\n${JSON.stringify(drafted)}\n\`\`\``),
		});
		emulator.fault({ bodyIncludes: 'poem', status: 200, body: replying('I cannot.') });
		const rows = [
			{ id: '7', question: 'Where is my parcel?' },
			{ id: '8', question: 'A poem, please' },
			{ id: '9' },
		];
		const sheet = csvFile('Sheet', `\ufeff${csvOf(rows, separator)}`);
		const { itemsOf } = await run(readTemplate('draft-replies-to-a-sheet.json'), {}, sheet);
		const none = { summary: '', reply: '', needs_person: true };
		expect(itemsOf('Make a Spreadsheet')).toEqual([
			{ ...rows[0], ...drafted, problem: '' },
			{ ...rows[1], ...none, problem: expect.stringContaining('not valid JSON') },
			{ ...rows[2], ...none, problem: expect.stringContaining('must have content') },
		]);
		expect(emulator.requests).toHaveLength(2);
	},
);

test('a sheet without a column "question" comes back, and its last page counts the problems', async () => {
	const template = readTemplate('draft-replies-to-a-sheet.json');
	const { itemsOf } = await run(
		template,
		{},
		csvFile('Sheet', csvOf([{ frage: 'Where is my parcel?' }], ',')),
	);
	const [row] = itemsOf('Make a Spreadsheet');
	expect(row).toMatchObject({ problem: expect.stringContaining('must have content') });
	const ending = await valueOf(template, 'Return the File', 'completionMessage', row!, 'Put Into Columns');
	expect(ending).toBe('1 rows, 1 of them with a problem. Read each reply before you send it.');
});

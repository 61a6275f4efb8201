import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	StructuredChunk,
} from 'n8n-workflow';

import { ACCEPTED_MODELS } from '../emulator/Emulator';
import { PassOn, readTemplate, runTemplate, Trigger, type Template } from './template';
import { useEmulator } from './useEmulator';

const MESSAGE = 'n8n-nodes-inference-service.message';

/** Stands in for Extract From File: the rows of the uploaded sheet. */
class Rows extends PassOn {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { rows } = this.getInputData()[0]!.json;
		return [(rows as IDataObject[]).map((json) => ({ json, pairedItem: { item: 0 } }))];
	}
}

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

const others: Record<string, INodeType> = {
	'@n8n/n8n-nodes-langchain.chatTrigger': new Trigger('chatTrigger'),
	'n8n-nodes-base.extractFromFile': new Rows('extractFromFile'),
	'n8n-nodes-base.set': new Fields(),
};

const emulator = useEmulator();

/** Runs a template with the model chosen, as its notes ask for. */
async function run(template: Template, json: IDataObject) {
	const chunks: StructuredChunk[] = [];
	const nodes = template.nodes.map((node) =>
		node.type === MESSAGE
			? { ...node, parameters: { ...node.parameters, model: ACCEPTED_MODELS[0]! } }
			: node,
	);
	const { outputsOf } = await runTemplate({ ...template, nodes }, emulator, {
		json,
		others,
		mode: 'webhook',
		onChunk: (chunk) => chunks.push(chunk),
	});
	return { chunks, itemsOf: (name: string) => outputsOf(name)[0]!.map((item) => item.json) };
}

test('the chat streams the answer to the message', async () => {
	const { chunks, itemsOf } = await run(readTemplate('chat-that-streams.json'), {
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
});

test('the sheet keeps its rows and columns, and gets the replies beside them', async () => {
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
		{ id: '9', question: '' },
	];
	const { itemsOf } = await run(readTemplate('draft-replies-to-a-sheet.json'), { rows });
	const none = { summary: '', reply: '', needs_person: true };
	expect(itemsOf('Make a Spreadsheet')).toEqual([
		{ ...rows[0], ...drafted, problem: '' },
		{ ...rows[1], ...none, problem: expect.stringContaining('not valid JSON') },
		{ ...rows[2], ...none, problem: expect.stringContaining('must have content') },
	]);
	expect(emulator.requests).toHaveLength(2);
});

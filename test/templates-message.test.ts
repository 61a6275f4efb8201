import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type StructuredChunk,
} from 'n8n-workflow';

import { ACCEPTED_MODELS, Emulator } from '../emulator/Emulator';
import { outputsOf, runWorkflow } from '../engine/runWorkflow';
import { credentialTypes, nodeTypes } from './runNode';
import { readTemplate, type Template } from './template';

const MESSAGE = 'n8n-nodes-inference-service.message';

/** Stands in for a node of n8n's own: passes on what it gets. */
class PassOn implements INodeType {
	description: INodeTypeDescription;

	constructor(name: string, properties: INodeProperties[] = []) {
		this.description = {
			displayName: name,
			name,
			group: ['transform'],
			version: [1, 1.1, 1.4, 2.3, 3.4],
			description: '',
			defaults: { name },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties,
		};
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

/** Hands out what the workflow's run is given. */
class Trigger extends PassOn {
	async trigger() {
		return {};
	}
}

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
		super('set', [{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '' }]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData().map((_, index) => ({
			json: this.getNodeParameter('jsonOutput', index) as IDataObject,
			pairedItem: { item: index },
		}));
		return [items];
	}
}

const standIns: Record<string, INodeType> = {
	'@n8n/n8n-nodes-langchain.chatTrigger': new Trigger('chatTrigger'),
	'n8n-nodes-base.formTrigger': new Trigger('formTrigger'),
	'n8n-nodes-base.stickyNote': new PassOn('stickyNote'),
	'n8n-nodes-base.extractFromFile': new Rows('extractFromFile'),
	'n8n-nodes-base.set': new Fields(),
	'n8n-nodes-base.convertToFile': new PassOn('convertToFile'),
	'n8n-nodes-base.form': new PassOn('form'),
};

let emulator: Emulator;

beforeAll(async () => {
	emulator = await Emulator.start();
});
afterEach(() => emulator.reset());
afterAll(async () => await emulator.close());

/** Runs a template with the credential and the model chosen, as its notes ask for. */
async function run(template: Template, json: IDataObject) {
	const chunks: StructuredChunk[] = [];
	const nodes = template.nodes.map((node) =>
		node.type === MESSAGE
			? {
					...node,
					parameters: { ...node.parameters, model: ACCEPTED_MODELS[0]! },
					credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
				}
			: node,
	);
	const result = await runWorkflow({
		workflow: { ...template, nodes },
		nodeTypes: { ...standIns, ...nodeTypes },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		items: [{ json }],
		onChunk: (chunk) => chunks.push(chunk),
	});
	expect(result.data.resultData.error).toBeUndefined();
	return { chunks, itemsOf: (name: string) => outputsOf(result, name)[0]!.map((item) => item.json) };
}

test('the chat streams the answer to the message', async () => {
	const { chunks, itemsOf } = await run(readTemplate('chat-that-streams.json'), {
		chatInput: 'How are you?',
		sessionId: '1',
	});
	const [answer] = itemsOf('Answer');
	expect(answer!.text).toContain('How are you?');
	expect(chunks.map(({ type }) => type).slice(0, 2)).toEqual(['begin', 'item']);
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

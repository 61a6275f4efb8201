import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { ACCEPTED_MODELS } from '../emulator/Emulator';
import { csvFile, csvOf, ReadFile } from './ReadFile';
import { PassOn, readTemplate, runTemplate, valueOf, type Template } from './template';
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

const others: Record<string, INodeType> = {
	'n8n-nodes-base.extractFromFile': new ReadFile(),
	'n8n-nodes-base.set': new Fields(),
};

const emulator = useEmulator();

/** Runs a template with the model chosen, as its notes ask for. */
async function run(template: Template, json: IDataObject, binary?: IBinaryKeyData) {
	const nodes = template.nodes.map((node) =>
		node.type === MESSAGE
			? { ...node, parameters: { ...node.parameters, model: ACCEPTED_MODELS[0]! } }
			: node,
	);
	const { outputsOf } = await runTemplate({ ...template, nodes }, emulator, {
		json,
		binary,
		others,
	});
	return { itemsOf: (name: string) => outputsOf(name)[0]!.map((item) => item.json) };
}

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

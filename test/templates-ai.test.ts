import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { PassOn, readTemplate, runTemplate } from './template';
import { useEmulator } from './useEmulator';

/** What an AI node calls of a chat model. */
interface Model {
	invoke(text: string): Promise<{ text: string }>;
}

interface Assignment {
	name: string;
	value: string;
}

const collection = (name: string, values: INodeProperties[]): INodeProperties => ({
	displayName: name,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [{ displayName: name, name, values }],
});

const text = (name: string): INodeProperties => ({ displayName: name, name, type: 'string', default: '' });

/** Stands in for Edit Fields: the fields that it is told, and no others. */
class Fields extends PassOn {
	constructor() {
		super('set', 1, [
			text('mode'),
			text('jsonOutput'),
			collection('assignments', [text('id'), text('name'), text('value'), text('type')]),
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			this.getInputData().map((_, index) => {
				const isJson = this.getNodeParameter('mode', index) === 'raw';
				const json = isJson
					? (JSON.parse(this.getNodeParameter('jsonOutput', index) as string) as IDataObject)
					: Object.fromEntries(
							(this.getNodeParameter('assignments.assignments', index) as Assignment[]).map(
								({ name, value }) => [name, value],
							),
						);
				return { json, pairedItem: { item: index } };
			}),
		];
	}
}

/** Stands in for Split Out. */
class Rows extends PassOn {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const rows = this.getInputData()[0]!.json.rows as IDataObject[];
		return [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
	}
}

/** Stands in for Text Classifier: the model's reply is the category, any other reply goes to the last output. */
class Classifier extends PassOn {
	constructor() {
		super('textClassifier', 4, [text('inputText'), collection('categories', [text('category')])]);
		this.description.inputs = [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiLanguageModel, maxConnections: 1 },
		];
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const model = (await this.getInputConnectionData(NodeConnectionTypes.AiLanguageModel, 0)) as Model;
		const categories = this.getNodeParameter('categories.categories', 0) as Array<{ category: string }>;
		const outputs: INodeExecutionData[][] = [...categories.map(() => []), []];
		for (const [index, item] of this.getInputData().entries()) {
			try {
				const reply = await model.invoke(this.getNodeParameter('inputText', index) as string);
				const found = categories.findIndex(({ category }) => category === reply.text);
				outputs.at(found)!.push({ json: item.json, pairedItem: { item: index } });
			} catch (error) {
				// As Text Classifier does; the engine moves it to the error output.
				outputs[0]!.push({ json: { error: (error as Error).message }, pairedItem: { item: index } });
			}
		}
		return outputs;
	}
}

const MODEL = 'vendor/model_name';

const emulator = useEmulator({ models: [MODEL] });

const others = {
	'n8n-nodes-base.set': new Fields(),
	'n8n-nodes-base.splitOut': new Rows('splitOut'),
	'@n8n/n8n-nodes-langchain.textClassifier': new Classifier(),
};

const SURE = 'I was charged twice, please refund the payment';
const UNSURE = 'The machine kept what I put into it';

describe('Second opinion', () => {
	/** Where a message ends, and what is in its row. */
	async function endOf(message: string): Promise<{ ends: string; row: IDataObject }> {
		const template = readTemplate('second-opinion.json');
		const examples = template.nodes.find(({ name }) => name === 'Example Messages')!;
		examples.parameters.jsonOutput = JSON.stringify({ rows: [{ text: message }] });
		const { path, outputsOf } = await runTemplate(template, emulator, { others, mode: 'manual' });
		const ends = path.at(-1)!;
		return { ends, row: outputsOf(ends)[0]![0]!.json };
	}

	const asked = () => emulator.requests.map(({ path }) => path);

	test('a confident answer needs no model', async () => {
		const { ends, row } = await endOf(SURE);
		expect(ends).toBe('Billing Team');
		expect(row).toEqual({ text: SURE, team: 'Billing', decided_by: 'Decide the Team' });
		expect(asked()).toEqual(['/systemone']);
	});

	test.each(['Billing', 'Cards', 'Account'])(
		'uncertain messages go where the model says (%s), and the row says who decided',
		async (team) => {
			emulator.setScript([{ text: team }]);
			const { ends, row } = await endOf(UNSURE);
			expect(ends).toBe(`${team} Team`);
			expect(row).toEqual({ text: UNSURE, team, decided_by: 'Second Opinion' });
			expect(asked()).toEqual(['/systemone', '/messages']);
		},
	);

	test('a decision that fails is uncertain too', async () => {
		emulator.fault({ path: '/systemone', status: 403, body: 'no' });
		emulator.setScript([{ text: 'Cards' }]);
		expect(await endOf(SURE)).toEqual({
			ends: 'Cards Team',
			row: { text: SURE, team: 'Cards', decided_by: 'Second Opinion' },
		});
	});

	test.each<[string, () => void]>([
		['fits no team', () => emulator.setScript([{ text: 'None of them' }])],
		['cannot be answered', () => emulator.fault({ path: '/messages', status: 403, body: 'no' })],
	])('text that %s goes to a person', async (_, answer) => {
		answer();
		expect(await endOf(UNSURE)).toEqual({
			ends: 'Ask a Person',
			row: { text: UNSURE, team: '', decided_by: '' },
		});
	});
});

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeParameterValueType,
} from 'n8n-workflow';

import { PassOn, readTemplate, runTemplate, Trigger, valueOf } from './template';
import { useEmulator } from './useEmulator';

const EXAMPLE_ROWS = 36;

const emulator = useEmulator();

/** Stands in for Extract from File: the rows of the uploaded sheet, or the text of a file. */
class ReadFile extends PassOn {
	constructor() {
		super('extractFromFile', 1, [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'csv' },
			{ displayName: 'Field', name: 'binaryPropertyName', type: 'string', default: 'data' },
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [item] = this.getInputData();
		if (this.getNodeParameter('operation', 0) === 'csv') {
			return [(item!.json.rows as IDataObject[]).map((json) => ({ json, pairedItem: { item: 0 } }))];
		}
		const field = this.getNodeParameter('binaryPropertyName', 0);
		const data = (await this.helpers.getBinaryDataBuffer(0, field)).toString();
		return [[{ json: { data }, pairedItem: { item: 0 } }]];
	}
}

/** Stands in for Edit Fields in its mode for JSON. */
class Fields extends PassOn {
	constructor() {
		super('set', 1, [{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '' }]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const json = JSON.parse(this.getNodeParameter('jsonOutput', 0) as string) as IDataObject;
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}

/** Stands in for Split Out, for a list of objects. */
class SplitOut extends PassOn {
	constructor() {
		super('splitOut', 1, [{ displayName: 'Field', name: 'fieldToSplitOut', type: 'string', default: '' }]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const field = this.getNodeParameter('fieldToSplitOut', 0) as string;
		const list = this.getInputData()[0]!.json[field] as IDataObject[];
		return [list.map((json) => ({ json, pairedItem: { item: 0 } }))];
	}
}

/** Stands in for Data Table: one table, whose rows are kept from run to run. */
class DataTable extends PassOn {
	constructor(readonly rows: IDataObject[] = []) {
		super('dataTable', 1, [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'insert' },
		]);
		this.execute = async function (this: IExecuteFunctions) {
			const operation = this.getNodeParameter('operation', 0);
			if (operation === 'create') return [[{ json: { id: 'table' }, pairedItem: { item: 0 } }]];
			if (operation === 'get') return [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
			rows.push(...this.getInputData().map(({ json }) => json));
			return [this.getInputData()];
		};
	}
}

const standIns = (dataTable = new DataTable()): Record<string, INodeType> => ({
	'n8n-nodes-base.extractFromFile': new ReadFile(),
	'n8n-nodes-base.set': new Fields(),
	'n8n-nodes-base.splitOut': new SplitOut(),
	'n8n-nodes-base.dataTable': dataTable,
	'n8n-nodes-base.html': new PassOn('html'),
	'n8n-nodes-base.evaluation': new PassOn('evaluation'),
	'n8n-nodes-base.evaluationTrigger': new Trigger('evaluationTrigger'),
});

function answerWith(team: string, confidence: number) {
	const answers = { team: { type: 'choice', choice: team, confidence } };
	emulator.fault({
		path: '/systemone',
		status: 200,
		body: { model: 'Kev-4B', answers, usage: {} },
		times: Infinity,
	});
}

describe('Test your questions on labelled rows', () => {
	const template = readTemplate('test-questions-on-labelled-rows.json');

	async function upload(rows?: IDataObject[]) {
		const binary = { Labelled_Rows: { data: '', mimeType: 'text/csv' } };
		return await runTemplate(template, emulator, {
			json: rows ? { rows } : {},
			binary: rows ? binary : undefined,
			others: standIns(),
		});
	}

	test('without a file, the example rows are answered and evaluated', async () => {
		const { path, outputsOf } = await upload();
		expect(path).toEqual([
			'Upload Labelled Rows',
			'Is There a File?',
			'Example Rows',
			'Split Into Items',
			'Answer Questions',
			'Evaluate Answers',
			'Read the Page',
			'Page',
			'Show the Page',
		]);
		expect(outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({ rows: EXAMPLE_ROWS, skipped: 0 });
		const page = String(outputsOf('Read the Page')[0]![0]!.json.data);
		expect(page).toMatch(/<table class="matrix/);
		expect(page).toContain('36 rows');
	});

	test('the service sees the message and never the expected team', async () => {
		await upload([{ message: 'My card is lost', expected_team: 'Cards' }]);
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual([
			{ message: 'My card is lost' },
		]);
	});

	test('rows that fail are evaluated as wrong, and rows without an expected team are left out', async () => {
		answerWith('Cards', 0.9);
		const { outputsOf } = await upload([
			{ message: 'a', expected_team: 'Cards' },
			{ expected_team: 'Cards' },
			{ message: 'b', expected_team: '' },
		]);
		const { rows, skipped, correct } = outputsOf('Evaluate Answers')[0]![0]!.json;
		expect({ rows, skipped, correct }).toEqual({ rows: 2, skipped: 1, correct: 1 });
	});

	test('a file with other columns gets an explanation', async () => {
		const { path, outputsOf } = await upload([{ text: 'a', label: 'Cards' }]);
		expect(path.at(-1)).toBe('Say What Is Missing');
		const { json } = outputsOf('Say What Is Missing')[0]![0]!;
		const message = await valueOf(
			template,
			'Say What Is Missing',
			'completionMessage',
			json,
			'Evaluate Answers',
		);
		expect(message).toContain('no item has a value in "expected_team"');
	});
});

describe('Test your questions in n8n evaluations', () => {
	const template = readTemplate('test-questions-in-evaluations.json');
	/** The trigger that a run begins with, alone: the engine takes the first that it finds. */
	const startingAt = (trigger: string) => ({
		...template,
		nodes: template.nodes.filter(({ name, type }) => name === trigger || !type.endsWith('Trigger')),
	});

	test('the form first makes the table, and then evaluates what stands in it', async () => {
		const table = new DataTable();
		const others = standIns(table);
		const run = async () => await runTemplate(startingAt('Open the Form'), emulator, { others });
		const first = await run();
		expect(first.path.slice(-2)).toEqual(['Insert Rows', 'Say What Comes Next']);
		expect(table.rows).toHaveLength(EXAMPLE_ROWS);
		for (const row of table.rows) {
			Object.assign(row, { team: row.expected_team, team_confidence: 0.9 });
		}
		const second = await run();
		expect(second.path.slice(-3)).toEqual(['Evaluate Answers', 'Read the Page', 'Show the Page']);
		expect(second.outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({
			rows: EXAMPLE_ROWS,
			correct: EXAMPLE_ROWS,
		});
		expect(emulator.requests).toEqual([]);
	});

	test("a row of n8n's evaluation is answered, and its answer has the columns and metrics", async () => {
		answerWith('Cards', 0.75);
		const row = { id: 1, message: 'Where is my card?', expected_team: 'Cards', row_number: 0 };
		const { outputsOf, path } = await runTemplate(startingAt('When Fetching a Row'), emulator, {
			json: row,
			others: standIns(),
		});
		expect(path).toEqual(['When Fetching a Row', 'Answer Questions', 'Save Answer', 'Set Metrics']);
		const { json } = outputsOf('Answer Questions')[0]![0]!;
		expect(await readAll('Save Answer', 'outputs', json)).toEqual(['Cards', 0.75]);
		expect(await readAll('Set Metrics', 'metrics', json)).toEqual([1, 0.75]);
		expect(await readAll('Set Metrics', 'metrics', { ...json, team: 'Billing' })).toEqual([0, 0.75]);
	});

	test('a row that fails is saved without an answer, and counts as wrong', async () => {
		const failed = { message: 'x', expected_team: 'Cards', error: { message: 'Overloaded' } };
		expect(await readAll('Save Answer', 'outputs', failed)).toEqual([null, null]);
		expect(await readAll('Set Metrics', 'metrics', failed)).toEqual([0, 0]);
	});

	/** What the expressions in a list of a node of n8n's give for an item, in their order. */
	async function readAll(name: string, list: 'outputs' | 'metrics', json: IDataObject) {
		const node = template.nodes.find((one) => one.name === name)!;
		const { values, assignments } = node.parameters[list] as Record<string, INodeParameters[]>;
		const expressions = (values ?? assignments!).map(({ outputValue, value }) => outputValue ?? value);
		const read = async (value: NodeParameterValueType | undefined) => {
			const holder = { ...template, nodes: [{ ...node, parameters: { value } as INodeParameters }] };
			return await valueOf(holder, name, 'value', json);
		};
		return await Promise.all(expressions.map(read));
	}
});

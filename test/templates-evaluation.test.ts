import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeParameterValueType,
} from 'n8n-workflow';

import { DataTable } from './DataTable';
import { csvFile, csvOf, ReadFile } from './ReadFile';
import { PassOn, readTemplate, runTemplate, Trigger, valueOf } from './template';
import { useEmulator } from './useEmulator';

const EXAMPLE_ROWS = 36;

const emulator = useEmulator();

/** Stands in for Edit Fields in its mode for JSON. */
class Fields extends PassOn {
	constructor() {
		super('set', 1, [{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '' }]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			this.getInputData().map((_, index) => {
				const given = this.getNodeParameter('jsonOutput', index) as string | IDataObject;
				const json = typeof given === 'string' ? (JSON.parse(given) as IDataObject) : given;
				return { json, pairedItem: { item: index } };
			}),
		];
	}
}

/** Stands in for Switch: the first of its rules that holds, else its last output. */
class Switch extends PassOn {
	constructor() {
		super('switch', 4, [
			{
				displayName: 'Rules',
				name: 'rules',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				options: [
					{
						displayName: 'Rule',
						name: 'values',
						values: [{ displayName: 'Conditions', name: 'conditions', type: 'filter', default: {} }],
					},
				],
			},
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const holds = [0, 1, 2].map(
			(rule) =>
				this.getNodeParameter(`rules.values[${rule}].conditions`, 0, false, {
					extractValue: true,
				}) as boolean,
		);
		const chosen = holds.includes(true) ? holds.indexOf(true) : 3;
		return [0, 1, 2, 3].map((output) => (output === chosen ? this.getInputData() : []));
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

/** Stands in for Loop Over Items: the next batch on the second output, and in the end everything that came back on the first. */
class Loop extends PassOn {
	constructor() {
		super('splitInBatches', 2, [
			{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 },
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const loop = this.getContext('node') as { left?: INodeExecutionData[]; done: INodeExecutionData[] };
		if (loop.left === undefined) Object.assign(loop, { left: [...this.getInputData()], done: [] });
		else loop.done.push(...this.getInputData());
		const portion = loop.left!.splice(0, this.getNodeParameter('batchSize', 0) as number);
		return portion.length > 0 ? [[], portion] : [loop.done, []];
	}
}

const standIns = (dataTable = new DataTable()): Record<string, INodeType> => ({
	'n8n-nodes-base.extractFromFile': new ReadFile(),
	'n8n-nodes-base.set': new Fields(),
	'n8n-nodes-base.splitOut': new SplitOut(),
	'n8n-nodes-base.splitInBatches': new Loop(),
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

	async function upload(rows?: IDataObject[], separator?: string) {
		const binary = rows && csvFile('Labelled_Rows', csvOf(rows, separator));
		return await runTemplate(template, emulator, { binary, others: standIns() });
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

	test.each([',', ';', '\t'])(
		'the service sees the message and never the expected team',
		async (separator) => {
			await upload([{ message: 'My card is lost', expected_team: 'Cards' }], separator);
			expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual([
				{ message: 'My card is lost' },
			]);
		},
	);

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

	test('the form first creates the table, and then evaluates its rows', async () => {
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

describe('How good were the answers?', () => {
	const template = readTemplate('how-good-were-the-answers.json');
	const reviewed = (spot_check: boolean, said: string | null, said_at = new Date().toISOString()) => ({
		message: 'Hello',
		team: 'Cards',
		team_confidence: 0.9,
		spot_check,
		said,
		said_at: said === null ? null : said_at,
	});
	const longAgo = '2020-01-31T12:00:00.000Z';

	async function measure(Answers: string, Month: string, rows: IDataObject[] = []) {
		const others = standIns(new DataTable(rows));
		return await runTemplate(template, emulator, { json: { Answers, Month }, others });
	}

	test('shows the page for the example rows, whatever the table holds', async () => {
		const { path, outputsOf } = await measure('Example rows', 'This month', [reviewed(true, 'Billing')]);
		expect(path).not.toContain('Reviewed Messages');
		expect(path.at(-1)).toBe('Show the Page');
		expect(outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({ rows: EXAMPLE_ROWS, skipped: 0 });
	});

	const rows = () => [
		reviewed(true, 'Cards'),
		reviewed(true, 'Billing'),
		reviewed(true, 'Cards', longAgo),
		reviewed(true, null),
		reviewed(false, 'Account'),
	];

	test.each([
		['Spot checks', 'This month', { rows: 2, correct: 1 }],
		['Spot checks', 'All months', { rows: 3, correct: 2 }],
		['Uncertain ones', 'This month', { rows: 1, correct: 0 }],
	])('measures %s of %s apart from the others', async (answers, month, figures) => {
		const { outputsOf } = await measure(answers, month, rows());
		expect(outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({ ...figures, skipped: 0 });
		expect(emulator.requests).toEqual([]);
	});

	test('measures last month', async () => {
		const lastMonth = new Date();
		lastMonth.setUTCDate(0);
		const { outputsOf } = await measure('Spot checks', 'Last month', [
			...rows(),
			reviewed(true, 'Cards', lastMonth.toISOString()),
		]);
		expect(outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({ rows: 1, correct: 1 });
	});

	test.each([[[]], [[reviewed(false, 'Cards')]]])('says when there is nothing to measure', async (none) => {
		const { path } = await measure('Spot checks', 'This month', none);
		expect(path.at(-1)).toBe('Say There Are None');
	});
});

describe('Is the new wording better?', () => {
	const template = readTemplate('is-the-new-wording-better.json');
	const compare = async (Messages: string, rows: IDataObject[] = []) =>
		await runTemplate(template, emulator, { json: { Messages }, others: standIns(new DataTable(rows)) });

	test('both wordings answer the example rows, and the page says which is better', async () => {
		const { path, outputsOf } = await compare('Example rows');
		expect(path.at(-1)).toBe('Show the Page');
		expect(emulator.requests).toHaveLength(2 * EXAMPLE_ROWS);
		const { rows, compared } = outputsOf('Evaluate Answers')[0]![0]!.json;
		expect(rows).toBe(EXAMPLE_ROWS);
		expect(compared).toMatchObject({ rows: EXAMPLE_ROWS });
		expect(outputsOf('Read the Page')[0]![0]!.json.data).toContain('<wbr />old');
	});

	test('takes what people said, and sends nothing but the message', async () => {
		const { outputsOf } = await compare('Reviewed messages', [
			{ message: 'My card is lost', team: 'Billing', team_confidence: 0.4, said: 'Cards' },
			{ message: 'Nobody has read this', team: 'Billing', team_confidence: 0.4, said: null },
		]);
		expect(outputsOf('Evaluate Answers')[0]![0]!.json).toMatchObject({ rows: 1 });
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual([
			{ message: 'My card is lost' },
			{ message: 'My card is lost' },
		]);
	});

	test('says when no message has been reviewed', async () => {
		expect((await compare('Reviewed messages')).path.at(-1)).toBe('Say There Are None');
	});
});

describe('Answers in a spreadsheet', () => {
	const template = readTemplate('answers-in-a-spreadsheet.json');

	const ann = { Customer: 'Ann', Message: 'Broken, after a day; help!', Amount: '1,20' };
	test.each([
		['commas', 'Customer,Message,Amount\nAnn,"Broken, after a day; help!","1,20"\n', ann],
		['semicolons', 'Customer;Message;Amount\r\nAnn;"Broken, after a day; help!";1,20\r\n', ann],
		[
			'semicolons and quotes',
			'\ufeff"Customer";"Message";"Amount"\n"Ann";"Broken, after a day; help!";"1,20"',
			ann,
		],
		['semicolons without quotes', 'Customer;Amount\nAnn;1,20', { Customer: 'Ann', Amount: '1,20' }],
		['tabs', 'Customer\tMessage\tAmount\nAnn\tBroken, after a day; help!\t1,20\n', ann],
		[
			'semicolons, and commas in a name',
			'"Name, first, last";Amount\nAnn;1,20',
			{ 'Name, first, last': 'Ann', Amount: '1,20' },
		],
		['no separator', 'Message\nBroken, after a day; help!', { Message: ann.Message }],
	])('reads a CSV file with %s', async (_, text, row) => {
		const { outputsOf } = await runTemplate(template, emulator, {
			binary: csvFile('Spreadsheet', text),
			others: { ...standIns(), 'n8n-nodes-base.switch': new Switch() },
		});
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual([row]);
		expect(outputsOf('Make a Spreadsheet')[0]!.map(({ json }) => json)).toMatchObject([
			{ ...row, problem: '' },
		]);
	});

	test('every row comes back with its answers, and a failed one with the reason', async () => {
		const { outputsOf, path } = await runTemplate(template, emulator, {
			others: { ...standIns(), 'n8n-nodes-base.switch': new Switch() },
		});
		expect(path).toContain('Example Rows');
		const rows = outputsOf('Make a Spreadsheet')[0]!.map(({ json }) => json);
		expect(rows).toHaveLength(8);
		expect(rows[0]).toEqual({
			message: 'I was charged twice for the same order.',
			team: 'Billing',
			team_confidence: expect.any(Number) as number,
			urgent: expect.any(Number) as number,
			urgent_yes: expect.any(Boolean) as boolean,
			problem: '',
		});
	});

	test('a failed row keeps its place, with the reason', async () => {
		emulator.fault({ path: '/systemone', status: 400, body: { message: 'too long' }, times: Infinity });
		const { outputsOf } = await runTemplate(template, emulator, {
			others: { ...standIns(), 'n8n-nodes-base.switch': new Switch() },
		});
		const rows = outputsOf('Make a Spreadsheet')[0]!.map(({ json }) => json);
		expect(rows).toHaveLength(8);
		expect(Object.keys(rows[0]!)).toEqual(['message', 'problem']);
		expect(rows[0]!.problem).toContain('too long');
	});
});

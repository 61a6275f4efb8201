import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { teamOfIntent } from '../../demo/teamOfIntent';
import { PassOn } from '../../engine/builtInNodes';
import { dataTable, form, googleSheet } from '../support/standIns';
import { readTemplate, runTemplate, valueOf, type Template } from '../support/template';
import { useEmulator } from '../support/useEmulator';

const EXAMPLE_ROWS = 36;

const emulator = useEmulator({ models: ['vendor/model_name'] });

/** Makes the service answer every decision with this team. */
function teamIs(choice: string, confidence = 0.9, others = {}) {
	emulator.clearFaults();
	const answers = { team: { type: 'choice', choice, confidence }, ...others };
	const body = { model: 'Kev-4B', answers, usage: {} };
	emulator.fault({ path: '/systemone', status: 200, body, times: Infinity });
}

const failing = () => emulator.fault({ status: 403, body: 'no', times: Infinity });

/** The template after a person has added an option at the end: n8n adds an output without a wire. */
function withTeam(whole: Template, name: string): Template {
	const copy = structuredClone(whole);
	const { parameters } = copy.nodes.find(({ parameters: { operation } }) => operation === 'route')!;
	const [{ options }] = (parameters.questions as { question: [{ options: { option: IDataObject[] } }] })
		.question;
	options.option.push({ name, description: '' });
	return copy;
}

const submission = (Message: string): IDataObject => ({
	Name: 'Ada',
	Email: 'ada@example.com',
	Message,
	submittedAt: '2026-01-01T08:00:00.000Z',
	formMode: 'production',
});

test.each(['form-decided-and-routed.json', 'sort-my-inbox.json'])(
	'%s: if the service cannot answer, the visitor is asked to try again, nothing is stored, and the execution fails',
	async (file) => {
		failing();
		const rows: IDataObject[] = [];
		const { path, error } = await runTemplate(readTemplate(file), emulator, {
			json: submission('Hello'),
			others: { dataTable: dataTable(rows) },
			at: 'On Form Submission',
		});
		expect(path.slice(-2)).toEqual(['Answer: Please Try Again', 'Stop and Error']);
		expect(error).toContain('no');
		expect(rows).toEqual([]);
		const page = readTemplate(file).nodes.find(({ name }) => name === 'Answer: Please Try Again')!;
		expect(page.parameters.completionMessage).toBe('We could not process this. Please try again later.');
	},
);

describe('Form submissions, routed to teams', () => {
	const template = readTemplate('form-decided-and-routed.json');
	const urgent = { urgent: { type: 'noul', noul: 0.7 } };
	const submit = async () =>
		await runTemplate(template, emulator, { json: submission('My card was charged twice') });

	test.each(['Billing', 'Cards', 'Account'])(
		'a message for %s goes to its team, and the visitor is told',
		async (team) => {
			teamIs(team, 0.9, urgent);
			const { path, rowsOf } = await submit();
			expect(path.slice(1)).toEqual(['Decide the Team', `${team} Team`, 'Answer: Your Team']);
			expect(emulator.requests[0]!.body).toMatchObject({ state: { Message: 'My card was charged twice' } });
			const [row] = rowsOf('Answer: Your Team');
			expect(row).toMatchObject({ Name: 'Ada', team, route: team });
			expect(await valueOf(template, 'Answer: Your Team', 'completionMessage', row!)).toBe(
				`Your message is with our ${team} team, marked as urgent.`,
			);
		},
	);

	test.each<[string, () => void]>([
		['with little confidence', () => teamIs('Billing', 0.1, urgent)],
		['for a team there is not', () => teamIs('Sales', 1, urgent)],
	])('a decision %s goes to a person', async (_, answer) => {
		answer();
		expect((await submit()).path.slice(2)).toEqual(['Ask a Person', 'Answer: We Are Reading It']);
	});
});

/** Stands in for Send Email with "Send and Wait for Response": a person chooses a team. */
class Answered extends PassOn {
	constructor() {
		super('emailSend');
	}

	override async execute() {
		const said = { 'Which team should handle it?': 'Billing', respondedAt: '2026-01-01T08:00:00.000Z' };
		return [[{ json: { data: said }, pairedItem: { item: 0 } }]];
	}
}

describe('Review queue', () => {
	const template = readTemplate('review-queue.json');

	async function write(rows: IDataObject[], message: string, changed = template) {
		const json = { Message: message };
		const others = { dataTable: dataTable(rows), emailSend: new Answered() };
		return await runTemplate(changed, emulator, { json, others });
	}

	test('a clear answer goes to its team', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', 0.7);
		expect((await write(rows, 'My card is lost')).path.slice(2)).toEqual(['To the Team']);
		expect(rows).toEqual([]);
	});

	test('an unclear answer is kept with what the person says, under the columns that are measured', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', 0.69);
		const { path } = await write(rows, 'Hm');
		expect(path.at(-1)).toBe('To the Team They Named');
		expect(rows).toEqual([
			{
				id: 1,
				message: 'Hm',
				team: 'Cards',
				team_confidence: 0.69,
				spot_check: false,
				said: 'Billing',
				said_at: '2026-01-01T08:00:00.000Z',
			},
		]);
		const measuring = readTemplate('how-good-were-the-answers.json');
		const columnsOf = ({ nodes }: typeof template) =>
			nodes.find(({ name }) => name === 'Create Queue')!.parameters.columns;
		expect(columnsOf(template)).toEqual(columnsOf(measuring));
	});

	test('about one clear answer in ten is checked by a person', async () => {
		const rows: IDataObject[] = [];
		for (let index = 0; index < 25; index += 1) {
			teamIs('Cards');
			await write(rows, `My card number ${index} is lost`);
		}
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.length).toBeLessThan(8);
		for (const one of rows) expect(one).toMatchObject({ team: 'Cards', spot_check: true });
	});

	test('the person can choose each team, or none', () => {
		const parametersOf = (name: string) => JSON.stringify(template.nodes.find((node) => node.name === name));
		for (const team of ['Billing', 'Cards', 'Account']) {
			expect(parametersOf('Decide the Team')).toContain(`"name":"${team}"`);
			expect(parametersOf('Ask a Person')).toContain(`"option":"${team}"`);
		}
		expect(parametersOf('Ask a Person')).toContain('"option":"None of these"');
	});

	test.each([
		['with its teams', template],
		['with a fourth team', withTeam(template, 'Loans')],
	])('%s, when the service cannot answer, nothing is kept, and the execution fails', async (_, changed) => {
		failing();
		const rows: IDataObject[] = [];
		const { path, error } = await write(rows, 'Hello', changed);
		expect(path.slice(-2)).toEqual(['Was It Decided?', 'Stop and Error']);
		expect(error).toContain('A message could not be processed: ');
		expect(rows).toEqual([]);
	});

	test('a message for a fourth team does not fail', async () => {
		teamIs('Loans');
		const { path, error } = await write([], 'May I borrow some money?', withTeam(template, 'Loans'));
		expect([path.at(-1), error]).toEqual(['Decide the Team', undefined]);
	});
});

describe('Sort my inbox', () => {
	const template = readTemplate('sort-my-inbox.json');

	async function write(message: string, changed = template) {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		return { ...(await runTemplate(changed, emulator, { json: submission(message), others })), rows };
	}

	/** The template after a person has deleted an option: n8n deletes the connections of the last output with it. */
	function withoutTeam(whole: Template, team: string): Template {
		const copy = structuredClone(whole);
		const { name, parameters } = copy.nodes.find(({ parameters: { operation } }) => operation === 'route')!;
		const [{ options }] = (parameters.questions as { question: [{ options: { option: IDataObject[] } }] })
			.question;
		options.option = options.option.filter((option) => option.name !== team);
		copy.connections[name]!.main!.pop();
		return copy;
	}

	const told = async (row: IDataObject) =>
		await valueOf(template, 'Answer: We Have It', 'completionMessage', row, 'Add to Inbox');

	test.each(['Sales', 'Support', 'Office'])('a message for %s is stored for that team', async (team) => {
		teamIs(team);
		const { path, rows } = await write('Where is my parcel?');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(await told(rows[0]!)).toBe(`Your message is with our ${team} team.`);
		const turnedOn = { ...template, nodes: template.nodes.map((node) => ({ ...node, disabled: false })) };
		const to = await valueOf(turnedOn, 'Tell the Team', 'toEmail', rows[0]!, 'Add to Inbox');
		expect(to).toBe(`${team.toLowerCase()}@example.com`);
		expect(rows).toEqual([
			{
				id: 1,
				received: '2026-01-01T08:00:00.000Z',
				name: 'Ada',
				email: 'ada@example.com',
				message: 'Where is my parcel?',
				team,
				team_confidence: 0.9,
				to_check: false,
			},
		]);
	});

	test('a decision with little confidence is checked by a person', async () => {
		teamIs('Spam', 0.69);
		const { path, rows } = await write('Hm');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(rows).toMatchObject([{ team: 'Spam', to_check: true }]);
		expect(await told(rows[0]!)).toContain('Someone will read your message');
	});

	test.each([
		['Spam', 'Answer: Received'],
		['Not for us', 'Answer: Not for Us'],
	])('%s is not stored', async (choice, end) => {
		teamIs(choice);
		const { path, rows } = await write('x');
		expect(path.at(-1)).toBe(end);
		expect(rows).toEqual([]);
	});

	test.each(['Sales', 'Support', 'Office'])(
		'with the team %s deleted, a message without an answer still reaches no team',
		async (team) => {
			failing();
			const { path, rows } = await write('Hm', withoutTeam(template, team));
			expect(path.slice(-2)).toEqual(['Answer: Please Try Again', 'Stop and Error']);
			expect(rows).toEqual([]);
		},
	);

	test.each(['Not for us', 'Spam'])(
		'a message that is "%s" and kept is checked by a person, who is not called a team',
		async (choice) => {
			const keeping = structuredClone(template);
			const outputs = keeping.connections['Sort the Message']!.main!;
			outputs[1] = outputs[2] = outputs[3]!;
			teamIs(choice);
			const { rows } = await write('x', keeping);
			expect(rows).toMatchObject([{ team: choice, to_check: true }]);
			expect(await told(rows[0]!)).toContain('Someone will read your message');
		},
	);

	test('sends nothing for a blank message', async () => {
		expect((await write(' \n')).path.at(-1)).toBe('Answer: Nothing in It');
		expect(emulator.requests).toEqual([]);
	});
});

describe('Typeform or Tally by webhook', () => {
	const template = readTemplate('typeform-or-tally-by-webhook.json');
	const TITLE = "What's your message?";
	const titled = structuredClone(template);
	const { parameters } = titled.nodes.find(({ name }) => name === 'Title of Your Field')!;
	const { assignments } = parameters.assignments as { assignments: IDataObject[] };
	assignments[0]!.value = `${TITLE} `;
	const typeform = (text: string): IDataObject => ({
		event_type: 'form_response',
		form_response: {
			definition: {
				fields: [
					{ id: 'a1', ref: 'one', type: 'short_text', title: 'Your name' },
					{ id: 'b2', ref: 'two', type: 'long_text', title: ` ${TITLE}` },
				],
			},
			answers: [
				{ type: 'text', text: 'Ada', field: { id: 'a1', ref: 'one', type: 'short_text' } },
				{ type: 'text', text, field: { id: 'b2', ref: 'two', type: 'long_text' } },
			],
		},
	});
	const tally = (value: string | null): IDataObject => ({
		eventType: 'FORM_RESPONSE',
		data: {
			fields: [
				{ key: 'question_1', label: null, type: 'HIDDEN_FIELDS', value: 'x' },
				{ key: 'question_2', label: TITLE, type: 'TEXTAREA', value },
			],
		},
	});
	const receive = async (body: IDataObject, changed = titled) =>
		await runTemplate(changed, emulator, { json: { body } });

	test.each([
		['Typeform', typeform],
		['Tally', tally],
	])('the message is picked from what %s sends, and goes to its team', async (_, bodyOf) => {
		teamIs('Cards');
		expect((await receive(bodyOf('My card is lost'))).path.at(-1)).toBe('Cards Team');
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual(['My card is lost']);
		teamIs('Cards', 0.1);
		expect((await receive(bodyOf('Hm'))).path.at(-1)).toBe('Ask a Person');
	});

	test.each<[string, IDataObject]>([
		['an empty message', tally(null)],
		['no such field', { data: { fields: [] } }],
		['an unanswered field', { form_response: { definition: { fields: [] }, answers: [] } }],
		['the body of another form', { message: 'Hello' }],
	])('with %s, nothing is sent, and a person is asked', async (_, body) => {
		expect((await receive(body)).path.at(-1)).toBe('Ask a Person');
		expect(emulator.requests).toEqual([]);
	});

	test.each([
		['with its teams', titled],
		['with a fourth team', withTeam(titled, 'Loans')],
	])('%s, when the service cannot answer, the execution fails and says why', async (_, changed) => {
		failing();
		const { path, error } = await receive(tally('Hello'), changed);
		expect(path.slice(-2)).toEqual(['Was It Sorted?', 'Stop and Error']);
		expect(error).toContain('A message could not be sorted: ');
	});
});

describe('Balance in a cell', () => {
	const template = readTemplate('balance-in-a-cell.json');

	test('answers with the exact total balance', async () => {
		const { path, rowsOf } = await runTemplate(template, emulator);
		expect(path.at(-1)).toBe('Answer the Cell');
		const [row] = rowsOf('Answer the Cell');
		expect(await valueOf(template, 'Answer the Cell', 'responseBody', row!)).toBe('100.000000');
	});

	test('answers with the reason when the balance cannot be read, and the execution fails', async () => {
		failing();
		const { path, error } = await runTemplate(template, emulator);
		expect(path.slice(-2)).toEqual(['Answer with an Error', 'Stop and Error']);
		expect(error).toContain('no');
	});
});

describe('Decide in a cell', () => {
	const template = readTemplate('decide-in-a-cell.json');

	async function ask(text: string | undefined, rows: IDataObject[], changed = template) {
		const others = { dataTable: dataTable(rows) };
		const query = text === undefined ? {} : { text };
		return await runTemplate(changed, emulator, { json: { query }, others });
	}

	test('a new text is sent, and the same text is answered from the table', async () => {
		const rows: IDataObject[] = [];
		for (const text of ['My card is lost', 'My card is lost', 'I was charged twice']) {
			teamIs(text.includes('card') ? 'Cards' : 'Billing');
			const { rowsOf } = await ask(text, rows);
			const [row] = rowsOf('Answer the Cell');
			expect(await valueOf(template, 'Answer the Cell', 'responseBody', row!)).toBe(
				text.includes('card') ? 'Cards' : 'Billing',
			);
		}
		const states = emulator.requests.map(({ body }) => (body as IDataObject).state);
		expect(states).toEqual(['My card is lost', 'I was charged twice']);
		expect(rows.map(({ team }) => team)).toEqual(['Cards', 'Billing']);
	});

	test('a text is asked again with another question, and each question keeps its answer', async () => {
		const other = structuredClone(template);
		const { parameters } = other.nodes.find(({ name }) => name === 'Answer the Question')!;
		(parameters.questions as { question: [IDataObject] }).question[0].instructions = 'Who sent it?';
		const rows: IDataObject[] = [];
		const answers: unknown[] = [];
		for (const [copy, choice] of [
			[template, 'Cards'],
			[other, 'Billing'],
			[template, 'Account'],
			[other, 'Account'],
		] as const) {
			teamIs(choice);
			const [row] = (await ask('My card is lost', rows, copy)).rowsOf('Answer the Cell');
			answers.push(row!.team);
		}
		expect(answers).toEqual(['Cards', 'Billing', 'Cards', 'Billing']);
		expect([emulator.requests.length, rows.length]).toEqual([2, 2]);
	});

	test.each([undefined, '', ' '])('the text %j is not sent, and the cell gets an error', async (text) => {
		const rows: IDataObject[] = [];
		expect((await ask(text, rows)).path).toContain('Answer with an Error');
		expect([emulator.requests, rows]).toEqual([[], []]);
	});

	test('a failure is not stored in the table', async () => {
		failing();
		const rows: IDataObject[] = [];
		expect((await ask('My card is lost', rows)).error).toContain('no');
		expect(rows).toEqual([]);
	});
});

describe('Decide new rows of a Google Sheet', () => {
	test('names the sheet to write to, because n8n deletes the columns of an import without a sheet', () => {
		const { nodes } = readTemplate('decide-new-rows-of-a-google-sheet.json');
		const { sheetName } = nodes.find(({ name }) => name === 'Write into the Row')!.parameters;
		expect(sheetName).toMatchObject({ mode: 'name', value: 'Sheet1' });
	});

	test('writes answers into their rows, skips answered and empty rows, and retries a failed row the next time', async () => {
		const rows: IDataObject[] = [
			{ message: 'My card is lost', team: '' },
			{ message: 'Answered before', team: 'Billing', team_confidence: 0.5 },
			{ message: ' ' },
			{ message: 'I was charged twice' },
		];
		const run = async () =>
			await runTemplate(readTemplate('decide-new-rows-of-a-google-sheet.json'), emulator, {
				others: { googleSheets: googleSheet(rows) },
			});
		emulator.fault({ bodyIncludes: 'charged twice', status: 400, body: 'no' });
		expect((await run()).error).toContain('A row could not be answered');
		const answered = expect.any(String) as string;
		expect(rows.map(({ team }) => team)).toEqual([answered, 'Billing', undefined, undefined]);
		teamIs('Billing');
		expect((await run()).error).toBeUndefined();
		expect(rows[3]).toMatchObject({ team: 'Billing', team_confidence: 0.9 });
		expect((await run()).path).not.toContain('Answer Questions');
		expect(emulator.requests).toHaveLength(3);
	});
});

describe('Second opinion', () => {
	const TEXT = 'The machine kept what I put into it';

	async function decide() {
		const template = readTemplate('second-opinion.json');
		const examples = template.nodes.find(({ name }) => name === 'Example Messages')!;
		examples.parameters.jsonOutput = JSON.stringify({ rows: [{ text: TEXT }] });
		return await runTemplate(template, emulator);
	}

	const rowOf = (team: string, decided_by: string) => [{ text: TEXT, team, decided_by }];
	const asked = () => emulator.requests.map(({ path }) => path);

	test('sends nothing to the model when the decision is confident', async () => {
		teamIs('Billing');
		expect((await decide()).rowsOf('Billing Team')).toEqual(rowOf('Billing', 'Decide the Team'));
		expect(asked()).toEqual(['/systemone']);
	});

	test.each<[string, () => void]>([
		['is uncertain', () => teamIs('Account', 0.1)],
		['fails', () => emulator.fault({ path: '/systemone', status: 403, body: 'no' })],
	])('if the decision %s, the model decides, and the row says so', async (_, answer) => {
		answer();
		emulator.setScript([{ text: 'Cards' }]);
		expect((await decide()).rowsOf('Cards Team')).toEqual(rowOf('Cards', 'Second Opinion'));
		expect(asked()).toEqual(['/systemone', '/messages']);
	});

	test('text that fits no team goes to a person', async () => {
		teamIs('Account', 0.1);
		emulator.setScript([{ text: 'None of them' }]);
		const { rowsOf, error } = await decide();
		expect(rowsOf('Ask a Person')).toEqual(rowOf('', ''));
		expect(error).toBeUndefined();
	});

	test('when neither can answer, a person gets the text, and the execution fails', async () => {
		failing();
		const { rowsOf, error } = await decide();
		expect(rowsOf('Ask a Person')).toEqual(rowOf('', ''));
		expect(error).toContain('A message could not be processed');
	});
});

/** The templates that take a file, with the form that takes it, the column it needs, and what is made of the rows. */
const TAKING_FILES: Array<[file: string, column: string, field: string, made: string, json?: IDataObject]> = [
	['answers-in-a-spreadsheet.json', 'message', 'Spreadsheet', 'Make a Spreadsheet'],
	['test-questions-on-labelled-rows.json', 'message', 'Labelled_Rows', 'Evaluate Answers'],
	['draft-replies-to-a-sheet.json', 'question', 'Sheet', 'Make a Spreadsheet'],
	['is-the-new-wording-better.json', 'message', 'File', 'Evaluate Answers', { Messages: 'My CSV file' }],
];

interface Upload {
	field: string;
	/** The file's content. */
	csv?: Buffer | string;
	json?: IDataObject | undefined;
	/** The choice on the page that asks before the rest is sent. */
	reply?: string;
	rows?: IDataObject[];
}

async function upload(file: string, { field, csv, json, reply, rows }: Upload) {
	const data = csv === undefined ? undefined : Buffer.from(csv).toString('base64');
	return await runTemplate(readTemplate(file), emulator, {
		json: { submittedAt: new Date().toISOString(), ...json },
		binary:
			data === undefined ? undefined : { [field]: { data, mimeType: 'text/csv', fileName: 'Rows.CSV' } },
		others: {
			dataTable: dataTable(rows),
			form: form(reply === undefined ? {} : { 'Ask Before the Rest': [{ 'What next?': reply }] }),
		},
	});
}

describe.each(TAKING_FILES)('%s', (file, column, field, made, json) => {
	const csvOf = (count: number) =>
		[
			`${column},said,expected_team`,
			...Array.from({ length: count }, (_, index) => `My card ${index} is lost,Cards,Cards`),
		].join('\n');
	/** Returns the number of rows that have been sent. */
	const sent = () => {
		const bodies = emulator.requests.map(({ body }) => JSON.stringify(body));
		return new Set(bodies.map((body) => /My card \d+/.exec(body)![0])).size;
	};

	test('answers up to 20 rows without asking whether to continue', async () => {
		const { path, error } = await upload(file, { field, json, csv: csvOf(20) });
		expect(error).toBeUndefined();
		expect(path).toContain(made);
		expect(path).not.toContain('Ask Before the Rest');
		expect(sent()).toBe(20);
	});

	test.each([
		['all of them, in batches of 50', 'Answer all rows', 71, 3],
		['no further one', 'Stop after these', 20, 1],
		['no further one, when nobody replies', undefined, 20, 1],
	])('answers 20 of 71 rows, asks, and then sends %s', async (_, reply, rows, passes) => {
		const run = await upload(file, { field, json, csv: csvOf(71), ...(reply !== undefined && { reply }) });
		expect(sent()).toBe(rows);
		const [{ answered, left, tokens } = {}] = run.rowsOf('What It Takes');
		expect({ answered, left }).toEqual({ answered: 20, left: 51 });
		expect(tokens).toBeGreaterThan(100);
		expect(run.runsOf('What Next?')).toBe(passes);
		if (reply === undefined) expect(run.path).not.toContain(made);
		else if (made === 'Evaluate Answers') expect(run.rowsOf(made)).toMatchObject([{ rows }]);
		else expect(run.rowsOf(made)).toHaveLength(rows);
	});

	test('stops after the first 20 rows, and says why, if none of them could be answered', async () => {
		emulator.fault({ status: 401, body: 'Wrong key', times: Infinity });
		const { path, error } = await upload(file, { field, json, csv: csvOf(30) });
		expect(path.slice(-2)).toEqual(['Say That Nothing Was Answered', 'Stop: Nothing Was Answered']);
		expect(error).toBe('No row could be answered: Wrong key');
		expect(sent()).toBe(20);
	});

	/** Uploads a file that is stopped before anything is sent. Returns the reason on the page. */
	async function refusalOf(csv: Buffer | string) {
		const { path, rowsOf } = await upload(file, { field, json, csv });
		expect(path.at(-1)).toBe('Say Which Files Work');
		expect(emulator.requests).toEqual([]);
		const page = readTemplate(file).nodes.find(({ name }) => name === 'Say Which Files Work')!;
		expect(page.parameters.completionMessage).toContain('$json.file_problem');
		return String(rowsOf('Say Which Files Work')[0]!.file_problem);
	}

	test.each(separated(column, ['id', 'said']))(
		'stops a file with a title above its column names, separated by %j, and names the line',
		async (separator, header) => {
			const row = ['My card is lost', '7', 'Cards'].join(separator);
			for (const title of [
				'Messages',
				`Messages, March`,
				`Messages${separator}${separator}`,
				'"Messages"\n',
			]) {
				const reason = await refusalOf([title, header, row].join('\n'));
				expect(reason).toMatch(
					/^Line [23] has a value in column [23], but line 1 has no name for that column/,
				);
				expect(reason).toContain('If line 1 is a title, delete it.');
			}
		},
	);

	test.each(separated(column, ['id', 'said']))(
		'stops a file with a row that is longer than its column names, separated by %j, and names the line',
		async (separator, header) => {
			const row = ['My card is lost', '7', 'Cards'].join(separator);
			const long = `${row}${separator}more`;
			expect(await refusalOf([header, row, '', long].join('\r\n'))).toMatch(
				/^Line 4 has a value in column 4/,
			);
			const multiline = `"My\ncard\nis lost"${separator}8`;
			expect(await refusalOf([header, multiline, long].join('\n'))).toMatch(
				/^Line 5 has a value in column 4/,
			);
		},
	);

	test.each(separated(column, ['id', 'id']))(
		'stops a file with two columns of one name, separated by %j, and says which',
		async (separator, header) => {
			const repeated = [header, ['My card is lost', '1', '2'].join(separator)].join('\n');
			expect(await refusalOf(repeated)).toContain('Line 1 has two columns called "id"');
			expect(await refusalOf(`sep=${separator}\n${repeated}`)).toContain(
				'Line 2 has two columns called "id"',
			);
		},
	);

	test.each([
		['without any content', '', 'The file is empty'],
		['with blank lines only', '\n \r\n,,\n', 'The file is empty'],
		['with a hint for Excel only', 'sep=;\n', 'The file is empty'],
		['with column names only', `${column},said\n`, 'The file has no rows'],
		['with column names and blank rows only', `${column};said\n\n;\n ; \n`, 'The file has no rows'],
		['that is a web page', '<!DOCTYPE html>\n<html><p>Sign in, please</p>', 'This is a web page'],
		['that is a web page without a type', '\n<html lang="en">', 'This is a web page'],
		['that is XHTML', '\ufeff<?xml version="1.0"?>\n<html>', 'This is a web page'],
		['that is an Excel file', 'PK\x03\x04', 'This is not a CSV file'],
		[
			'with a lost character',
			`${column}\nMy card is lost\nM\ufffdller`,
			'Line 3 has characters that were lost',
		],
	])('stops a file %s', async (_, csv, reason) => {
		expect(await refusalOf(csv)).toContain(reason);
	});
});

/** A header line for each separator of columns. */
function separated(column: string, others: string[]): Array<[separator: string, header: string]> {
	return [',', ';', '\t', '|'].map((separator) => [separator, [column, ...others].join(separator)]);
}

test('all templates that take a file read it with the same nodes', () => {
	const files = [...TAKING_FILES.map(([file]) => file), 'improve-my-question.json'];
	const readers = files.map((file) => {
		const { nodes } = readTemplate(file);
		const parametersOf = (name: string) => nodes.find((node) => node.name === name)!.parameters;
		const [{ leftValue } = {}] = (
			parametersOf('Can It Be Read?').conditions as { conditions: Array<{ leftValue: string }> }
		).conditions;
		return { code: parametersOf('Read the File').jsCode, leftValue };
	});
	for (const reader of readers) expect(reader).toEqual(readers[0]);
});

describe('Answers in a spreadsheet', () => {
	const send = async (csv?: Buffer | string) =>
		await upload('answers-in-a-spreadsheet.json', {
			field: 'Spreadsheet',
			...(csv !== undefined && { csv }),
		});
	const ann = { Customer: 'Ann', Message: 'Straße, after a day; 5 €!', Amount: '1,20' };
	const lines = (separator: string) =>
		[Object.keys(ann), Object.values(ann)]
			.map((cells) => cells.map((cell) => `"${cell}"`).join(separator))
			.join('\r\n');

	test.each([
		['commas', lines(',')],
		['semicolons, and a byte order mark', `\ufeff${lines(';')}`],
		['tabs', lines('\t')],
		['vertical bars', lines('|')],
		['windows-1252', Buffer.from(lines(';').replace('€', '\x80'), 'latin1')],
		['UTF-16, as Excel saves "Unicode Text"', Buffer.from(`\ufeff${lines('\t')}`, 'utf16le')],
		['commas that its first line names', `sep=,\r\n${lines(',')}`],
		['semicolons that its first line names', `\ufeffsep=;\n${lines(';')}`],
		['tabs that its quoted first line names', `"sep=\t"\n${lines('\t')}`],
		['blank rows and empty columns at its end', `${lines(';').replaceAll('\r\n', ';;\n')};;\n\n;;;;\n`],
	])('reads a CSV file with %s', async (_, csv) => {
		const { rowsOf } = await send(csv);
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual([ann]);
		expect(rowsOf('Make a Spreadsheet')).toMatchObject([{ ...ann, problem: '' }]);
	});

	test('reads names with commas', async () => {
		const rows = (await send('"Name, first, last";Amount\nAnn;1,20')).rowsOf('Make a Spreadsheet');
		expect(rows).toMatchObject([{ 'Name, first, last': 'Ann', Amount: '1,20' }]);
	});

	test.each([',', ';', '\t', '|'])(
		'keeps quotation marks within a cell, separated by %j',
		async (separator) => {
			const cells = ['He said "hi" to me', '"Hi" he said', 'A 5" screen', '"', 'say ""', '"a', 'b"'];
			for (const text of cells) {
				const csv = ['id', 'text', 'note'].join(separator) + `\n1${separator}${text}${separator}x\n`;
				const rows = (await send(csv)).rowsOf('Make a Spreadsheet');
				expect(rows).toMatchObject([{ id: '1', text, note: 'x' }]);
			}
		},
	);

	test('every row comes back with its answers, and a failed one with the reason', async () => {
		emulator.fault({ path: '/systemone', bodyIncludes: 'forgot my password', status: 400, body: 'too long' });
		const rows = (await send()).rowsOf('Make a Spreadsheet');
		expect(rows).toHaveLength(8);
		expect(rows[0]).toEqual({
			message: 'I was charged twice for the same order.',
			team: expect.any(String) as string,
			team_confidence: expect.any(Number) as number,
			urgent: expect.any(Number) as number,
			urgent_yes: expect.any(Boolean) as boolean,
			problem: '',
		});
		expect(rows[2]).toEqual({
			message: 'I forgot my password and cannot sign in.',
			problem: expect.stringContaining('too long') as string,
		});
	});

	test('cuts cells at 32,767 characters', async () => {
		const [row] = (await send(`message\n${'x'.repeat(40_000)}`)).rowsOf('Make a Spreadsheet');
		expect(row!.message).toHaveLength(32_767);
	});
});

test('puts each draft into its row, and the reason into a row without one', async () => {
	const drafted = { summary: 'Asks for the parcel', reply: 'It is on its way.', needs_person: false };
	const saying = (text: string) => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' });
	const json = `\`\`\`json\n${JSON.stringify(drafted)}\n\`\`\``;
	emulator.fault({ bodyIncludes: 'parcel', status: 200, body: saying(json) });
	emulator.fault({ bodyIncludes: 'poem', status: 200, body: saying('I cannot.') });
	const csv = 'id,question\n7,Where is my parcel?\n8,A poem please\n9,\n';
	const { rowsOf } = await upload('draft-replies-to-a-sheet.json', { field: 'Sheet', csv });
	const none = { summary: '', reply: '', needs_person: true };
	expect(rowsOf('Make a Spreadsheet')).toEqual([
		{ id: '7', question: 'Where is my parcel?', ...drafted, problem: '' },
		{ id: '8', question: 'A poem please', ...none, problem: expect.stringContaining('not valid JSON') },
		{ id: '9', ...none, problem: expect.stringContaining('must have content') },
	]);
	expect(emulator.requests).toHaveLength(2);
});

describe('Test your questions on labelled rows', () => {
	const send = async (csv?: string) =>
		await upload('test-questions-on-labelled-rows.json', {
			field: 'Labelled_Rows',
			...(csv !== undefined && { csv }),
		});

	test('without a file, the example rows are answered and evaluated', async () => {
		const { path, rowsOf } = await send();
		expect(path).not.toContain('Ask Before the Rest');
		expect(path.slice(-4)).toEqual(['Evaluate Answers', 'Read the Page', 'Page', 'Show the Page']);
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: EXAMPLE_ROWS, skipped: 0 }]);
		expect(String(rowsOf('Read the Page')[0]!.data)).toMatch(/<table class="matrix/);
	});

	test('the service never gets the expected team, a failed row counts as wrong, and an unlabelled row does not count', async () => {
		teamIs('Cards');
		const { rowsOf } = await send('message,expected_team\na,Cards\n,Cards\nb,\n');
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 2, skipped: 1, correct: 1 }]);
		const states = emulator.requests.map(({ body }) => (body as IDataObject).state);
		expect(new Set(states)).toEqual(new Set([{ message: 'a' }, { message: 'b' }]));
	});

	test('a file without expected answers gets an explanation', async () => {
		const { path, outputsOf } = await send('message,label\na,Cards\n');
		expect(path.at(-1)).toBe('Say What Is Missing');
		const [{ json }] = outputsOf('Say What Is Missing')[0] as [{ json: IDataObject }];
		expect(json.error).toMatchObject({
			message: expect.stringContaining('no item has a value in "expected_team"') as string,
		});
	});
});

describe('Is the new wording better?', () => {
	const compare = async (Messages: string, { csv, rows = [] }: { csv?: string; rows?: IDataObject[] } = {}) =>
		await upload('is-the-new-wording-better.json', {
			field: 'File',
			json: { Messages },
			rows,
			...(csv !== undefined && { csv }),
		});

	test('the example rows have both answers, so they give a verdict without a request', async () => {
		const { path, rowsOf } = await compare('Example rows');
		expect(path.at(-1)).toBe('Show the Page');
		expect(emulator.requests).toEqual([]);
		expect(rowsOf('Evaluate Answers')).toMatchObject([
			{ rows: EXAMPLE_ROWS, compared: { verdict: 'better' } },
		]);
	});

	test('a file with two columns of answers is compared without a request', async () => {
		const csv = `said,team_old,team_new\n${'Cards,Billing,Cards\n'.repeat(8)}`;
		const { rowsOf } = await compare('My CSV file', { csv });
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 8, compared: { verdict: 'better' } }]);
		expect(emulator.requests).toEqual([]);
	});

	test('what people said is compared with both wordings, and only the message is sent', async () => {
		const rows = [
			{ message: 'My card is lost', team: 'Billing', team_confidence: 0.4, said: 'Cards' },
			{ message: 'Nobody has read this', team: 'Billing', team_confidence: 0.4, said: null },
		];
		const { rowsOf } = await compare('Reviewed messages', { rows });
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 1 }]);
		const states = emulator.requests.map(({ body }) => (body as IDataObject).state);
		expect(states).toEqual([{ message: 'My card is lost' }, { message: 'My card is lost' }]);
	});

	test.each([
		['Reviewed messages', 'Say There Are None'],
		['My CSV file', 'Say Which Files Work'],
	])('says when there are no "%s"', async (messages, end) => {
		expect((await compare(messages)).path.at(-1)).toBe(end);
	});
});

describe('Improve my question', () => {
	const messages = parse<{ text: string; category: string }>(
		readFileSync(join(__dirname, '../../demo/customer-messages.csv')),
		{ columns: true },
	);
	const csvOf = (count: number) =>
		stringify(
			messages.slice(0, count).map(({ text, category }) => [text, teamOfIntent(category)]),
			{ header: true, columns: ['message', 'said'] },
		);
	const described = {
		cards: 'A card that is new, lost, stolen, blocked, declined or does not work; PIN and delivery of a card',
		transfers: 'A transfer, payment or refund that is pending, failed, missing, declined or charged twice',
		'top-ups': 'Topping up the account with a card, cash, cheque or bank transfer',
		account: 'Identity, verification, passcode, personal details, age, country, closing the account',
		'exchange and fees': 'Exchange rates, currencies, fees, charges, cash withdrawals and ATMs',
	};
	const names = Object.keys(described);
	const poor = Object.fromEntries(names.map((name, index) => [name, `Number ${index + 1} on our list`]));
	/** Each option with the description of the next one. */
	const swapped = Object.fromEntries(
		names.map((name, index) => [name, Object.values(described)[(index + 1) % names.length]]),
	);

	async function improve(now: object, proposals: unknown[], csv = csvOf(100)) {
		const template = readTemplate('improve-my-question.json');
		const question = { instructions: 'What is the message about?', options: now };
		const asked = template.nodes.find(({ name }) => name === 'My Question')!;
		const { assignments } = (asked.parameters as { assignments: { assignments: IDataObject[] } }).assignments;
		assignments[0]!.value = JSON.stringify(question);
		emulator.setScript(proposals.map((proposal) => ({ text: JSON.stringify(proposal) })));
		const data = Buffer.from(csv).toString('base64');
		return await runTemplate(template, emulator, {
			json: { Messages: 'My CSV file' },
			// n8n makes the name from the label of the field.
			binary: { File__only_for_My_CSV_file_: { data, mimeType: 'text/csv', fileName: 'rows.csv' } },
		});
	}

	const sentTo = (path: string) => emulator.requests.filter((request) => request.path === path);

	test.each([
		['better', 'The new descriptions are better', poor, described],
		['worse', 'The new descriptions are worse', described, swapped],
		['equally good', 'It cannot be told', poor, { ...poor, cards: 'Number 1 of our list' }],
	])('says of %s descriptions: "%s"', async (_, title, now, proposed) => {
		const { rowsOf } = await improve(now, [proposed, {}], csvOf(200));
		const [{ page, ...shown } = {}] = rowsOf('Write the Page');
		expect(shown).toMatchObject({ round: 1, title: expect.stringContaining(title) as string });
		for (const text of [...Object.values(now), ...Object.values(proposed)]) expect(page).toContain(text);
		expect(page).toMatch(/p = [01]\.\d{3}/);
		expect(page).toMatch(
			/Tokens: [1-9]\d+ for the old answers, [1-9]\d* for the proposal, [1-9]\d+ for the test/,
		);
	});

	test('keeps the same half of the rows back each time, and sends none of it to the model', async () => {
		const { rowsOf } = await improve(poor, [described, {}]);
		const tested = rowsOf('Ask the New Question').map(({ message }) => String(message));
		expect(tested.length).toBeGreaterThan(40);
		expect(tested.length).toBeLessThan(60);
		const [{ body } = {}] = sentTo('/messages');
		const request = JSON.stringify(body);
		const isSeen = (message: string) =>
			request.includes(JSON.stringify(JSON.stringify(message)).slice(3, -3));
		expect(tested.filter(isSeen)).toEqual([]);
		expect(rowsOf('Keep Half Back').filter(({ message }) => isSeen(String(message))).length).toBeGreaterThan(
			9,
		);
		const again = await improve(poor, [described, {}]);
		expect(again.rowsOf('Ask the New Question').map(({ message }) => message)).toEqual(tested);
	});

	test('says how large a difference must be to be seen', async () => {
		const { rowsOf } = await improve(poor, [described, {}], csvOf(80));
		const [{ page } = {}] = rowsOf('Write the Page');
		const [, rows, points] = /With (\d+) rows, only a difference of about (\d+) points/.exec(String(page))!;
		expect(Number(points)).toBe(Math.ceil(800 / Number(rows)));
	});

	test('says that too few rows look better, if chance may have made the difference', async () => {
		for (const [team, choice] of [
			['team_old', 'account'],
			['team_new', 'cards'],
		] as const) {
			const body = {
				model: 'Kev-4B',
				answers: { [team]: { type: 'choice', choice, confidence: 1 } },
				usage: {},
			};
			emulator.fault({ path: '/systemone', bodyIncludes: team, status: 200, body, times: Infinity });
		}
		const lines = Array.from({ length: 24 }, (_, row) => `Message ${row},${row % 4 ? 'top-ups' : 'cards'}`);
		const { rowsOf } = await improve(poor, [described, {}], ['message,said', ...lines].join('\n'));
		const [{ title, page, verdict } = {}] = rowsOf('Write the Page');
		const [, rows] = /With (\d+) rows/.exec(String(page))!;
		expect(verdict).toBe('cannot tell');
		expect(title).toBe(`The new ones look better, but ${rows} rows are too few to be sure`);
	});

	test('stops after three rounds, and tells the model what was tried before', async () => {
		const { path, rowsOf, runsOf } = await improve(poor, [described, swapped, poor], csvOf(60));
		expect(runsOf('Propose Descriptions')).toBe(3);
		expect(path).toContain('Say What Stopped It');
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('Three rounds are done');
		const last = JSON.stringify(sentTo('/messages').at(-1)!.body);
		for (const tried of [described, swapped]) expect(last).toContain(tried.cards);
	});

	test.each([
		['no JSON object', [1]],
		['an option too few', { cards: 'x' }],
		['another option', { ...described, more: 'x' }],
		['a renamed option', { ...described, cards: undefined, Cards: 'x' }],
		['no text', { ...described, cards: ' ' }],
		['too much text', { ...described, cards: 'x'.repeat(501) }],
		['a list', { ...described, cards: ['x'] }],
	])('a proposal with %s is not tested', async (_, proposal) => {
		const { path, rowsOf } = await improve(poor, [proposal], csvOf(30));
		expect(path).not.toContain('Ask the New Question');
		expect(String(rowsOf('Say What Stopped It')[0]!.problem)).toContain('did not describe each option');
	});

	test('sends nothing if fewer than 20 rows have a message and an expected option', async () => {
		const csv = `${csvOf(19)}Not an option,else\n,cards\n${messages[0]!.text},cards\n`;
		const { rowsOf } = await improve(poor, [], csv);
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('At least 20 are needed');
		expect(emulator.requests).toEqual([]);
	});

	test('names the options of both if the rows have others than the question', async () => {
		const many = Array.from({ length: 25 }, (_, index) => `option ${index + 1}`).join('\nMessage,');
		const { rowsOf } = await improve(poor, [], `message,said\nMessage,${many}\nMessage,${'x'.repeat(50)}\n`);
		const { problem } = rowsOf('Say What Stopped It')[0]!;
		expect(problem).toMatch(
			/^The column "said" has option 1, option 2, .*, option 20, …, but "My Question" has /,
		);
		expect(problem).toContain(`has ${names.join(', ')}. Enter your options there. 0 different rows`);
	});

	test('does not ask for the option that people in the review queue choose when none fits', async () => {
		const { rowsOf } = await improve(poor, [], `${csvOf(10)}Hello,None of these\n`);
		expect(rowsOf('Say What Stopped It')[0]!.problem).toMatch(/^10 different rows/);
	});

	test('says when no file was chosen', async () => {
		const template = readTemplate('improve-my-question.json');
		const { path, rowsOf } = await runTemplate(template, emulator, { json: { Messages: 'My CSV file' } });
		expect(path.at(-1)).toBe('Say Which Files Work');
		const [row] = rowsOf('Say Which Files Work');
		const title = async (json: IDataObject) =>
			await valueOf(template, 'Say Which Files Work', 'completionTitle', json);
		expect(await title(row!)).toBe('No file was chosen');
		expect(await title({ file_problem: 'The file is empty.' })).toBe('This file cannot be read');
	});

	test('when no row can be answered, the page says why, and no proposal is asked for', async () => {
		emulator.fault({ path: '/systemone', status: 401, body: 'Wrong key', times: Infinity });
		const { rowsOf } = await improve(poor, [], csvOf(30));
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('No row could be answered: Wrong key');
		expect(sentTo('/messages')).toEqual([]);
	});

	test('asks for a proposal with the example rows, too', async () => {
		emulator.setScript([]);
		const { path } = await runTemplate(readTemplate('improve-my-question.json'), emulator, {
			json: { Messages: 'Example rows' },
		});
		expect(path).toContain('Propose Descriptions');
	});
});

test('a stored row is skipped, and only a failed row is sent again', async () => {
	const template = readTemplate('rows-answered-once.json');
	template.nodes.find(({ name }) => name === 'Batches of 50 Rows')!.parameters.batchSize = 3;
	const rows: IDataObject[] = [];
	const run = async () => {
		emulator.requests.length = 0;
		const { error } = await runTemplate(template, emulator, { others: { dataTable: dataTable(rows) } });
		return [emulator.requests.length, rows.length, error?.slice(0, 27)];
	};
	emulator.fault({ status: 401, body: 'no', times: 3 });
	expect(await run()).toEqual([3, 0, 'Not all rows were answered.']);

	emulator.fault({ bodyIncludes: 'forgot my password', status: 400, body: 'no' });
	expect(await run()).toEqual([8, 7, 'Not all rows were answered.']);
	expect(await run()).toEqual([1, 8, undefined]);
	expect(await run()).toEqual([0, 8, undefined]);
	expect(rows[0]).toMatchObject({ row_id: expect.any(String) as string, team: expect.any(String) as string });
});

describe('Test your questions in n8n evaluations', () => {
	const template = readTemplate('test-questions-in-evaluations.json');

	test('the form first creates the table, and then evaluates its rows', async () => {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		const run = async () => await runTemplate(template, emulator, { others, at: 'Open the Form' });
		expect((await run()).path.slice(-2)).toEqual(['Insert Rows', 'Say What Comes Next']);
		expect(rows).toHaveLength(EXAMPLE_ROWS);
		for (const row of rows) Object.assign(row, { team: row.expected_team, team_confidence: 0.9 });
		const { path, rowsOf } = await run();
		expect(path.at(-1)).toBe('Show the Page');
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: EXAMPLE_ROWS, correct: EXAMPLE_ROWS }]);
		expect(emulator.requests).toEqual([]);
	});

	test("a row of n8n's evaluation is answered, and its answer has the columns and metrics", async () => {
		teamIs('Cards', 0.75);
		const json = { id: 1, message: 'Where is my card?', expected_team: 'Cards', row_number: 0 };
		const { path, rowsOf } = await runTemplate(template, emulator, { json, at: 'When Fetching a Row' });
		expect(path.slice(1)).toEqual(['Answer Questions', 'Save Answer', 'Set Metrics']);
		const [row] = rowsOf('Answer Questions');
		expect(await readAll('Save Answer', 'outputs', row!)).toEqual(['Cards', 0.75]);
		expect(await readAll('Set Metrics', 'metrics', row!)).toEqual([1, 0.75]);
		expect(await readAll('Set Metrics', 'metrics', { ...row, team: 'Billing' })).toEqual([0, 0.75]);
	});

	/** Computes the expressions in a list of one of n8n's nodes for an item, in their order. */
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
	const reviewed = (spot_check: boolean, said: string | null, said_at = new Date().toISOString()) => ({
		...{ message: 'Hello', team: 'Cards', team_confidence: 0.9, spot_check, said },
		said_at: said === null ? null : said_at,
	});

	async function measure(Answers: string, Month: string, rows: IDataObject[] = []) {
		const template = readTemplate('how-good-were-the-answers.json');
		const others = { dataTable: dataTable(rows) };
		return await runTemplate(template, emulator, { json: { Answers, Month }, others });
	}

	test('shows the page for the example rows, whatever the table contains', async () => {
		const { path, rowsOf } = await measure('Example rows', 'This month', [reviewed(true, 'Billing')]);
		expect(path).not.toContain('Reviewed Messages');
		expect(path.at(-1)).toBe('Show the Page');
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: EXAMPLE_ROWS, skipped: 0 }]);
	});

	const lastMonth = new Date();
	lastMonth.setUTCDate(0);
	test.each([
		['Spot checks', 'This month', { rows: 2, correct: 1 }],
		['Spot checks', 'Last month', { rows: 1, correct: 1 }],
		['Spot checks', 'All months', { rows: 4, correct: 3 }],
		['Uncertain ones', 'This month', { rows: 1, correct: 0 }],
	])('measures %s of %s separately from the others', async (answers, month, figures) => {
		const { rowsOf } = await measure(answers, month, [
			reviewed(true, 'Cards'),
			reviewed(true, 'Billing'),
			reviewed(true, 'Cards', lastMonth.toISOString()),
			reviewed(true, 'Cards', '2020-01-31T12:00:00.000Z'),
			reviewed(true, null),
			reviewed(false, 'Account'),
		]);
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ ...figures, skipped: 0 }]);
		expect(emulator.requests).toEqual([]);
	});

	test('says so if there is nothing to measure', async () => {
		const { path } = await measure('Spot checks', 'This month', [reviewed(false, 'Cards')]);
		expect(path.at(-1)).toBe('Say There Are None');
	});
});

const BALANCES: IDataObject = {
	checked_at: '2026-01-01T08:00:00.000Z',
	balance: 1,
	charge_balance: 2,
	total_balance: 9.1,
	balance_text: '1',
	charge_balance_text: '2',
	total_balance_text: '9.10',
};

test('the balance log has a table with the columns that it fills from its trigger', async () => {
	const source = 'Balance Changes';
	const template = readTemplate('balance-log-to-data-table.json');
	const { rowsOf } = await runTemplate(template, emulator, { json: BALANCES });
	expect(Object.keys(rowsOf(source)[0]!)).toEqual(Object.keys(BALANCES));
	const parametersOf = (name: string) => template.nodes.find((node) => node.name === name)!.parameters;
	const table = parametersOf('Create Table') as { columns: { column: Array<{ name: string }> } };
	const { columns } = parametersOf('Add Row') as { columns: { value: Record<string, string> } };
	expect(table.columns.column.map(({ name }) => name)).toEqual(Object.keys(BALANCES));
	expect(columns.value).toEqual(
		Object.fromEntries(
			Object.keys(BALANCES).map((name) => [name, `={{ $('${source}').first().json.${name} }}`]),
		),
	);
});

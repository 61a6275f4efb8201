import type { IDataObject, IExecuteFunctions, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { PassOn } from '../../engine/builtInNodes';
import { dataTable, googleSheet } from '../support/standIns';
import { readTemplate, runTemplate, valueOf, type Template } from '../support/template';
import { useEmulator } from '../support/useEmulator';

const EXAMPLE_ROWS = 36;

/** This confidence just reaches 0.7, which the templates have as Minimum Confidence, and Second opinion in "Is It Certain?". */
const JUST_CLEAR = 0.7;

/** This confidence just misses 0.7. */
const JUST_UNCLEAR = 0.69;

const emulator = useEmulator({ models: ['vendor/model_name'] });

/** Makes the service answer every decision with this team. */
function teamIs(choice: string, confidence = 0.9, others = {}) {
	emulator.clearFaults();
	const answers = { team: { type: 'choice', choice, confidence }, ...others };
	const body = { model: 'Kev-4B', answers, usage: {} };
	emulator.answer(body, { path: '/systemone', times: Infinity });
}

const failing = () => emulator.fault({ status: 403, body: 'no', times: Infinity });

/** Returns the template after a person has added an option at the end: n8n adds an output without a connection. */
function withTeam(whole: Template, name: string): Template {
	const copy = structuredClone(whole);
	const { parameters } = copy.nodes.find(({ parameters: { operation } }) => operation === 'route')!;
	const [{ options }] = (parameters.questions as { question: [{ options: { option: IDataObject[] } }] })
		.question;
	options.option.push({ name, description: '' });
	return copy;
}

/** Returns the template after a person has deleted an option: n8n deletes the connections of the last output with it. */
function withoutTeam(whole: Template, team: string): Template {
	const copy = structuredClone(whole);
	const { name, parameters } = copy.nodes.find(({ parameters: { operation } }) => operation === 'route')!;
	const [{ options }] = (parameters.questions as { question: [{ options: { option: IDataObject[] } }] })
		.question;
	options.option = options.option.filter((option) => option.name !== team);
	copy.connections[name]!.main!.pop();
	return copy;
}

const submission = (Message: string): IDataObject => ({
	Name: 'Ada',
	Email: 'ada@example.com',
	Message,
	submittedAt: '2026-01-01T08:00:00.000Z',
	formMode: 'production',
});

describe('Form submissions, routed to teams:', () => {
	const template = readTemplate('form-decided-and-routed.json');
	const urgent = { urgent: { type: 'noul', noul: 0.7 } };
	const submit = async (changed = template) =>
		await runTemplate(changed, emulator, { json: submission('My card was charged twice') });

	test.each(['Billing', 'Cards', 'Account'])(
		'a message for %s goes to its team, and the visitor is told',
		async (team) => {
			teamIs(team, 0.9, urgent);
			const { path, rowsOf } = await submit();
			expect(path.slice(2)).toEqual([
				...['Decide the Team', `${team} Team`, 'Answer: Your Team'],
				'Did It Get Somewhere?',
			]);
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
		const { path, error } = await submit();
		expect(path.slice(3, 5)).toEqual(['Ask a Person', 'Answer: We Are Reading It']);
		expect(error).toBeUndefined();
	});

	test.each<[string, Template]>([
		['with its teams', template],
		['with a fourth team', withTeam(template, 'Loans')],
		['with a team deleted', withoutTeam(template, 'Billing')],
	])(
		'%s, if the service cannot answer, a person gets the message, the visitor is told, and the execution fails',
		async (_, changed) => {
			failing();
			const { path, error, rowsOf } = await submit(changed);
			expect(path.slice(3)).toEqual([
				...['Ask a Person', 'Answer: We Are Reading It', 'Was It Decided?', 'Stop: It Was Not Decided'],
			]);
			expect(rowsOf('Ask a Person')).toMatchObject([{ Message: 'My card was charged twice' }]);
			expect(error).toContain('went to "Ask a Person": no');
		},
	);

	test('a message for a fourth team whose output is connected to nothing is kept, and the visitor and the owner are told', async () => {
		teamIs('Loans', 0.9, urgent);
		const { path, error } = await submit(withTeam(template, 'Loans'));
		expect(path.slice(-2)).toEqual(['Answer: It Is Kept', 'Stop and Error']);
		expect(error).toContain('Ada (ada@example.com) writes: My card was charged twice');
		const page = template.nodes.find(({ name }) => name === 'Answer: It Is Kept')!;
		expect(page.parameters.completionMessage).toContain('We have kept your message.');
	});
});

/** Stands in for Send Email with "Send and Wait for Response": a person chooses a team. */
class Answered extends PassOn {
	/** Holds the fields of the form behind the button, and the email. */
	asked: { fields?: unknown; subject?: unknown; message?: unknown } = {};

	constructor() {
		const names = ['jsonOutput', 'subject', 'message'];
		super(
			'emailSend',
			1,
			names.map((name) => ({ displayName: name, name, type: 'string', default: '' })),
		);
		const { asked } = this;
		this.execute = async function (this: IExecuteFunctions) {
			const [fields, subject, message] = names.map((name) => this.getNodeParameter(name, 0) as string);
			Object.assign(asked, { fields: JSON.parse(fields!), subject, message });
			const said = { 'Which team should handle it?': 'Billing', respondedAt: '2026-01-01T08:00:00.000Z' };
			return [[{ json: { data: said }, pairedItem: { item: 0 } }]];
		};
	}
}

describe('Review queue:', () => {
	const template = readTemplate('review-queue.json');

	async function write(rows: IDataObject[], message: string, changed = template) {
		const json = { Message: message };
		const others = { dataTable: dataTable(rows), emailSend: new Answered() };
		return await runTemplate(changed, emulator, { json, others });
	}

	test('a clear answer goes to its team', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', JUST_CLEAR);
		expect((await write(rows, 'My card is lost')).path.slice(2)).toEqual([
			'Decide the Team',
			'To the Team',
			'Did It Get Somewhere?',
		]);
		expect(rows).toEqual([]);
	});

	test('an unclear answer is kept with what the person says, under the columns that are measured', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', JUST_UNCLEAR);
		const { path } = await write(rows, 'Hm');
		expect(path).toContain('To the Team They Named');
		expect(path.at(-1)).toBe('Did It Get Somewhere?');
		expect(rows).toEqual([
			{
				id: 1,
				message: 'Hm',
				team: 'Cards',
				team_confidence: JUST_UNCLEAR,
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

	test('the person can choose each team of the question, or none', async () => {
		const changed = withTeam(template, 'Loans');
		teamIs('Cards', 0.5);
		const emailSend = new Answered();
		const others = { dataTable: dataTable([]), emailSend };
		await runTemplate(changed, emulator, { json: { Message: 'Hm' }, others });
		const options = ['Billing', 'Cards', 'Account', 'Loans', 'None of these'];
		expect(emailSend.asked.fields).toMatchObject([
			{
				fieldLabel: 'Which team should handle it?',
				fieldOptions: { values: options.map((option) => ({ option })) },
			},
		]);
	});

	test.each<
		[name: string, message: string, confidence: number, spotCheck: number, subject: string, said: string]
	>([
		['a spot check', 'Hm', 0.9, 100, 'Spot check: is this answer right?', 'The answer was clear: Cards'],
		[
			'an unclear answer',
			'Hm',
			0.4,
			0,
			'Which team should handle this message?',
			'a confidence of only 0.4.',
		],
		['no answer', ' ', 0.9, 0, 'Which team should handle this message?', 'There was no answer.'],
	])('the email says that it is about %s', async (_, message, confidence, spotCheck, subject, said) => {
		const changed = structuredClone(template);
		changed.nodes.find(({ name }) => name === 'Decide the Team')!.parameters.options = { spotCheck };
		teamIs('Cards', confidence);
		const emailSend = new Answered();
		const others = { dataTable: dataTable([]), emailSend };
		await runTemplate(changed, emulator, { json: { Message: message }, others });
		expect(emailSend.asked).toMatchObject({ subject, message: expect.stringContaining(said) as string });
	});

	test('when the service cannot answer, nothing is kept, and the execution fails where Retry asks again', async () => {
		failing();
		const rows: IDataObject[] = [];
		const { path, error } = await write(rows, 'Hello');
		expect(path.at(-1)).toBe('Decide the Team');
		expect(error).toContain('no');
		expect(rows).toEqual([]);
	});

	test('a message for a fourth team whose output is connected to nothing makes the execution fail, with the message', async () => {
		teamIs('Loans');
		const changed = withTeam(template, 'Loans');
		const { path, error } = await write([], 'May I borrow some money?', changed);
		expect(path.at(-1)).toBe('Stop: It Got Nowhere');
		expect(error).toContain('May I borrow some money?');
	});

	test('with a team deleted, a message still goes to the team that is named', async () => {
		const changed = withoutTeam(template, 'Billing');
		teamIs('Account');
		const { rowsOf } = await write([], 'I forgot my password', changed);
		expect(rowsOf('To the Team')).toMatchObject([{ team: 'Account', route: 'Account' }]);
	});
});

/** The later nodes of these templates need columns of a question. With each are the node that asks it, and its trigger. */
describe.each<[file: string, name: string, at?: string]>([
	['review-queue.json', 'Decide the Team'],
	['typeform-or-tally-by-webhook.json', 'Decide the Team'],
	['form-decided-and-routed.json', 'Decide the Team'],
	['sort-my-inbox.json', 'Sort the Message'],
	['rows-answered-once.json', 'Answer Questions'],
	['decide-in-a-cell.json', 'Answer the Question'],
	['second-opinion.json', 'Decide the Team'],
	['decide-new-rows-of-a-google-sheet.json', 'Answer Questions'],
	['test-questions-in-evaluations.json', 'Answer Questions', 'When Fetching a Row'],
])('%s:', (file, name, at?: string) => {
	const run = async (template: Template) =>
		await runTemplate(template, emulator, {
			json: { ...submission('My card is lost'), body: { data: { fields: [] } }, query: { text: 'Hello' } },
			others: { dataTable: dataTable([]), googleSheets: googleSheet([{ message: 'Hello' }]) },
			...(at !== undefined && { at }),
		});
	const changed = (change: (parameters: INodeParameters, question: IDataObject) => void) => {
		const template = structuredClone(readTemplate(file));
		const { parameters } = template.nodes.find((node) => node.name === name)!;
		change(parameters, (parameters.questions as { question: [IDataObject] }).question[0]);
		return template;
	};

	test.each<
		[name: string, change: (parameters: INodeParameters, question: IDataObject) => void, reason: string]
	>([
		['a renamed ID', (_, question) => (question.id = 'department'), 'gives no column "team"'],
		['a question of another type', (_, question) => (question.type = 'noul'), 'gives no column "team_conf'],
		['Simplify off', (parameters) => (parameters.simplify = false), 'Turn on "Simplify"'],
		[
			'the answers under a field',
			(parameters) => (parameters.options = { outputField: 'answers' }),
			'Delete the option "Output Field"',
		],
	])('with %s, it fails before anything is sent, and says why', async (_, change, reason) => {
		const { path, error } = await run(changed(change));
		expect(path).not.toContain(name);
		expect(error).toContain(reason);
		expect(emulator.requests).toEqual([]);
	});
});

test.each([
	['sort-my-inbox.json', 'message'],
	['review-queue.json', 'message'],
	['tag-my-tickets.json', 'ticket'],
])(
	'%s stops before anything is sent or written if several items come at once, because later nodes read the first one only',
	async (file, one) => {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		const json = { ...submission('My card is lost'), Ticket: 'My card is lost' };
		const { error } = await runTemplate(readTemplate(file), emulator, { json, more: [json], others });
		expect(error).toContain(`This workflow takes one ${one} at a time, but got 2.`);
		expect(rows).toEqual([]);
		expect(emulator.requests).toEqual([]);
	},
);

describe('Sort my inbox:', () => {
	const template = readTemplate('sort-my-inbox.json');

	async function write(message: string, changed = template) {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		return { ...(await runTemplate(changed, emulator, { json: submission(message), others })), rows };
	}

	const told = async (row: IDataObject) =>
		await valueOf(template, 'Answer: We Have It', 'completionMessage', row, 'Write the Team');

	/** Returns the email about a row, with these addresses. */
	async function mailOf(row: IDataObject, addresses?: IDataObject) {
		const changed = structuredClone(template);
		for (const node of changed.nodes) node.disabled = false;
		const { assignments } = changed.nodes.find(({ name }) => name === 'Addresses')!.parameters
			.assignments as { assignments: Array<{ name: string; value: string }> };
		const given = addresses ?? Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
		const text = JSON.stringify(changed.nodes.find(({ name }) => name === 'Tell the Team')!.parameters)
			.replaceAll("$('Write the Team').first().json", '$json.row')
			.replaceAll('$json[', '$json.addresses[')
			.replaceAll('$json.Office', '$json.addresses.Office');
		Object.assign(
			changed.nodes.find(({ name }) => name === 'Tell the Team')!,
			{ parameters: JSON.parse(text) },
		);
		const json = { row, addresses: given };
		return await valueOf(changed, 'Tell the Team', 'toEmail', json);
	}

	test.each(['Sales', 'Support', 'Office'])('a message for %s is stored for that team', async (team) => {
		teamIs(team);
		const { path, rows } = await write('Where is my order?');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(await told(rows[0]!)).toBe(`Your message is with our ${team} team.`);
		expect(await mailOf(rows[0]!)).toBe(`${team.toLowerCase()}@example.com`);
		expect(rows).toEqual([
			{
				id: 1,
				received: '2026-01-01T08:00:00.000Z',
				name: 'Ada',
				email: 'ada@example.com',
				message: 'Where is my order?',
				team,
				team_confidence: 0.9,
				to_check: false,
			},
		]);
	});

	test.each([
		['a team without an address', { team: 'Loans', to_check: false }],
		['a message to check', { team: 'Sales', to_check: true }],
	])('the email about %s goes to the office', async (_, row) => {
		expect(await mailOf(row)).toBe('office@example.com');
	});

	test('a decision with little confidence is checked by a person', async () => {
		teamIs('Spam', JUST_UNCLEAR);
		const { path, rows } = await write('Hm');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(rows).toMatchObject([{ team: 'Spam', to_check: true }]);
		expect(await told(rows[0]!)).toContain('Someone will read your message');
	});

	test.each([
		['Spam', 'Answer: Received'],
		['Not for us', 'Answer: Not for Us'],
	])('%s is not kept', async (choice, end) => {
		teamIs(choice);
		const { path, rows } = await write('x');
		expect(path.at(-1)).toBe(end);
		expect(rows).toEqual([]);
	});

	test.each(['Not for us', 'Spam'])(
		'with "%s" deleted, whose connection the next option gets, a message of a team is not dropped',
		async (option) => {
			const changed = withoutTeam(template, option);
			for (const team of ['Sales', 'Support', 'Office']) {
				teamIs(team);
				expect((await write('Where is my order?', changed)).rows).toHaveLength(1);
			}
		},
	);

	test.each<[string, Template]>([
		['with its teams', template],
		['with a fourth team', withTeam(template, 'Loans')],
		...['Sales', 'Support', 'Office'].map(
			(team) => [`with ${team} deleted`, withoutTeam(template, team)] as [string, Template],
		),
	])(
		'%s, if the service cannot answer, the message waits for a person, the visitor is told, and the execution fails',
		async (_, changed) => {
			failing();
			const { path, rows, error } = await write('Hm', changed);
			expect(path.slice(-2)).toEqual(['Answer: It Is Kept', 'Stop and Error']);
			expect(rows).toEqual([expect.objectContaining({ message: 'Hm', to_check: true })]);
			expect(error).toContain('waits in the data table "Inbox" for a person: no');
		},
	);

	test('a message for a team whose output is connected to nothing waits for a person, and the visitor is told', async () => {
		teamIs('Loans');
		const { path, rows } = await write('May I borrow money?', withTeam(template, 'Loans'));
		expect(path.at(-1)).toBe('Sort the Message');
		expect(rows).toEqual([expect.objectContaining({ message: 'May I borrow money?', to_check: true })]);
		const { options } = template.nodes[0]!.parameters as { options: { respondWithOptions: unknown } };
		expect(JSON.stringify(options.respondWithOptions)).toContain('We have your message.');
	});

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

describe('Tag my tickets:', () => {
	const template = readTemplate('tag-my-tickets.json');
	const TAGS = ['Billing', 'Delivery', 'Damaged', 'Account', 'Cancel'];

	/** Makes the service answer that these tags apply, and how urgent a ticket is. */
	function tagsAre(tags: string[], urgent = 0.1) {
		emulator.clearFaults();
		const probabilities = TAGS.map((tag) => [`tags: ${tag}`, tags.includes(tag) ? 0.9 : 0.1]);
		const answers = [...probabilities, ['urgent', urgent]].map(([id, noul]) => [id, { type: 'noul', noul }]);
		const body = { model: 'Kev-4B', answers: Object.fromEntries(answers) as object, usage: {} };
		emulator.answer(body, { path: '/systemone', times: Infinity });
	}

	async function open(Ticket: string, changed = template) {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		const json = { ...submission(''), Ticket };
		return { ...(await runTemplate(changed, emulator, { json, others })), rows };
	}

	test('a ticket has a row with all tags that apply', async () => {
		tagsAre(['Billing', 'Delivery']);
		const { path, rows } = await open('It never came, and I want my money back.');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(path).not.toContain('Tell the Team');
		expect(rows).toEqual([
			{
				id: 1,
				received: '2026-01-01T08:00:00.000Z',
				name: 'Ada',
				email: 'ada@example.com',
				ticket: 'It never came, and I want my money back.',
				tags: 'Billing, Delivery',
				urgent: 0.1,
				to_check: false,
			},
		]);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]!.body).toMatchObject({
			state: { ticket: 'It never came, and I want my money back.' },
		});
	});

	test('tells the team of a ticket if the probability that it is urgent reaches the 0.8 of "Is It Urgent?"', async () => {
		tagsAre(['Billing'], 0.8);
		expect((await open('Help!')).path).toContain('Tell the Team');
		tagsAre(['Billing'], 0.79);
		expect((await open('Help!')).path).not.toContain('Tell the Team');
	});

	test('the email about an urgent ticket names its tags', async () => {
		const turnedOn = structuredClone(template);
		for (const node of turnedOn.nodes) node.disabled = false;
		const subject = async (row: IDataObject) =>
			await valueOf(turnedOn, 'Tell the Team', 'subject', { name: 'Ada', ...row });
		expect(await subject({ tags: 'Billing, Cancel' })).toBe('Urgent ticket from Ada: Billing, Cancel');
		expect(await subject({ tags: '' })).toBe('Urgent ticket from Ada: no tag');
	});

	test('a ticket without a tag waits for a person', async () => {
		tagsAre([]);
		expect((await open('Hm')).rows).toMatchObject([{ tags: '', to_check: true }]);
	});

	test('if the service cannot answer, the ticket waits for a person, the customer is told, and the execution fails', async () => {
		failing();
		const { path, rows, error } = await open('Hm');
		expect(path.slice(-2)).toEqual(['Answer: It Is Kept', 'Stop and Error']);
		expect(rows).toEqual([expect.objectContaining({ ticket: 'Hm', to_check: true })]);
		expect(error).toContain('waits in the data table "Tickets" for a person: no');
	});

	test.each([
		['a renamed ID', { id: 'labels' }, 'gives no column "tags"'],
		['a question of another type', { type: 'choice' }, 'gives no column "tags_text"'],
	])('with %s, it fails before anything is sent, and says why', async (_, change, reason) => {
		const changed = structuredClone(template);
		const { parameters } = changed.nodes.find(({ name }) => name === 'Tag the Ticket')!;
		Object.assign((parameters.questions as { question: [object] }).question[0], change);
		const { error } = await open('Hm', changed);
		expect(error).toContain(reason);
		expect(emulator.requests).toEqual([]);
	});

	test('sends nothing for a blank ticket', async () => {
		expect((await open(' ')).path.at(-1)).toBe('Answer: Nothing in It');
		expect(emulator.requests).toEqual([]);
	});
});

describe('Typeform or Tally by webhook:', () => {
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
		expect((await receive(bodyOf('My card is lost'))).path).toContain('Cards Team');
		expect(emulator.requests.map(({ body }) => (body as IDataObject).state)).toEqual(['My card is lost']);
		teamIs('Cards', 0.1);
		const unclear = await receive(bodyOf('Hm'));
		expect(unclear.path).toContain('Ask a Person');
		expect(unclear.error).toBeUndefined();
	});

	test.each<[string, IDataObject]>([
		['an empty message', tally(null)],
		['no such field', { data: { fields: [] } }],
		['an unanswered field', { form_response: { definition: { fields: [] }, answers: [] } }],
		['the body of another form', { message: 'Hello' }],
	])('with %s, nothing is sent, and a person is asked', async (_, body) => {
		expect((await receive(body)).path).toContain('Ask a Person');
		expect(emulator.requests).toEqual([]);
	});

	test('when the service cannot answer, the execution fails where Retry asks again', async () => {
		failing();
		const { path, error } = await receive(tally('Hello'));
		expect(path.at(-1)).toBe('Decide the Team');
		expect(error).toContain('no');
	});

	test('a message for a fourth team whose output is connected to nothing makes the execution fail, with the message', async () => {
		teamIs('Loans');
		const { error } = await receive(tally('May I borrow some money?'), withTeam(titled, 'Loans'));
		expect(error).toContain('May I borrow some money?');
	});
});

describe('Decisions for any MCP client:', () => {
	const { nodes } = readTemplate('decisions-for-any-mcp-client.json');

	test('asks for authentication before anybody can use it', () => {
		expect(nodes[0]!.parameters.authentication).toBe('bearerAuth');
	});

	/** Asks as an assistant does, with its arguments in the item. */
	async function chooseOne(options: string) {
		const { parameters } = nodes.find(({ name }) => name === 'Choose One')!;
		const text = JSON.stringify(parameters).replaceAll(/\$fromAI\('(\w+)', '[^']*'\)/g, '$$json.$1');
		const { name: at } = nodes[0]!;
		const start = { ...nodes[0]!, type: 'n8n-nodes-base.webhook', parameters: {} };
		const choose = {
			...nodes.find(({ name }) => name === 'Choose One')!,
			type: 'n8n-nodes-inference-service.decision',
			// A tool's default is the text.
			parameters: { ...(JSON.parse(text) as INodeParameters), stateSource: 'text' },
		};
		const connections = { [at]: { main: [[{ node: choose.name, type: 'main' as const, index: 0 }]] } };
		const json = { options, question: 'Which "one"?', text: 'We fly to Asia' };
		return await runTemplate({ name: '', nodes: [start, choose], connections }, emulator, { json });
	}

	test.each([
		['Flights (Europe, Asia)\nHotels', ['Flights (Europe, Asia)', 'Hotels']],
		[' Billing \n\n Cards\r\nAccount', ['Billing', 'Cards', 'Account']],
		['"Yes"\nNo \\ never', ['"Yes"', 'No \\ never']],
	])('the answers %j are the options %j', async (options, expected) => {
		const { error } = await chooseOne(options);
		expect(error).toBeUndefined();
		expect(emulator.requests.map(({ body }) => body)).toMatchObject([
			{
				state: 'We fly to Asia',
				questions: { answer: { criteria: Object.fromEntries(expected.map((name) => [name, ''])) } },
			},
		]);
	});

	test.each([
		['A, B', 'option 2 has none'],
		['Billing\nCards\nBilling', 'must not have "Billing" twice'],
		['', 'must have at least one option'],
	])('the answers %j are refused before anything is sent', async (options, reason) => {
		expect((await chooseOne(options)).error).toContain(reason);
		expect(emulator.requests).toEqual([]);
	});
});

describe('Balance in a cell:', () => {
	const template = readTemplate('balance-in-a-cell.json');

	test('answers with the exact total balance', async () => {
		const { path, rowsOf } = await runTemplate(template, emulator);
		expect(path.at(-1)).toBe('Answer the Cell');
		const [row] = rowsOf('Answer the Cell');
		expect(await valueOf(template, 'Answer the Cell', 'responseBody', row!)).toBe('100.000000');
	});

	test.each([
		['no balance', { status: true, data: { id: 'user_1' } }, true, 'The service gave no balance.'],
		['a raw account', undefined, false, 'Turn on "Simplify" in "Get Balance".'],
	])('says in the cell what is wrong if there is %s', async (_, body, simplify, said) => {
		if (body) emulator.fault({ path: '/user/info', status: 200, body });
		const changed = structuredClone(template);
		changed.nodes.find(({ name }) => name === 'Get Balance')!.parameters.simplify = simplify;
		const [row] = (await runTemplate(changed, emulator)).rowsOf('Answer the Cell');
		expect(await valueOf(changed, 'Answer the Cell', 'responseBody', row!)).toBe(said);
	});

	test('answers with the reason when the balance cannot be read, and the execution fails', async () => {
		failing();
		const { path, error } = await runTemplate(template, emulator);
		expect(path.slice(-2)).toEqual(['Answer with an Error', 'Stop and Error']);
		expect(error).toContain('no');
	});
});

describe('Decide in a cell:', () => {
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

	test.each(['Answer the Question', 'Keep the Answer'])(
		'if %s is connected to nothing, the execution fails, because each recalculation would pay again',
		async (name) => {
			const cut = structuredClone(template);
			cut.connections[name]!.main![0] = [];
			const { error } = await runTemplate(cut, emulator, { json: { query: { text: 'Hello' } } });
			expect(error).toContain('leads to nothing');
		},
	);

	test('a failure is not stored in the table', async () => {
		failing();
		const rows: IDataObject[] = [];
		expect((await ask('My card is lost', rows)).error).toContain('no');
		expect(rows).toEqual([]);
	});
});

describe('Decide new rows of a Google Sheet:', () => {
	test('names the sheet to write to, because n8n deletes the columns of an import without a sheet', () => {
		const { nodes } = readTemplate('decide-new-rows-of-a-google-sheet.json');
		const { sheetName } = nodes.find(({ name }) => name === 'Write into the Row')!.parameters;
		expect(sheetName).toMatchObject({ mode: 'name', value: 'Sheet1' });
	});

	test.each([
		['message', { Message: 'My card is lost', team: '', team_confidence: '' }],
		['team, team_confidence', { message: 'My card is lost' }],
	])('fails before anything is sent if the sheet has no column %s', async (lacking, row) => {
		const { error } = await runTemplate(readTemplate('decide-new-rows-of-a-google-sheet.json'), emulator, {
			others: { googleSheets: googleSheet([row]) },
		});
		expect(error).toContain(`has no column ${lacking}. It has`);
		expect(emulator.requests).toEqual([]);
	});

	test('if the answers are not written, the execution fails, because the next row would pay for them again', async () => {
		const template = structuredClone(readTemplate('decide-new-rows-of-a-google-sheet.json'));
		template.connections['Answer Questions']!.main![0] = [];
		const { error } = await runTemplate(template, emulator, {
			others: { googleSheets: googleSheet([{ message: 'Hello', team: '', team_confidence: '' }]) },
		});
		expect(error).toContain('does not lead to "Write into the Row"');
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

describe('Second opinion:', () => {
	const TEXT = 'The machine kept what I put into it';

	async function decide(change: (question: IDataObject) => void = () => {}) {
		const template = structuredClone(readTemplate('second-opinion.json'));
		const parametersOf = (name: string) => template.nodes.find((node) => node.name === name)!.parameters;
		parametersOf('Example Messages').jsonOutput = JSON.stringify({ rows: [{ text: TEXT, id: 7 }] });
		change((parametersOf('Decide the Team').questions as { question: [IDataObject] }).question[0]);
		return await runTemplate(template, emulator);
	}

	const rowOf = (team: string, decided_by: string, more = {}) => [
		{ text: TEXT, id: 7, team, decided_by, ...more },
	];
	const asked = () => emulator.requests.map(({ path }) => path);
	const reply = (team: string) => emulator.setScript([{ text: JSON.stringify({ team }) }]);

	test('sends nothing to the model when the decision is confident', async () => {
		teamIs('Billing', JUST_CLEAR);
		expect((await decide()).rowsOf('To the Team')).toEqual(rowOf('Billing', 'Decide the Team'));
		expect(asked()).toEqual(['/systemone']);
	});

	test.each<[string, () => void]>([
		['is uncertain', () => teamIs('Account', JUST_UNCLEAR)],
		['has no confidence', () => teamIs('Account', Number.NaN)],
		['fails', () => emulator.fault({ path: '/systemone', status: 403, body: 'no' })],
	])('if the decision %s, the model decides, and the row says so', async (_, answer) => {
		answer();
		reply('Cards');
		expect((await decide()).rowsOf('To the Team')).toEqual(rowOf('Cards', 'Second Opinion', { problem: '' }));
		expect(asked()).toEqual(['/systemone', '/messages']);
	});

	test('the model chooses among the options of the question, whatever they are', async () => {
		teamIs('Gardens', 0.1);
		reply('Gardens');
		const option = [{ name: 'Gardens', description: 'Lawns and trees' }, { name: 'Roofs' }];
		const { rowsOf } = await decide((question) => (question.options = { option }));
		expect(rowsOf('To the Team')).toEqual(rowOf('Gardens', 'Second Opinion', { problem: '' }));
		const { system } = emulator.requests.at(-1)!.body as { system: string };
		expect(system).toContain('Gardens: Lawns and trees\n');
		expect(system).toContain('["Gardens","Roofs","None of these"]');
	});

	test.each(['None of these', 'cards', 'Gardens'])(
		'text that the model gives to "%s" goes to a person',
		async (team) => {
			teamIs('Account', 0.1);
			reply(team);
			const { rowsOf, path, error } = await decide();
			expect(rowsOf('Ask a Person')).toEqual(rowOf('', '', { problem: '' }));
			expect(path).not.toContain('To the Team');
			expect(error).toBeUndefined();
		},
	);

	test.each<[name: string, answer: () => void, problem: string]>([
		['neither can answer', failing, 'no'],
		[
			'the model names no team',
			() => {
				teamIs('Account', 0.1);
				emulator.setScript([{ text: '{}' }]);
			},
			'The model named no team',
		],
	])('when %s, a person gets the text, and the execution fails', async (_, answer, problem) => {
		answer();
		const { rowsOf, error } = await decide();
		expect(rowsOf('Ask a Person')).toMatchObject(rowOf('', ''));
		expect(error).toContain('A message could not be decided, and went to "Ask a Person": ');
		expect(error).toContain(problem);
	});
});

describe('Each row answered once:', () => {
	/** The error of an execution with failed rows begins like this. */
	const NOT_ALL = 'Not all rows were answered.';

	/** Returns the template with these rows, and a batch size of 3. */
	function withRows(given?: IDataObject[]): Template {
		const template = readTemplate('rows-answered-once.json');
		const parametersOf = (name: string) => template.nodes.find((node) => node.name === name)!.parameters;
		parametersOf('Batches of 50 Rows').batchSize = 3;
		if (given) parametersOf('Example Rows').jsonOutput = JSON.stringify({ rows: given });
		return template;
	}

	async function run(rows: IDataObject[], template = withRows()) {
		emulator.requests.length = 0;
		const { error } = await runTemplate(template, emulator, { others: { dataTable: dataTable(rows) } });
		return {
			requests: emulator.requests.length,
			stored: rows.length,
			error: error?.slice(0, NOT_ALL.length),
		};
	}

	test('a stored row is skipped, and only a failed row is sent again', async () => {
		const rows: IDataObject[] = [];
		emulator.fault({ status: 401, body: 'no', times: 3 });
		expect(await run(rows)).toEqual({ requests: 3, stored: 0, error: NOT_ALL });

		emulator.fault({ bodyIncludes: 'forgot my password', status: 400, body: 'no' });
		expect(await run(rows)).toEqual({ requests: 8, stored: 7, error: NOT_ALL });
		expect(await run(rows)).toEqual({ requests: 1, stored: 8, error: undefined });
		expect(await run(rows)).toEqual({ requests: 0, stored: 8, error: undefined });
		expect(rows[0]).toMatchObject({
			row_id: expect.any(String) as string,
			team: expect.any(String) as string,
		});
	});

	test.each(['Answer Questions', 'Keep Answers'])(
		'if %s is connected to nothing, the execution fails, because each run would pay for the same rows',
		async (name) => {
			const template = structuredClone(withRows());
			template.connections[name]!.main![0] = [];
			expect(await run([], template)).toMatchObject({ requests: 3, error: 'Not all rows were answered ' });
		},
	);

	const two = [
		{ id: 1, message: 'My card is lost', note: 'a' },
		{ id: 2, message: 'I was charged twice', note: 'b' },
	];

	test('a changed row is answered anew, and its old answer is replaced', async () => {
		const rows: IDataObject[] = [];
		expect(await run(rows, withRows(two))).toEqual({ requests: 2, stored: 2, error: undefined });
		const changed = [two[0]!, { ...two[1]!, message: 'I forgot my password' }];
		teamIs('Account');
		expect(await run(rows, withRows(changed))).toEqual({ requests: 1, stored: 2, error: undefined });
		expect(rows[1]).toMatchObject({ row_id: '2', message: 'I forgot my password', team: 'Account' });
		expect(await run(rows, withRows(changed))).toEqual({ requests: 0, stored: 2, error: undefined });
	});

	test('a change in a column that is not sent is none', async () => {
		const rows: IDataObject[] = [];
		await run(rows, withRows(two));
		expect(await run(rows, withRows(two.map((row) => ({ ...row, note: 'z' }))))).toEqual({
			requests: 0,
			stored: 2,
			error: undefined,
		});
	});

	test.each<[string, (parameters: INodeParameters, question: IDataObject) => void]>([
		['question', (_, question) => (question.instructions = 'Who sent it?')],
		['model', (parameters) => (parameters.options = { model: 'Kev-8B' })],
	])('with another %s, all rows are answered anew, and their old answers are replaced', async (_, change) => {
		const rows: IDataObject[] = [];
		await run(rows, withRows(two));
		const template = withRows(two);
		const { parameters } = template.nodes.find(({ name }) => name === 'Answer Questions')!;
		change(parameters, (parameters.questions as { question: [IDataObject] }).question[0]);
		teamIs('Account');
		expect(await run(rows, template)).toEqual({ requests: 2, stored: 2, error: undefined });
		expect(rows.map(({ team }) => team)).toEqual(['Account', 'Account']);
	});

	test.each<[name: string, given: IDataObject[], reason: string]>([
		[
			'called otherwise',
			[{ ID: 1, message: 'a' }],
			'The rows have no column "id". They have: "ID", "message"',
		],
		[
			'blank in two rows',
			[...two, { id: '', message: 'a' }, { id: ' ', message: 'b' }],
			'Rows without a value in "id": 3, 4.',
		],
		[
			'the same in two rows',
			[...two, { id: '1 ', message: 'a' }],
			'Values of "id" that several rows have: "1" in rows 1 and 3.',
		],
	])('with an ID that is %s, it stops before anything is sent, and names it', async (_, given, reason) => {
		const rows: IDataObject[] = [];
		const { error } = await runTemplate(withRows(given), emulator, {
			others: { dataTable: dataTable(rows) },
		});
		expect(error).toContain(reason);
		expect([emulator.requests, rows]).toEqual([[], []]);
	});

	test('a blank row of a sheet is no row', async () => {
		expect(await run([], withRows([...two, { row_number: 4, id: '', message: '' }]))).toEqual({
			requests: 2,
			stored: 2,
			error: undefined,
		});
	});
});

describe('Test your questions in n8n evaluations:', () => {
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
		expect(path.slice(2)).toEqual(['Answer Questions', 'Save Answer', 'Set Metrics']);
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

test.each([
	['balance-log-to-data-table.json', 'Add Row'],
	['low-balance-alert-once.json', 'Send Alert'],
])('%s does nothing with the empty item of a retried poll', async (file, step) => {
	const { path, error } = await runTemplate(readTemplate(file), emulator, { json: {} });
	expect(error).toMatch(/^There is no balance/);
	expect(path).not.toContain(step);
});

test('the alert about a low balance is sent with the balance', async () => {
	const { rowsOf } = await runTemplate(readTemplate('low-balance-alert-once.json'), emulator, {
		json: BALANCES,
	});
	expect(rowsOf('Send Alert')).toEqual([BALANCES]);
});

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

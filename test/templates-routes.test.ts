import type { IDataObject } from 'n8n-workflow';

import { dataTable, form } from './standIns';
import { readTemplate, runTemplate, valueOf } from './template';
import { useEmulator } from './useEmulator';

const emulator = useEmulator({ models: ['vendor/model_name'] });

function answerWith(answers: object) {
	emulator.fault({ path: '/systemone', status: 200, body: { model: 'Kev-4B', answers, usage: {} } });
}

const teamIs = (choice: string, confidence = 0.9, others = {}) =>
	answerWith({ team: { type: 'choice', choice, confidence }, ...others });

const failing = () => emulator.fault({ status: 403, body: 'no', times: Infinity });

const submission = (Message: string): IDataObject => ({
	Name: 'Ada',
	Email: 'ada@example.com',
	Message,
	submittedAt: '2026-01-01T08:00:00.000Z',
	formMode: 'production',
});

test.each(['form-decided-and-routed.json', 'sort-my-inbox.json', 'review-queue.json'])(
	'%s: when the service cannot answer, the visitor is asked to try again, nothing is kept, and the execution fails',
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

	test('the visitor is greeted by name', async () => {
		for (const node of ['Answer: Your Team', 'Answer: We Are Reading It']) {
			const title = await valueOf(template, node, 'completionTitle', submission('x'), 'On Form Submission');
			expect(title).toBe('Thank you, Ada');
		}
	});
});

describe('Review queue', () => {
	const template = readTemplate('review-queue.json');

	async function write(rows: IDataObject[], message: string) {
		const json = { Message: message };
		const others = { dataTable: dataTable(rows) };
		return await runTemplate(template, emulator, { json, others, at: 'On Form Submission' });
	}

	test('a clear answer goes to its team, and its writer is told', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', 0.7);
		const { path, rowsOf } = await write(rows, 'My card is lost');
		expect(path.slice(2)).toEqual(['To the Team', 'Answer: Your Team']);
		expect(rows).toEqual([]);
		const [row] = rowsOf('Answer: Your Team');
		const told = await valueOf(template, 'Answer: Your Team', 'completionMessage', row!);
		expect(told).toBe('Your message is with our Cards team.');
	});

	test('uncertain messages, and about one clear answer in ten, wait in the table', async () => {
		const rows: IDataObject[] = [];
		teamIs('Cards', 0.69);
		await write(rows, 'Hm');
		const waiting = { said: undefined, said_at: undefined };
		expect(rows).toEqual([
			{ id: 1, message: 'Hm', team: 'Cards', team_confidence: 0.69, spot_check: false, ...waiting },
		]);
		for (let index = 0; index < 60; index += 1) {
			teamIs('Cards');
			await write(rows, `My card number ${index} is lost`);
		}
		const chosen = rows.slice(1);
		expect(chosen.length).toBeGreaterThan(1);
		expect(chosen.length).toBeLessThan(15);
		for (const one of chosen) expect(one).toMatchObject({ team: 'Cards', spot_check: true });
	});

	test('a person reads one after the other until none is waiting, and what they say is kept', async () => {
		const rows: IDataObject[] = [
			{ id: 1, message: 'a', team: 'Cards', said: null },
			{ id: 2, message: 'b', team: 'Cards', said: 'Cards' },
			{ id: 3, message: 'c', team: null, said: null },
		];
		const says = (team: string) => ({ 'Which team should handle it?': team });
		const others = {
			dataTable: dataTable(rows),
			form: form({ 'Ask a Person': [says('Billing'), says('None of these')] }),
		};
		const { path } = await runTemplate(template, emulator, { others, at: 'Open the Queue' });
		expect(path).toContain('To the Team They Named');
		expect(path.at(-1)).toBe('Answer: Nothing Waits');
		expect(rows.map(({ said }) => said)).toEqual(['Billing', 'Cards', 'None of these']);
		expect(rows[0]!.said_at).toMatch(/^\d{4}-\d\d-\d\dT/);
	});

	test('the page shows a message as it was written', async () => {
		const fields = template.nodes.find(({ name }) => name === 'Ask a Person')!.parameters.formFields;
		const [{ html }] = (fields as { values: [{ html: string }] }).values;
		const page = {
			...template,
			nodes: [{ ...template.nodes[0]!, name: 'Page', parameters: { html: `=${html}` } }],
		};
		const shown = await valueOf(page, 'Page', 'html', { message: '<b>a</b> & b' });
		expect(shown).toContain('&lt;b>a&lt;/b> &amp; b');
	});
});

describe('Sort my inbox', () => {
	const template = readTemplate('sort-my-inbox.json');

	async function write(message: string) {
		const rows: IDataObject[] = [];
		const others = { dataTable: dataTable(rows) };
		return { ...(await runTemplate(template, emulator, { json: submission(message), others })), rows };
	}

	const told = async (row: IDataObject) =>
		await valueOf(template, 'Answer: We Have It', 'completionMessage', row, 'Add to Inbox');

	test.each(['Sales', 'Support', 'Office'])('a message for %s is kept for it', async (team) => {
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
	])('%s is not kept', async (choice, end) => {
		teamIs(choice);
		const { path, rows } = await write('x');
		expect(path.at(-1)).toBe(end);
		expect(rows).toEqual([]);
	});

	test('a blank message costs nothing', async () => {
		expect((await write(' \n')).path.at(-1)).toBe('Answer: Nothing in It');
		expect(emulator.requests).toEqual([]);
	});

	test('names the teams in one place only', () => {
		const others = template.nodes.filter(
			({ name, type }) => name !== 'Sort the Message' && !type.endsWith('stickyNote'),
		);
		expect(JSON.stringify(others)).not.toMatch(/Sales|Support|Office team/i);
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

	test('a confident answer needs no model', async () => {
		teamIs('Billing');
		expect((await decide()).rowsOf('Billing Team')).toEqual(rowOf('Billing', 'Decide the Team'));
		expect(asked()).toEqual(['/systemone']);
	});

	test.each<[string, () => void]>([
		['is uncertain', () => teamIs('Account', 0.1)],
		['fails', () => emulator.fault({ path: '/systemone', status: 403, body: 'no' })],
	])('where the decision %s, the model decides, and the row says so', async (_, answer) => {
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
		expect(error).toContain('A message could not be decided');
	});
});

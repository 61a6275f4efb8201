import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DataTable } from './DataTable';
import { PassOn, readTemplate, runTemplate, valueOf } from './template';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

function answerWith(answers: object) {
	emulator.fault({ path: '/systemone', status: 200, body: { model: 'Kev-4B', answers, usage: {} } });
}

const form = (message: string): IDataObject => ({
	Name: 'Ada',
	Email: 'ada@example.com',
	Message: message,
	submittedAt: '2026-01-01T08:00:00.000Z',
	formMode: 'production',
});

describe('Form submissions, routed to teams', () => {
	const template = readTemplate('form-decided-and-routed.json');
	const decided = (choice: string, confidence: number | undefined) =>
		answerWith({ team: { type: 'choice', choice, confidence }, urgent: { type: 'noul', noul: 0.7 } });

	test.each([
		['Billing', 'Billing Team'],
		['Cards', 'Cards Team'],
		['Account', 'Account Team'],
	])('a message for %s goes to "%s", and the visitor is told', async (team, node) => {
		decided(team, 0.9);
		const run = await runTemplate(template, emulator, { json: form('My card was charged twice') });
		expect(run.path).toEqual(['On Form Submission', 'Decide the Team', node, 'Answer: Your Team']);
		expect(emulator.requests[0]!.body).toMatchObject({ state: { Message: 'My card was charged twice' } });
		const { json } = run.outputsOf('Answer: Your Team')[0]![0]!;
		expect(json).toMatchObject({ ...form('My card was charged twice'), team, route: team });
		expect(await valueOf(template, 'Answer: Your Team', 'completionMessage', json)).toBe(
			`Your message is with our ${team} team, marked as urgent.`,
		);
	});

	test.each<[string, () => void]>([
		['with little confidence', () => decided('Billing', 0.1)],
		['with no confidence', () => decided('Billing', undefined)],
		['for a team there is not', () => decided('Sales', 1)],
		['that fails', () => emulator.fault({ path: '/systemone', status: 403, body: 'no' })],
	])('a decision %s goes to a person', async (_, answer) => {
		answer();
		const run = await runTemplate(template, emulator, { json: form('Hello') });
		expect(run.path).toEqual([
			'On Form Submission',
			'Decide the Team',
			'Ask a Person',
			'Answer: We Are Reading It',
		]);
		expect(run.outputsOf('Ask a Person')[0]![0]!.json).toMatchObject(form('Hello'));
	});

	test.each([
		['I was charged twice, please refund the payment', 'Billing Team'],
		['My new card has not arrived, where is the delivery?', 'Cards Team'],
	])('the emulator decides "%s"', async (message, node) => {
		const run = await runTemplate(template, emulator, { json: form(message) });
		expect(run.path).toContain(node);
	});

	test('the visitor is greeted by name', async () => {
		for (const node of ['Answer: Your Team', 'Answer: We Are Reading It']) {
			const title = await valueOf(template, node, 'completionTitle', form('x'), 'On Form Submission');
			expect(title).toBe('Thank you, Ada');
		}
	});
});

describe('Review queue', () => {
	const template = readTemplate('review-queue.json');
	const startingAt = (trigger: string) => ({
		...template,
		nodes: template.nodes.filter(({ name, type }) => name === trigger || !type.endsWith('Trigger')),
	});
	const decided = (confidence: number) =>
		answerWith({ team: { type: 'choice', choice: 'Cards', confidence } });

	/** Stands in for a page of a form: a person says what comes next. */
	class Person extends PassOn {
		constructor(says: string[]) {
			super('form');
			this.execute = async function (this: IExecuteFunctions) {
				if (this.getNode().name !== 'Ask a Person') return [this.getInputData()];
				return [[{ json: { 'Which team should handle it?': says.shift()! }, pairedItem: { item: 0 } }]];
			};
		}
	}

	async function write(table: DataTable, message: string) {
		const others = { 'n8n-nodes-base.dataTable': table };
		const json = { Message: message };
		return await runTemplate(startingAt('On Form Submission'), emulator, { json, others });
	}

	test('a clear answer goes to its team, and its writer is told', async () => {
		const table = new DataTable();
		decided(0.7);
		const { path, outputsOf } = await write(table, 'My card is lost');
		expect(path.slice(2)).toEqual(['To the Team', 'Answer: Your Team']);
		expect(table.rows).toEqual([]);
		const { json } = outputsOf('Answer: Your Team')[0]![0]!;
		const told = await valueOf(template, 'Answer: Your Team', 'completionMessage', json);
		expect(told).toBe('Your message is with our Cards team.');
	});

	test('uncertain and failed messages, and about one clear answer in ten, wait in the table', async () => {
		const table = new DataTable();
		decided(0.69);
		await write(table, 'Hm');
		emulator.fault({ path: '/systemone', status: 403, body: 'no' });
		await write(table, 'Oh');
		const row = { said: undefined, said_at: undefined };
		expect(table.rows).toEqual([
			{ id: 1, message: 'Hm', team: 'Cards', team_confidence: 0.69, spot_check: false, ...row },
			{ id: 2, message: 'Oh', team: null, team_confidence: null, spot_check: false, ...row },
		]);
		for (let index = 0; index < 60; index += 1) {
			decided(0.9);
			await write(table, `My card number ${index} is lost`);
		}
		const chosen = table.rows.slice(2);
		expect(chosen.length).toBeGreaterThan(1);
		expect(chosen.length).toBeLessThan(15);
		for (const one of chosen) expect(one).toMatchObject({ team: 'Cards', spot_check: true });
	});

	test('a person reads one after the other until none is waiting, and what they say is kept', async () => {
		const table = new DataTable([
			{ id: 1, message: 'a', team: 'Cards', said: null },
			{ id: 2, message: 'b', team: 'Cards', said: 'Cards' },
			{ id: 3, message: 'c', team: null, said: null },
		]);
		const others = {
			'n8n-nodes-base.dataTable': table,
			'n8n-nodes-base.form': new Person(['Billing', 'None of these']),
		};
		const { path } = await runTemplate(startingAt('Open the Queue'), emulator, { others });
		expect(path).toContain('To the Team They Named');
		expect(path.at(-1)).toBe('Answer: Nothing Waits');
		expect(table.rows.map(({ said }) => said)).toEqual(['Billing', 'Cards', 'None of these']);
		expect(table.rows[0]!.said_at).toMatch(/^\d{4}-\d\d-\d\dT/);
	});

	test('the page shows a message as it was written', async () => {
		const fields = template.nodes.find(({ name }) => name === 'Ask a Person')!.parameters.formFields;
		const [{ html }] = (fields as { values: [{ html: string }] }).values;
		const page = {
			...template,
			nodes: [{ ...template.nodes[0]!, name: 'Page', parameters: { html: `=${html}` } }],
		};
		expect(await valueOf(page, 'Page', 'html', { message: '<b>a</b> & b' })).toContain(
			'&lt;b>a&lt;/b> &amp; b',
		);
	});
});

describe('Sort my inbox', () => {
	const template = readTemplate('sort-my-inbox.json');
	const decided = (choice: string, confidence = 0.9) =>
		answerWith({ team: { type: 'choice', choice, confidence } });

	async function write(message: string) {
		const table = new DataTable();
		const others = { 'n8n-nodes-base.dataTable': table };
		const run = await runTemplate(template, emulator, { json: form(message), others });
		return { ...run, rows: table.rows };
	}

	const told = async (row: IDataObject) =>
		await valueOf(template, 'Answer: We Have It', 'completionMessage', row, 'Add to Inbox');

	test.each(['Sales', 'Support', 'Billing'])('a message for %s is kept for it', async (team) => {
		decided(team);
		const { path, rows } = await write('My parcel has not come');
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
				message: 'My parcel has not come',
				team,
				team_confidence: 0.9,
				to_check: false,
			},
		]);
	});

	test.each<[string, () => void, string | null]>([
		['with little confidence', () => decided('Spam', 0.69), 'Spam'],
		['that fails', () => emulator.fault({ path: '/systemone', status: 403, body: 'no' }), null],
	])('a decision %s is checked by a person', async (_, answer, team) => {
		answer();
		const { path, rows } = await write('Hm');
		expect(path.at(-1)).toBe('Answer: We Have It');
		expect(rows).toMatchObject([{ team, to_check: true }]);
		expect(await told(rows[0]!)).toContain('Someone will read your message');
	});

	test.each([
		['Spam', 'Answer: Received'],
		['Not for us', 'Answer: Not for Us'],
	])('%s is not kept', async (choice, end) => {
		decided(choice);
		const { path, rows } = await write('x');
		expect(path.at(-1)).toBe(end);
		expect(rows).toEqual([]);
	});

	test('a blank message costs nothing', async () => {
		const { path } = await write(' \n');
		expect(path.at(-1)).toBe('Answer: Nothing in It');
		expect(emulator.requests).toEqual([]);
	});

	test('names the teams in one place only', () => {
		const others = template.nodes.filter(
			({ name, type }) => name !== 'Sort the Message' && !type.endsWith('stickyNote'),
		);
		expect(JSON.stringify(others)).not.toMatch(/Sales|Support|Billing/i);
	});
});

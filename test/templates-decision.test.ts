import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

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

describe('Form submission, decided and routed', () => {
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
	const decided = (noul: number) => answerWith({ complaint: { type: 'noul', noul } });

	/** Stands in for Send Email: a person presses a button. */
	class Reviewer extends PassOn {
		static approves = true;

		override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return [[{ json: { data: { approved: Reviewer.approves } }, pairedItem: { item: 0 } }]];
		}
	}

	/** The nodes that ran after the decision. */
	async function pathOf(message: string, approves = true) {
		Reviewer.approves = approves;
		const others = { 'n8n-nodes-base.emailSend': new Reviewer('emailSend') };
		const { path } = await runTemplate(template, emulator, { json: form(message), others });
		const [, decision, ...after] = path;
		expect(decision).toBe('Is It a Complaint?');
		return after;
	}

	test.each([
		[0.8, ['Complaints']],
		[0.24, ['Everything Else']],
	])('a probability of %d needs nobody', async (probability, path) => {
		decided(probability);
		expect(await pathOf('x')).toEqual(path);
	});

	test.each([
		[true, 'Complaints'],
		[false, 'Everything Else'],
	])('what is uncertain goes where a person says (%s)', async (approves, end) => {
		for (const probability of [0.25, 0.79]) {
			decided(probability);
			expect(await pathOf('x', approves)).toEqual(['Ask a Person', 'What Did They Say?', end]);
		}
	});

	test('so does what failed', async () => {
		emulator.fault({ path: '/systemone', status: 403, body: 'no' });
		expect(await pathOf('x')).toEqual(['Ask a Person', 'What Did They Say?', 'Complaints']);
	});

	test('the person reads the message, and why it is asked', async () => {
		const read = async (json: IDataObject) =>
			await valueOf(template, 'Ask a Person', 'message', { Message: 'Hm.', ...json }, 'On Form Submission');
		expect(await read({ complaint: 0.5 })).toBe('Hm.\n\nProbability of a complaint: 0.5');
		expect(await read({ error: { message: 'Overloaded' } })).toBe(
			'Hm.\n\nThe service did not answer: Overloaded',
		);
	});
});

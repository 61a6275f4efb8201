import { randomUUID } from 'node:crypto';

import { Workbook } from 'exceljs';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { decideByName } from '../../../emulator/decideByName';
import { ACCEPTED_MODELS } from '../../../emulator/Emulator';
import { Mailbox } from '../Mailbox';
import type { Execution, StoredCredential, WorkflowFile } from '../N8nSession';
import { MODEL_OF_TEMPLATES, readTemplate } from '../templates';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting } from './setting';

let setting: Setting;
let mailbox: Mailbox;
let smtp: StoredCredential;
let browser: Browser | undefined;
/** The browser of this page is not signed in. */
let page: Page;

beforeAll(async () => {
	const models = [...ACCEPTED_MODELS, MODEL_OF_TEMPLATES];
	setting = await openSetting({ models, decide: decideByName });
	mailbox = await Mailbox.start();
	smtp = await setting.session.createCredential('Mail', 'smtp', mailbox.credential);
	browser = await openBrowser();
	page = await openVisitorPage(browser);
});

afterAll(async () => {
	await browser?.close();
	await mailbox?.close();
	await setting?.close();
});

saveViews(() => page);

afterEach(() => setting.emulator.reset());

/** Imports and publishes a template, perhaps changed. Returns the addresses of its forms by the names of their triggers, and its last run. */
async function publish(file: string, change: (template: WorkflowFile) => void = () => {}) {
	const template = readTemplate(file);
	for (const node of template.nodes) {
		if (node.type.endsWith('.emailSend')) node.credentials = { smtp };
	}
	change(template);
	const urls: Record<string, string> = {};
	for (const node of template.nodes) {
		if (!node.type.endsWith('.formTrigger')) continue;
		node.webhookId = randomUUID();
		urls[node.name] = `${setting.n8nUrl}/form/${node.webhookId}`;
	}
	const id = await setting.session.importWorkflow(template, setting.credentials);
	await setting.session.publish(id);
	return { urls, lastRun: async () => await setting.session.latestExecution(id) };
}

const press = async (button = 'Submit') => await page.getByRole('button', { name: button }).click();

/** Sends the form with a message and, where it asks for them, a name and an address. */
async function write(url: string, message: string): Promise<void> {
	await page.goto(url);
	if ((await page.getByLabel('Name').count()) > 0) {
		await page.getByLabel('Name').fill('Nora');
		await page.getByLabel('Email').fill('nora@example.com');
	}
	await page.getByLabel('Message').fill(message);
	await press();
}

const REFUND = 'Dear office, my billing is wrong: I was charged twice, please refund the fee!';
const UNCLEAR = 'What a lovely <b>day</b>';

describe.each([
	['form-decided-and-routed.json', 'Billing'],
	['sort-my-inbox.json', 'Office'],
])('%s', (file, team) => {
	test('tells the visitor where the message goes; with a wrong key, that someone will read it, and the execution fails', async () => {
		const { urls, lastRun } = await publish(file);
		const url = urls['On Form Submission']!;
		await write(url, REFUND);
		await page.getByText(`Your message is with our ${team} team`).waitFor();
		await write(url, UNCLEAR);
		await page.getByText('Someone will read your message').waitFor();
		expect((await lastRun()).status).toBe('success');

		setting.emulator.fault({ status: 401, times: Infinity });
		await write(url, REFUND);
		await page.getByText('Someone will read').filter({ visible: true }).first().waitFor();
		const { status, error } = await lastRun();
		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: expect.stringMatching(/^A message could not be (decided|sorted), /) as string,
		});
	});

	test('tells the visitor that the message is kept if its team has no connection yet', async () => {
		const { urls } = await publish(file, (template) => {
			const { parameters } = template.nodes.find((node) => node.parameters.operation === 'route')!;
			const { question } = parameters.questions as { question: [{ options: { option: IDataObject[] } }] };
			question[0].options.option.push({ name: 'Parking', description: 'Parking' });
		});
		await write(urls['On Form Submission']!, 'Parking, parking and parking: I need parking');
		await page
			.getByText(/We have (kept )?your message/)
			.filter({ visible: true })
			.first()
			.waitFor();
	});
});

test('the review queue: a person is asked by email, and what they say is measured and compared', async () => {
	const { urls, lastRun } = await publish('review-queue.json');
	await page.goto(urls['On Form Submission']!);
	await page.getByLabel('Message').fill(UNCLEAR);
	await press();
	await page.getByText('We have your message').waitFor();
	while (mailbox.mails.length === 0) await page.waitForTimeout(200);
	const [{ subject, html } = { subject: '', html: '' }] = mailbox.mails;
	expect(subject).toBe('Which team should handle this message?');
	expect(html).toContain('The answer was');
	await page.goto(mailbox.url);
	await page.getByText('Which team should handle this message?').waitFor();
	const [, escaped] = /href="(http[^"]+webhook-waiting[^"]+)"/.exec(html)!;
	const link = escaped!.replaceAll('&amp;', '&');
	// n8n sends the mail before the execution waits for its answer. Until then, the link answers 409.
	while ((await page.goto(link))?.status() === 409) await page.waitForTimeout(200);
	await page.getByText('What a lovely').waitFor();
	await page.getByLabel('Which team should handle it?').selectOption('Billing');
	await press('Save');
	await page.getByText('Got it, thanks').waitFor();
	const { status, outputs } = await lastRun();
	expect([status, outputs['To the Team They Named']![0]!.length]).toEqual(['success', 1]);

	const month = await publish('how-good-were-the-answers.json');
	for (const [answers, shown] of [
		['Example rows', '36 rows'],
		['Uncertain ones', '1 row'],
		['Spot checks', 'Nothing to measure yet'],
	] as const) {
		await page.goto(month.urls['Choose the Answers']!);
		await page.getByLabel('Answers').selectOption(answers);
		await page.getByLabel('Month').selectOption('This month');
		await press();
		await page.getByText(shown).filter({ visible: true }).first().waitFor();
	}

	const wording = await publish('is-the-new-wording-better.json');
	for (const [messages, shown] of [
		['Example rows', '“new_wording.team” is better than “old_wording.team”'],
		['Reviewed messages', '1 row'],
	] as const) {
		await page.goto(wording.urls['Choose the Messages']!);
		await page.getByLabel('Messages').selectOption(messages);
		await press();
		await page.getByText(shown).filter({ visible: true }).first().waitFor();
	}
});

test('Retry of a review that failed asks the service again, and goes on', async () => {
	const { urls, lastRun } = await publish('review-queue.json', ({ nodes }) => {
		nodes.find(({ name }) => name === 'Decide the Team')!.parameters.options = {};
	});
	setting.emulator.fault({ status: 503, times: Infinity });
	await write(urls['On Form Submission']!, REFUND);
	await page.getByText('We have your message').waitFor();
	const failed = await lastRun();
	expect([failed.status, failed.error?.message]).toEqual(['error', expect.stringMatching(/./)]);
	const before = setting.emulator.requests.length;
	setting.emulator.reset();
	await setting.session.call('POST', `/executions/${failed.id}/retry`, { loadWorkflow: true });
	await setting.emulator.waitFor(() => setting.emulator.requests.length > 0);
	expect(before).toBeGreaterThan(0);
	const { status, outputs } = await lastRun();
	expect([status, outputs['To the Team']![0]!.length]).toEqual(['success', 1]);
});

/** Uploads a file on the first page of a form, whose other fields keep their choice. */
async function upload(url: string, name: string, buffer: Buffer, choice?: string): Promise<void> {
	await page.goto(url);
	if (choice !== undefined) await page.getByLabel('Messages').selectOption(choice);
	const file = { name, mimeType: 'application/octet-stream', buffer };
	await page.locator('input[type=file]').setInputFiles(file);
	await press();
}

async function sheetAfter(
	pressing: () => Promise<void>,
): Promise<{ headings: unknown[]; rows: unknown[][]; workbook: Workbook }> {
	const downloaded = page.waitForEvent('download');
	await pressing();
	const workbook = await new Workbook().xlsx.readFile(await (await downloaded).path());
	const [headings, ...rows] = workbook.worksheets.at(-1)!.getSheetValues().slice(1) as unknown[][];
	return { headings: headings!.slice(1), rows: rows.map((row) => row.slice(1)), workbook };
}

const MANY = 72;

/** Makes a CSV file in windows-1252, with semicolons, and more rows than one batch has. */
const manyRows = (column: string) =>
	Buffer.from(
		[
			`${column};said;expected_team`,
			...Array.from({ length: MANY }, (_, row) => `Große Karte ${row} is lost;Cards;Cards`),
		].join('\n'),
		'latin1',
	);

describe.each<[file: string, trigger: string, column: string, made: string, choice?: string]>([
	['answers-in-a-spreadsheet.json', 'Upload a Sheet', 'message', 'Make a Spreadsheet'],
	['test-questions-on-labelled-rows.json', 'Upload Labelled Rows', 'message', 'Evaluate Answers'],
	['draft-replies-to-a-sheet.json', 'Upload a Sheet', 'question', 'Make a Spreadsheet'],
	['is-the-new-wording-better.json', 'Choose the Messages', 'message', 'Evaluate Answers', 'My file'],
])('%s', (file, trigger, column, made, choice) => {
	/** Uploads the rows, and says on the next page how their letters are stored. */
	async function uploadMany(url: string): Promise<void> {
		const sent = setting.emulator.requests.length;
		await upload(url, 'rows.csv', manyRows(column), choice);
		await page.getByText('Große Karte 1 is lost;').first().waitFor();
		expect(setting.emulator.requests).toHaveLength(sent);
		await page.getByLabel(/^windows-1252/).check();
		await press('Continue');
	}

	test('asks how the letters are stored, answers 20 of many rows, asks, and answers the others; with a wrong key, fails after the first rows', async () => {
		const { urls, lastRun } = await publish(file);
		await uploadMany(urls[trigger]!);
		await page.getByText(/The other 52 rows will take about [\d,]+ tokens and a minute or less\./).waitFor();
		await page.getByLabel('Answer all rows').check();
		if (made === 'Make a Spreadsheet') {
			const { headings, rows } = await sheetAfter(async () => await press('Continue'));
			expect(rows).toHaveLength(MANY);
			expect(headings.slice(0, 3)).toEqual([column, 'said', 'expected_team']);
			expect(rows.at(-1)).toContain('Große Karte 71 is lost');
		} else {
			await press('Continue');
			await page.getByText(`${MANY} rows`, { exact: true }).waitFor();
		}
		const { status, outputs } = await lastRun();
		expect([status, outputs[made]![0]!.length]).toEqual(['success', 1]);
		expect(JSON.stringify(setting.emulator.requests[0]!.body)).toContain('Große Karte');

		setting.emulator.fault({ status: 401, body: { code: 1, message: 'Wrong key' }, times: Infinity });
		await uploadMany(urls[trigger]!);
		await page.getByText('No row could be answered').waitFor();
		const failed = await lastRun();
		expect([failed.status, failed.error?.message]).toEqual(['error', 'No row could be answered: Wrong key']);
	});
});

test('the question is improved: old and new descriptions stand side by side, and a button tries once more', async () => {
	const proposal = {
		Billing: 'Charges, fees, refunds, invoices and <b>payments</b>',
		Cards: 'Ordering, delivering, activating, losing and replacing cards',
		Account: 'Signing in, passwords, verifying identity and personal details',
	};
	setting.emulator.setScript([proposal, proposal, {}].map((text) => ({ text: JSON.stringify(text) })));
	const { urls } = await publish('improve-my-question.json');
	await page.goto(urls['Choose the Rows']!);
	await page.getByLabel('Messages').selectOption('Example rows');
	await press();
	for (const round of [1, 2]) {
		await page.getByText(`Round ${round} of 3`).waitFor();
		await page.getByText('Charges, fees, refunds, invoices and <b>payments</b>').waitFor();
		await page.getByText('Everything about the account').waitFor();
		await press('Try once more');
	}
	await page.getByText('The model did not describe each option').waitFor();

	await page.goto(urls['Choose the Rows']!);
	await page.getByLabel('Messages').selectOption('My file');
	await press();
	await page.getByText('No file was chosen').waitFor();
	const other = Buffer.from('message,said\nWhere is my card?,Parcels\n');
	await upload(urls['Choose the Rows']!, 'rows.csv', other, 'My file');
	await page
		.getByText('The column "said" has Parcels, but "My Question" has Billing, Cards, Account.')
		.waitFor();
});

test('the spreadsheet: an Excel file and the example rows come back; a file that is unclear is refused', async () => {
	const { urls } = await publish('answers-in-a-spreadsheet.json');
	const url = urls['Upload a Sheet']!;
	const workbook = new Workbook();
	const start = new Date(Date.UTC(2026, 0, 2));
	workbook.addWorksheet('Prices').addRows([['Rome', 99]]);
	const rows = [['message', 'start', 'team'], ['Where is my card?', start, 'Mine'], ['x'.repeat(32_767)]];
	workbook.addWorksheet('Trips & more').addRows(rows);
	const buffer = Buffer.from(await workbook.xlsx.writeBuffer());
	const ours = ['answer_team', 'answer_team_confidence', 'answer_urgent', 'answer_urgent_yes'];
	await upload(url, 'rows.xlsx', buffer);
	await page.getByText('The file has 2 sheets').waitFor();
	await page.getByLabel('Trips & more').check();
	const excel = await sheetAfter(async () => await press('Continue'));
	expect(excel.headings).toEqual(['message', 'start', 'team', ...ours, 'answer_problem']);
	expect(excel.rows[0]!.slice(0, 3)).toEqual(['Where is my card?', start, 'Mine']);
	expect(excel.rows).toHaveLength(2);
	expect(excel.workbook.getWorksheet('Prices')!.getCell('B1').value).toBe(99);

	await page.goto(url);
	const example = await sheetAfter(async () => await press());
	expect([example.headings, example.rows.length]).toEqual([['message', ...ours, 'answer_problem'], 8]);

	const sent = setting.emulator.requests.length;
	const titled = new Workbook();
	titled.addWorksheet('Sheet').addRows([['Messages'], [], ['id', 'message'], [1, 'Where is my card?']]);
	for (const [name, content, reason] of [
		['rows.xlsx', Buffer.from(await titled.xlsx.writeBuffer()), 'Line 3 has a value in column 2'],
		['rows.xlsx', Buffer.from('PK\x03\x04'), 'This Excel file cannot be read'],
		['rows.csv', Buffer.from('message,answer_team\nHello,x'), 'a column "answer_team"'],
		['rows.csv', Buffer.from('id,message,message\n1,Hello,Bye'), 'two columns called "message"'],
		['rows.csv', Buffer.from('<!DOCTYPE html>'), 'This is a web page'],
	] as const) {
		await upload(url, name, content);
		await page.getByText(reason).waitFor();
	}
	expect(setting.emulator.requests).toHaveLength(sent);
});

async function run(file: string): Promise<{ again: () => Promise<Execution> } & Execution> {
	const template = readTemplate(file);
	const id = await setting.session.importWorkflow(template, setting.credentials);
	const again = async () => await setting.session.run(id, template.nodes[0]!.name);
	return { again, ...(await again()) };
}

test('each row is answered once: only what failed is sent again', async () => {
	setting.emulator.fault({ bodyIncludes: 'forgot my password', status: 400 });
	const { status, again } = await run('rows-answered-once.json');
	expect([status, setting.emulator.requests.length]).toEqual(['error', 8]);
	expect([(await again()).status, setting.emulator.requests.length]).toEqual(['success', 9]);
	expect([(await again()).status, setting.emulator.requests.length]).toEqual(['success', 9]);
});

test('the second opinion fails when neither can answer', async () => {
	setting.emulator.fault({ status: 401, times: Infinity });
	const { status, outputs } = await run('second-opinion.json');
	expect([status, outputs['Ask a Person']![0]!.length]).toEqual(['error', 4]);
});

test('each change of the balance is added to a table', async () => {
	const log = await run('balance-log-to-data-table.json');
	const added = ({ outputs }: Execution) => outputs['Add Row']![0]![0]!.json as IDataObject & { id: number };
	expect(added(log)).toMatchObject({ total_balance: 100, total_balance_text: '100.000000' });
	expect(added(await log.again()).id).toBe(added(log).id + 1);
});

/** Imports a template that starts with a Webhook, publishes it, and returns its address. */
async function publishWebhook(file: string, template = readTemplate(file)): Promise<string> {
	const path = randomUUID();
	Object.assign(template.nodes[0]!, { webhookId: path });
	template.nodes[0]!.parameters.path = path;
	await setting.session.publish(await setting.session.importWorkflow(template, setting.credentials));
	return `${setting.n8nUrl}/webhook/${path}`;
}

test('a cell shows the balance, and the answer to its text, which is asked only once for each question', async () => {
	const balance = await fetch(await publishWebhook('balance-in-a-cell.json'));
	expect(balance.headers.get('content-type')).toContain('text/csv');
	expect(await balance.text()).toBe('100.000000');

	const url = `${await publishWebhook('decide-in-a-cell.json')}?text=${encodeURIComponent(REFUND)}`;
	const answers = [await fetch(url), await fetch(url)];
	expect(await Promise.all(answers.map(async (answer) => await answer.text()))).toEqual([
		'Billing',
		'Billing',
	]);
	const decisions = () => setting.emulator.requests.filter(({ path }) => path === '/systemone').length;
	expect(decisions()).toBe(1);

	const other = readTemplate('decide-in-a-cell.json');
	const { parameters } = other.nodes.find(({ name }) => name === 'Answer the Question')!;
	(parameters.questions as { question: [IDataObject] }).question[0].instructions = 'Who is it for?';
	await fetch(`${await publishWebhook('decide-in-a-cell.json', other)}?text=${encodeURIComponent(REFUND)}`);
	expect(decisions()).toBe(2);

	setting.emulator.fault({ status: 401, times: Infinity });
	expect((await fetch(await publishWebhook('balance-in-a-cell.json'))).status).toBe(502);
});

test('what Tally sends goes to its team', async () => {
	const url = await publishWebhook('typeform-or-tally-by-webhook.json');
	const body = { data: { fields: [{ label: 'Your message', type: 'TEXTAREA', value: REFUND }] } };
	const headers = { 'content-type': 'application/json' };
	const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	expect(answer.status).toBe(200);
	await setting.emulator.waitFor(() => setting.emulator.requests.length === 1);
	expect(setting.emulator.requests[0]!.body).toMatchObject({ state: REFUND });
});

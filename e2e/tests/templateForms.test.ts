import { randomUUID } from 'node:crypto';

import { Workbook } from 'exceljs';
import type { Browser, Page } from 'playwright-core';

import { readTemplate } from '../templates';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting } from './setting';

let setting: Setting;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	setting = await openSetting();
	browser = await openBrowser();
	page = await openVisitorPage(browser);
});

saveViews(() => page);

afterAll(async () => {
	await browser?.close();
	await setting?.close();
});

/**
 * Imports and publishes a template. Returns the URLs of its forms by the names of their triggers, and a function for
 * the output of its last run.
 */
async function publish(file: string) {
	const template = readTemplate(file);
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

const submit = async (name = 'Submit') => await page.getByRole('button', { name }).click();

async function send(url: string, message: string): Promise<void> {
	await page.goto(url);
	await page.getByLabel('Message').fill(message);
	await submit();
}

test('the inbox: a message is kept with its team, and its writer is told', async () => {
	const { urls, lastRun } = await publish('sort-my-inbox.json');
	const write = async (message: string) => {
		await page.goto(urls['On Form Submission']!);
		await page.getByLabel('Name').fill('Nora');
		await page.getByLabel('Email').fill('nora@example.com');
		await page.getByLabel('Message').fill(message);
		await submit();
	};
	await write('I was charged twice for one payment, please refund the fee!');
	await page.getByText('Your message is with our Billing team.').waitFor();
	const { outputs } = await lastRun();
	expect(outputs['Add to Inbox']![0]![0]!.json).toMatchObject({
		name: 'Nora',
		email: 'nora@example.com',
		team: 'Billing',
		to_check: false,
	});

	// This text is one of the 5% that a spot check picks.
	await write('My invoice is wrong: you charged my payment twice, please refund it');
	await page.getByText('Someone will read your message').waitFor();
	expect((await lastRun()).outputs['Add to Inbox']![0]![0]!.json).toMatchObject({
		team: 'Billing',
		to_check: true,
	});

	await write('What a lovely day');
	await page.getByText('Someone will read your message').waitFor();
	expect((await lastRun()).outputs['Add to Inbox']![0]![0]!.json).toMatchObject({ to_check: true });

	const sent = setting.emulator.requests.length;
	await write('   ');
	// Here, the form itself stops it. What stops other senders is tested on the engine.
	await page.getByText('This field is required').filter({ visible: true }).waitFor();
	expect(setting.emulator.requests).toHaveLength(sent);
});

test('the review queue: a person reads what waits, and what they say is measured', async () => {
	const { urls } = await publish('review-queue.json');
	for (const message of ['What a lovely <b>day</b>', 'Hello there']) {
		await send(urls['On Form Submission']!, message);
		await page.getByText('Someone will read your message').waitFor();
	}
	await page.goto(urls['Open the Queue']!);
	await submit('Start');
	await page.getByText('What a lovely <b>day</b>').waitFor();
	await page.getByLabel('Billing').check();
	await submit('Save and show the next');
	await page.getByText('Hello there').waitFor();
	await page.getByLabel('None of these').check();
	await submit('Save and show the next');
	await page.getByText('Nothing is waiting').waitFor();

	const month = await publish('how-good-were-the-answers.json');
	const measure = async (answers: string) => {
		await page.goto(month.urls['Choose the Answers']!);
		await page.getByLabel('Answers').selectOption(answers);
		await page.getByLabel('Month').selectOption('This month');
		await submit();
	};
	await measure('Example rows');
	await page.getByRole('heading', { name: 'of rows are answered correctly' }).waitFor();
	await measure('Uncertain ones');
	await page.getByText('2 rows', { exact: true }).waitFor();
	await measure('Spot checks');
	await page.getByText('Nothing to measure yet').waitFor();

	const wording = await publish('is-the-new-wording-better.json');
	for (const [messages, rows] of [
		['Example rows', '36 rows'],
		['Reviewed messages', '2 rows'],
	] as const) {
		await page.goto(wording.urls['Choose the Messages']!);
		await page.getByLabel('Messages').selectOption(messages);
		await submit();
		await page.getByText(rows, { exact: true }).waitFor();
		await page.getByText('team_old').filter({ visible: true }).first().waitFor();
	}
});

test('the spreadsheet: Excel, CSV and the example rows come back with answers', async () => {
	const { urls } = await publish('answers-in-a-spreadsheet.json');
	const workbook = new Workbook();
	workbook
		.addWorksheet('Sheet')
		.addRows([['message'], ['Where is my card?'], ['I want a refund of the fee']]);
	const files = {
		'rows.xlsx': Buffer.from(await workbook.xlsx.writeBuffer()),
		'rows.csv': Buffer.from('message\nWhere is my card?\nI want a refund of the fee\n'),
		'semicolons.csv': Buffer.from('message;id\n"Where is my card?";1\nI want a refund, of the fee;2\n'),
		'tabs.csv': Buffer.from('message\tid\nWhere is my card?\t1\nI want a refund, of the fee\t2\n'),
		none: undefined,
	};
	for (const [name, buffer] of Object.entries(files)) {
		await page.goto(urls['Upload a Spreadsheet']!);
		if (buffer) {
			await page
				.locator('input[type=file]')
				.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
		}
		const downloaded = page.waitForEvent('download');
		await submit();
		const download = await downloaded;
		expect(download.suggestedFilename()).toBe('answers.xlsx');
		const sheet = (await new Workbook().xlsx.readFile(await download.path())).getWorksheet('Answers')!;
		const [headings, ...rows] = sheet.getSheetValues().slice(1) as unknown[][];
		expect(headings!.slice(1)).toEqual([
			'message',
			...(/semicolons|tabs/.test(name) ? ['id'] : []),
			'team',
			'team_confidence',
			'urgent',
			'urgent_yes',
			'problem',
		]);
		expect(rows).toHaveLength(buffer ? 2 : 8);
		if (buffer) {
			const team = headings!.indexOf('team');
			expect(rows.map((row) => row[team])).toEqual(['Cards', 'Billing']);
		}
	}
	await page.goto(urls['Upload a Spreadsheet']!);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'rows.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
	await submit();
	await page.getByText('This file cannot be read').waitFor();
});

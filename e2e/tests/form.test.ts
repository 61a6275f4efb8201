import { randomUUID } from 'node:crypto';

import type { Browser, Page } from 'playwright-core';

import { readTemplate } from '../templates';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting, takePicture } from './setting';

let setting: Setting;
let browser: Browser;
let page: Page;
let workflowId: string;
let formUrl: string;

const TEAMS = ['Ask a Person', 'Billing Team', 'Cards Team', 'Account Team'];

beforeAll(async () => {
	setting = await openSetting();
	browser = await openBrowser();
	page = await openVisitorPage(browser);
	const template = readTemplate('form-decided-and-routed.json');
	const path = randomUUID();
	template.nodes[0]!.webhookId = path;
	formUrl = `${setting.n8nUrl}/form/${path}`;
	workflowId = await setting.session.importWorkflow(template, setting.credentials);
	await setting.session.publish(workflowId);
});

saveViews(() => page);

afterAll(async () => {
	await browser?.close();
	await setting?.close();
});

test.each([
	{
		team: 'Ask a Person',
		message: 'Hello, what a nice day.',
		answer: 'Someone will read your message and pass it on to the right team.',
	},
	{
		team: 'Billing Team',
		message: 'I was charged twice for one payment, and I want a refund of the fee immediately!',
		answer: 'Your message is with our Billing team, marked as urgent.',
	},
])('the form template: a visitor fills in the form, and $team gets it', async ({ team, message, answer }) => {
	await page.goto(formUrl);
	await page.getByLabel('Name').fill('Nora');
	await page.getByLabel('Email').fill('nora@example.com');
	await page.getByLabel('Message').fill(message);
	await takePicture(page.locator('form'), 'form-template');
	await page.getByRole('button', { name: 'Submit' }).click();

	await page.getByText('Thank you, Nora').waitFor();
	await page.getByText(answer).waitFor();
	expect(setting.emulator.requests.at(-1)?.body).toMatchObject({ state: { Message: message } });
	const { status, outputs } = await setting.session.latestExecution(workflowId);
	expect(status).toBe('success');
	expect(TEAMS.filter((name) => name in outputs)).toEqual([team]);
	expect(outputs[team]![0]![0]!.json).toMatchObject({ Name: 'Nora', Email: 'nora@example.com' });
});

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { E2E_FOLDER } from '../paths';
import { readTemplate } from '../templates';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting } from './setting';

let setting: Setting;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	setting = await openSetting({ tokenDelayMs: 150 });
	browser = await openBrowser();
	page = await openVisitorPage(browser);
	// n8n's page loads its script from there.
	const cdn = 'https://cdn.jsdelivr.net/npm/';
	await page.route(`${cdn}**`, async (route) => {
		const file = route.request().url().slice(cdn.length);
		if (file.startsWith('@n8n/chat/')) await route.fulfill({ path: join(E2E_FOLDER, 'node_modules', file) });
		else await route.fulfill({ body: '' });
	});
});

saveViews(() => page);

afterAll(async () => {
	await browser?.close();
	await setting?.close();
});

test('the chat template streams: the first words are on the page before the last are sent, and it remembers them', async () => {
	const template = readTemplate('chat-that-streams.json');
	const [trigger] = template.nodes;
	const answer = template.nodes.find(({ name }) => name === 'Answer');
	// What the template asks its user to do.
	trigger!.parameters.public = true;
	answer!.parameters.model = 'acme/quick-1';
	trigger!.webhookId = randomUUID();
	const id = await setting.session.importWorkflow(template, setting.credentials);
	await setting.session.publish(id);

	await page.goto(`${setting.n8nUrl}/webhook/${trigger!.webhookId}/chat`);
	const question = page.locator('textarea');
	await question.fill('How does streaming feel in a chat?');
	await question.press('Enter');

	await page.getByText('You wrote').waitFor();
	const [request] = setting.emulator.requests;
	const sentAtFirstWords = request!.sentBytes;
	expect(setting.emulator.inFlight).toBe(1);

	const whole =
		'You wrote “How does streaming feel in a chat?”. That is a message of 7 words, and this is the answer to it.';
	await page.getByText(whole).waitFor();
	expect(setting.emulator.requests).toHaveLength(1);
	expect(request!.body).toMatchObject({ stream: true, model: 'acme/quick-1' });
	expect(sentAtFirstWords).toBeLessThan(request!.sentBytes * 0.8);
	const { status, outputs } = await setting.session.latestExecution(id);
	expect(status).toBe('success');
	expect(outputs.Answer![0]![0]!.json.text).toBe(whole);

	const next = 'And in a long one?';
	await question.fill(next);
	await question.press('Enter');
	await page.getByText(`You wrote “${next}”`).waitFor();
	expect(setting.emulator.requests.at(-1)!.body).toMatchObject({
		messages: [
			{ role: 'system' },
			{ role: 'user', content: 'How does streaming feel in a chat?' },
			{ role: 'assistant', content: whole },
			{ role: 'user', content: next },
		],
	});
});

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import type { WorkflowFile } from '../N8nSession';
import { E2E_FOLDER } from '../paths';
import { MODEL_OF_TEMPLATES, readTemplate } from '../templates';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting, takePicture } from './setting';

const MODEL = 'acme/quick-1';

let setting: Setting;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	setting = await openSetting({ tokenDelayMs: 150 });
	browser = await openBrowser();
	page = await openVisitorPage(browser);
	// n8n's page loads its script from this address.
	const cdn = 'https://cdn.jsdelivr.net/npm/';
	await page.route(`${cdn}**`, async (route) => {
		const file = route.request().url().slice(cdn.length);
		if (file.startsWith('@n8n/chat/')) await route.fulfill({ path: join(E2E_FOLDER, 'node_modules', file) });
		else await route.fulfill({ body: '' });
	});
});

saveViews(() => page);

// A reply that a test did not wait for goes on, and would count as in flight in the next test.
beforeEach(async () => {
	await setting.emulator.waitFor(() => setting.emulator.inFlight === 0, 20_000);
	setting.emulator.reset();
});

afterAll(async () => {
	await browser?.close();
	await setting?.close();
});

const QUESTION = 'How does streaming feel in a chat?';

const NEXT = 'And in a long one?';

const ANSWER =
	'You wrote “How does streaming feel in a chat?”. That is a message of 7 words, and this is the answer to it.';

/** Publishes a chat template, as its notes say, and opens its page. */
async function openChat(template: WorkflowFile): Promise<string> {
	const [trigger] = template.nodes;
	trigger!.parameters.public = true;
	trigger!.webhookId = randomUUID();
	for (const { parameters } of template.nodes) {
		if (parameters.model === MODEL_OF_TEMPLATES) parameters.model = MODEL;
	}
	const id = await setting.session.importWorkflow(template, setting.credentials);
	await setting.session.publish(id);
	await page.goto(`${setting.n8nUrl}/webhook/${trigger!.webhookId}/chat`);
	return id;
}

async function ask(question: string): Promise<void> {
	const input = page.locator('textarea');
	await input.fill(question);
	await input.press('Enter');
}

const turns = (question: string, ...before: object[]) => [...before, { role: 'user', content: question }];

const toldBefore = [...turns(QUESTION), { role: 'assistant', content: ANSWER }];

test('the first words of an answer are on the page before the last are sent, and the chat remembers them', async () => {
	const bodyOf = (messages: object[]) => ({
		system: expect.stringContaining('friendly') as string,
		messages,
	});
	const id = await openChat(readTemplate('chat-that-streams.json'));
	await ask(QUESTION);

	await page.getByText('You wrote').waitFor();
	const [request] = setting.emulator.requests;
	const sentAtFirstWords = request!.sentBytes;
	expect(setting.emulator.inFlight).toBe(1);

	await page.getByText(ANSWER).waitFor();
	expect(setting.emulator.requests).toHaveLength(1);
	expect(request).toMatchObject({
		path: '/messages',
		body: { stream: true, model: MODEL, ...bodyOf(turns(QUESTION)) },
	});
	expect(sentAtFirstWords).toBeLessThan(request!.sentBytes * 0.8);
	const { status, outputs } = await setting.session.latestExecution(id);
	expect(status).toBe('success');
	expect(outputs['AI Agent']![0]![0]!.json.output).toBe(ANSWER);

	await ask(NEXT);
	await page.getByText(`You wrote “${NEXT}”`).waitFor();
	expect(setting.emulator.requests.at(-1)!.body).toMatchObject(bodyOf(turns(NEXT, ...toldBefore)));
});

test('the agent asks the Decision node before it opens a ticket, and its answer streams', async () => {
	const message = 'I lost my card and need a new one, help me immediately!';
	const ticket = { team: 'Cards', urgent: true, summary: 'The card is lost, a new one is needed' };
	const answer =
		'I am sorry to hear that. I have opened an urgent ticket: our Cards team blocks your card and sends you a new one today.';
	setting.emulator.setScript([
		{ toolCalls: [{ name: 'Judge_the_Message', input: { message } }] },
		{ toolCalls: [{ name: 'Open_a_Ticket', input: ticket }] },
		{ text: answer },
	]);
	const id = await openChat(readTemplate('agent-that-asks-before-it-acts.json'));
	await ask(message);

	await page.getByText('I have opened an urgent ticket').waitFor();
	expect(setting.emulator.inFlight).toBe(1);
	await takePicture(page.locator('body'), 'agent-chat');
	await page.getByText(answer).waitFor();

	const { requests } = setting.emulator;
	expect(requests.map(({ path }) => path)).toEqual(['/messages', '/systemone', '/messages', '/messages']);
	const [asking, decision, judged, acted] = requests.map(({ body }) => body as IDataObject);
	expect(decision).toMatchObject({ state: message });
	expect((asking!.tools as IDataObject[]).map(({ name }) => name).sort()).toEqual([
		'Judge_the_Message',
		'Open_a_Ticket',
	]);
	expect(JSON.stringify(judged!.messages)).toMatch(/team_confidence.*urgent_yes/);
	expect(JSON.stringify(acted!.messages)).toContain('A ticket for the team Cards is open, marked as urgent.');
	expect((await setting.session.latestExecution(id)).outputs['AI Agent']![0]![0]!.json.output).toBe(answer);
});

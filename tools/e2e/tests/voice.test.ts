import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { byTestId, Editor } from '../Editor';
import { uploadStyle } from '../uploadStyle';
import { openBrowser, openSetting, openVisitorPage, saveViews, type Setting, takePicture } from './setting';
import { chain, node, rowOf } from '../workflows';

let setting: Setting;
let browser: Browser;
let lastPage: Page | undefined;

beforeAll(async () => {
	setting = await openSetting();
	browser = await openBrowser();
});

saveViews(() => lastPage);

afterAll(async () => {
	await browser?.close();
	await setting?.close();
});

async function addStyle(customName: string): Promise<string> {
	const { url, apiKey } = setting.emulator;
	return await uploadStyle({ url, key: apiKey }, customName);
}

test('the list of voice styles fills from the service, and can be searched', async () => {
	await addStyle('narrator');
	const uri = await addStyle('captain');
	const editor = await Editor.open(browser, setting.n8nUrl);
	lastPage = editor.page;
	const remove = node('Delete', 'voice', { operation: 'delete' });
	const workflow = rowOf('A style from the list', [{ request: 'Delete the captain' }], [remove]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode('Delete');
	await byTestId(editor.nodeView, 'rlc-input').click();
	const styles = byTestId(editor.page, 'rlc-item').filter({ visible: true });
	await styles.first().waitFor();
	expect((await styles.allInnerTexts()).map((text) => text.trim())).toEqual([
		'narrator (acme/voice-1)',
		'captain (acme/voice-1)',
	]);
	await byTestId(editor.page, 'rlc-search').filter({ visible: true }).fill('capt');
	await styles.filter({ hasText: 'narrator' }).waitFor({ state: 'hidden' });
	await styles.filter({ hasText: 'captain' }).click();
	await styles.first().waitFor({ state: 'hidden' });
	await byTestId(editor.nodeView, 'rlc-input').click();
	await byTestId(editor.page, 'rlc-search').filter({ visible: true }).fill('');
	await styles.filter({ hasText: 'narrator' }).waitFor();
	await editor.page.setViewportSize({ width: 1400, height: 600 });
	await takePicture(editor.nodeView, 'voice');
	await editor.page.keyboard.press('Escape');
	await styles.first().waitFor({ state: 'hidden' });
	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([{ deleted: 'true', uri }]);
});

test("a recording from a form's file field arrives at the service byte for byte", async () => {
	const recording = randomBytes(3_000_000);
	const path = randomUUID();
	const form = node('Form', 'n8n-nodes-base.formTrigger', {
		formTitle: 'Your voice',
		formFields: { values: [{ fieldLabel: 'Recording', fieldType: 'file', multipleFiles: false }] },
		responseMode: 'lastNode',
		options: {},
	});
	const upload = node('Upload', 'voice', {
		operation: 'upload',
		binaryPropertyName: 'Recording',
		customName: 'nora',
		text: 'The quick brown fox',
		model: 'acme/voice-1',
	});
	const workflow = chain('Recording', [{ ...form, typeVersion: 2.2, webhookId: path }, upload]);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	await setting.session.publish(id);

	const page = await openVisitorPage(browser);
	lastPage = page;
	await page.goto(`${setting.n8nUrl}/form/${path}`);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'nora.mp3', mimeType: 'audio/mpeg', buffer: recording });
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Form Submitted').waitFor();

	const { status, outputs } = await setting.session.latestExecution(id);
	expect(status).toBe('success');
	const [[submitted]] = outputs.Form as [[INodeExecutionData]];
	expect(submitted.binary!.Recording!.id).toMatch(/^filesystem/);
	const { multipart } = setting.emulator.requests.at(-1)!;
	expect(multipart!.files).toEqual([
		{
			field: 'audio',
			fileName: 'nora.mp3',
			mimeType: 'audio/mpeg',
			size: recording.length,
			sha256: createHash('sha256').update(recording).digest('hex'),
		},
	]);
	expect(outputs.Upload![0]![0]!.json).toMatchObject({ customName: 'nora', model: 'acme/voice-1' });
});

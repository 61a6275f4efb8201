import { byTestId, type Editor } from '../Editor';
import { expectToShow, openEditorForAll, type Setting, takePicture } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

/** Opens the dialog of a new credential, unless an earlier test has left it open. */
async function openCredential(): Promise<void> {
	if (await editor.credentialDialog.isVisible()) return;
	const workflow = rowOf('Credential', [{ text: 'Hello' }], [node('Decide', 'decision')]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow));
	await editor.openNode('Decide');
	await byTestId(editor.nodeView, 'node-credentials-select').click();
	await byTestId(editor.page, 'node-credentials-select-item-new').filter({ visible: true }).click();
	await editor.credentialDialog.waitFor();
}

async function enter(baseUrl: string, apiKey: string): Promise<void> {
	const inputs = { baseUrl, apiKey };
	for (const [name, value] of Object.entries(inputs)) {
		const input = byTestId(editor.credentialDialog, `parameter-input-${name}`).locator('input');
		await input.fill(value);
		await input.blur();
	}
}

async function fillIn(baseUrl: string, apiKey: string): Promise<void> {
	await enter(baseUrl, apiKey);
	const tested = editor.page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
	await byTestId(editor.credentialDialog, 'credential-save-button').click();
	await tested;
}

// This test comes first, because later ones leave the result of their credential's test in the dialog.
test('the picture of the credential is taken for the README', async () => {
	await openCredential();
	await enter('https://api.example.com/v1', 'the-key-of-your-account');
	await takePicture(editor.credentialDialog, 'credential');
});

test('with the correct key, the test on saving succeeds', async () => {
	await openCredential();
	const icon = editor.credentialDialog.locator('img').first();
	await expectToShow(icon);
	await fillIn(setting.emulator.url, setting.emulator.apiKey);
	await editor.credentialDialog.waitFor({ state: 'hidden' });
	expect(setting.emulator.requests.at(-1)).toMatchObject({ method: 'GET', path: '/user/info', status: 200 });
	await byTestId(editor.nodeView, 'credential-edit-button').click();
	await editor.credentialDialog.getByText('Connection tested successfully').waitFor();
});

test.each([
	['a wrong key', () => ({ url: setting.emulator.url, key: 'wrong' }), /401: .*API key/is],
	[
		'a base URL without the version',
		() => ({ url: setting.emulator.url.replace('/v1', ''), key: setting.emulator.apiKey }),
		/404: .*base URL/is,
	],
	[
		'an address at which nothing listens',
		() => ({ url: 'http://127.0.0.1:9/v1', key: 'any' }),
		/Nothing answers at 127\.0\.0\.1:9/,
	],
	['an invalid base URL', () => ({ url: 'api.example.com/v1', key: 'any' }), /base URL.*http/is],
	[
		'plain HTTP to another host',
		() => ({ url: 'http://api.example.com/v1', key: 'any' }),
		/https|Allow HTTP/i,
	],
])('%s: the failed test names the reason, and says what to do', async (_case, credential, message) => {
	await openCredential();
	const { url, key } = credential();
	await fillIn(url, key);
	await editor.credentialDialog
		.getByText('Couldn’t connect with these settings')
		.filter({ visible: true })
		.waitFor();
	const details = editor.credentialDialog.getByText('More details').filter({ visible: true });
	if (await details.isVisible()) await details.click();
	await editor.credentialDialog.getByText(message).filter({ visible: true }).first().waitFor();
});

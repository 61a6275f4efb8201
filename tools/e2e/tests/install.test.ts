import { basename } from 'node:path';

import manifest from '../../../package.json';
import { byTestId, type Editor } from '../Editor';
import { readTemplate, templateFiles } from '../templates';
import { expectToShow, openEditorForAll, type Setting } from './setting';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

/** The node creator lists a trigger only below the node of the same service, so the label of a trigger is not among these. */
const LABELS = manifest.n8n.nodes
	.map((file) => basename(file, '.node.js'))
	.filter((name) => !name.endsWith('Trigger'))
	.map((name) => `Inference ${name.replace(/\B[A-Z]/g, ' $&')}`);

test("the node creator finds each node with its own icon, and the trigger's events below the account", async () => {
	await editor.openNewWorkflow();
	const entries = await editor.searchNodes('Inference');
	const icons = new Set<string>();
	for (const label of LABELS) {
		const entry = entries.filter({ hasText: label });
		expect(await entry.count()).toBe(1);
		expect(await byTestId(entry, 'node-creator-item-description').innerText()).not.toBe('');
		const icon = entry.locator('img').first();
		await expectToShow(icon);
		icons.add((await icon.getAttribute('src')) ?? '');
	}
	expect(icons.size).toBe(LABELS.length);
	await entries.filter({ hasText: 'Inference Account' }).click();
	const creator = byTestId(editor.page, 'node-creator');
	for (const action of ['On balance below threshold', 'On balance changed']) {
		await creator.getByText(action, { exact: true }).waitFor();
	}
	await creator.getByText('Actions (2)').waitFor();
});

test('every template is imported, and n8n knows its nodes', async () => {
	const answer = await editor.page.request.get(`${setting.n8nUrl}/types/nodes.json`);
	const known = (await answer.json()) as Array<{ name: string; version: number | number[] }>;
	const files = templateFiles();
	expect(files.length).toBeGreaterThan(0);
	const unknown: string[] = [];
	for (const file of files) {
		const template = readTemplate(file);
		await setting.session.importWorkflow(template, setting.credentials);
		for (const { name, type, typeVersion } of template.nodes) {
			const isKnown = known.some((one) => one.name === type && [one.version].flat().includes(typeVersion));
			if (!isKnown) unknown.push(`${file}: ${name} (${type} ${typeVersion})`);
		}
	}
	expect(unknown).toEqual([]);
});

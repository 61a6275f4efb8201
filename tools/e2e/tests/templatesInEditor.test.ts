import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { INodeConnections } from 'n8n-workflow';

import { decideByName } from '../../../emulator/decideByName';
import { ACCEPTED_MODELS } from '../../../emulator/Emulator';
import { byTestId, type Editor } from '../Editor';
import type { WorkflowFile } from '../N8nSession';
import { TEMPLATES_FOLDER } from '../paths';
import { MODEL_OF_TEMPLATES, readTemplate, templateFiles } from '../templates';
import { openEditorForAll, type Setting, takePicture, takePictureAround } from './setting';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened), {
	models: [...ACCEPTED_MODELS, MODEL_OF_TEMPLATES],
	decide: decideByName,
});

test('the form template in the editor: its first run routes a submission', async () => {
	// The window is so large that the canvas is shown at its own size.
	await editor.page.setViewportSize({ width: 2200, height: 1650 });
	await editor.openNewWorkflow();
	await editor.importFile(join(TEMPLATES_FOLDER, 'form-decided-and-routed.json'));
	await byTestId(editor.page, 'zoom-to-fit').click();
	const form = await editor.executeByForm(async (opened) => {
		await opened.getByLabel('Name').fill('Nora');
		await opened.getByLabel('Email').fill('nora@example.com');
		await opened.getByLabel('Message').fill('Dear office, my billing is wrong: please refund the fee!');
		await takePicture(opened.locator('form'), 'form-template');
	});
	await form.getByText('Your message is with our Billing team').waitFor();
	await byTestId(editor.canvasNode('Answer: Your Team'), 'canvas-node-status-success').waitFor();
	await form.close();
	await editor.page.locator('.vue-flow__pane').click({ position: { x: 20, y: 20 } });
	await takePictureAround(byTestId(editor.page, 'canvas-node'), 'form-routed');
	await editor.page.setViewportSize({ width: 1400, height: 900 });
});

test('n8n gives a webhook without a path an address that nobody can guess at each import', async () => {
	const paths: string[] = [];
	for (let time = 0; time < 2; time += 1) {
		await editor.openNewWorkflow();
		await editor.importFile(join(TEMPLATES_FOLDER, 'balance-in-a-cell.json'));
		await editor.openNode('When a Sheet Asks');
		paths.push(await editor.valueOf('path'));
		await editor.closeNode();
	}
	for (const path of paths) expect(path).toMatch(/^[0-9a-f-]{36}$/);
	expect(new Set(paths).size).toBe(2);
});

/** Returns the names of the nodes that the editor marks with a red triangle. */
async function nodesWithIssues(): Promise<Array<string | null>> {
	const marked = byTestId(editor.page, 'canvas-node').filter({ has: byTestId(editor.page, 'node-issues') });
	return await Promise.all((await marked.all()).map(async (one) => await one.getAttribute('data-node-name')));
}

/** Returns the beginnings of the notes that cut their text off. */
async function notesCutOff(): Promise<string[]> {
	return await byTestId(editor.page, 'sticky').evaluateAll((notes) =>
		notes
			.filter(({ firstElementChild }) => firstElementChild!.scrollHeight > firstElementChild!.clientHeight)
			.map(({ textContent }) => textContent.slice(0, 30)),
	);
}

/** n8n takes seconds to open a workflow, and half a minute to draw one with all templates. */
const TEMPLATES_AT_ONCE = 6;

const groups = Array.from({ length: Math.ceil(templateFiles().length / TEMPLATES_AT_ONCE) }, (_, index) =>
	templateFiles().slice(index * TEMPLATES_AT_ONCE, (index + 1) * TEMPLATES_AT_ONCE),
);

// Several templates stand in one workflow. The name of a node begins with its template's file.
test.each(groups)(
	'the notes of each template show all their text, and name the nodes that are marked after its import: %s and those after it',
	async (...files) => {
		const workflow: WorkflowFile = { name: 'Templates', nodes: [], connections: {} };
		const explained: string[] = [];
		for (const file of files) {
			const inAll = (name: string) => `${file}: ${name}`;
			const { nodes, connections } = readTemplate(file);
			for (const { credentials: _, ...node } of nodes) {
				workflow.nodes.push({ ...node, id: randomUUID(), name: inAll(node.name) });
				const notes = String(node.parameters.content ?? '').matchAll(/\*\*(.+?)\*\*/g);
				explained.push(...[...notes].map(([, name]) => inAll(name!)));
			}
			for (const [name, outputs] of Object.entries(connections)) {
				workflow.connections[inAll(name)] = JSON.parse(JSON.stringify(outputs), (key, value: unknown) =>
					key === 'node' ? inAll(String(value)) : value,
				) as INodeConnections;
			}
		}
		await editor.openWorkflow(await setting.session.importWorkflow(workflow));
		await editor.page
			.locator('.vue-flow__node')
			.nth(workflow.nodes.length - 1)
			.waitFor();
		const marked = await nodesWithIssues();
		expect(marked.length).toBeGreaterThan(0);
		expect(marked.filter((name) => !explained.includes(String(name)))).toEqual([]);
		expect(await notesCutOff()).toEqual([]);
	},
);

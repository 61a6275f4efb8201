import { randomUUID } from 'node:crypto';

import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting } from './setting';
import { chain, node } from '../workflows';

/** A person needs longer than this to move from the keys to the mouse. */
const TYPED_WITHIN_MS = 500;

let setting: Setting;
let editor: Editor;
let clicks = 0;

openEditorForAll((opened) => ({ setting, editor } = opened));

beforeAll(async () => {
	await leaveOneCredential();
	const context = editor.page.context();
	await context.exposeBinding('countClick', () => {
		clicks++;
	});
	await context.addInitScript(() => {
		const { countClick } = window as unknown as { countClick: () => void };
		// This listens while the event bubbles up. In the capture phase, it would also count a click that the driver takes
		// back because something moved.
		addEventListener('pointerdown', ({ isTrusted }) => isTrusted && countClick());
	});
});

/** Removes the other credentials: if there is only one, as for a new user, n8n selects it. */
async function leaveOneCredential(): Promise<void> {
	const { inferenceServiceApi: mine } = setting.credentials;
	const all = (await setting.session.call('GET', '/credentials')) as Array<{ id: string; type: string }>;
	for (const { id, type } of all) {
		if (type === 'inferenceServiceApi' && id !== mine!.id) {
			await setting.session.call('DELETE', `/credentials/${id}`);
		}
	}
}

async function openForm(): Promise<string> {
	const form = node('On Form Submission', 'n8n-nodes-base.formTrigger', {
		formTitle: 'Contact us',
		formFields: { values: [{ fieldLabel: 'Message', fieldType: 'textarea', requiredField: true }] },
		options: {},
	});
	const workflow = chain('From a form to a route', [{ ...form, typeVersion: 2.2, webhookId: randomUUID() }]);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	await editor.openWorkflow(id);
	clicks = 0;
	return id;
}

/** Clicks into a field and types into it, as a person does. */
async function clickAndType(path: string, text: string): Promise<void> {
	await editor.parameter(path).locator('input, textarea').click();
	await editor.page.keyboard.type(text);
	// The editor stores the text a moment after the last key.
	await editor.page.waitForTimeout(TYPED_WITHIN_MS);
}

/** Executes the open node, and submits the form that n8n opens for it. */
async function submit(message: string): Promise<void> {
	const form = await editor.executeStepByForm(async (page) => {
		await page.getByLabel('Message').click();
		await page.keyboard.type(message);
	});
	await form.close();
}

async function expectOutputs(id: string, numbersOfItems: number[]): Promise<void> {
	await editor.output.getByText('Outputs: ').waitFor();
	const { status, outputs } = await setting.session.latestExecution(id);
	expect(status).toBe('success');
	expect(outputs['Inference Decision']!.map((items) => items.length)).toEqual(numbersOfItems);
}

// Five of these clicks are n8n's: the plus, the node, its action, Execute step, and the form's Submit. One is the
// form's field.
test('from a form to a submission that is routed by yes or no: 7 clicks', async () => {
	const id = await openForm();
	await editor.addNode('Inference Decision', 'Route item by answer');
	await clickAndType('questions.question[0].instructions', 'Does the customer need help immediately?');
	await submit('My card was stolen, help me immediately!');
	await expectOutputs(id, [0, 1, 0]);
	expect(clicks).toBe(7);
});

test('from a form to a submission that is routed to one of two teams: 13 clicks', async () => {
	const id = await openForm();
	await editor.addNode('Inference Decision', 'Route item by answer');
	await clickAndType('questions.question[0].instructions', 'Which team should handle the message?');
	await editor.choose('questions.question[0].type', 'Choice');
	await addOptions('Payments', 'Identity');
	await submit('How do I get my payment back?');
	await expectOutputs(id, [0, 1, 0]);
	expect(clicks).toBe(13);
});

test('from an empty workflow to three routed branches: at most 30 clicks', async () => {
	await editor.openNewWorkflow();
	clicks = 0;
	const { page } = editor;
	await byTestId(page, 'canvas-add-button').click();
	await pickNode('n8n Form Trigger', 'n8n Form');
	await byTestId(page, 'node-creator').getByText('On new n8n Form event', { exact: true }).click();
	await editor.nodeView.waitFor();
	await clickAndType('formTitle', 'Contact us');
	await editor.press('Add Form Element');
	await clickAndType('formFields.values[0].fieldLabel', 'Message');
	await editor.closeNode();

	await editor.addNode('Inference Decision', 'Route item by answer');
	await clickAndType('questions.question[0].instructions', 'Which team should handle the message?');
	await editor.choose('questions.question[0].type', 'Choice');
	await addOptions('Payments', 'Identity', 'Cards');
	await editor.closeNode();

	for (const [index, label] of ['Payments', 'Identity', 'Cards'].entries()) {
		const handle = byTestId(editor.canvasNode('Inference Decision'), 'canvas-node-output-handle');
		await byTestId(handle.filter({ hasText: label }), 'canvas-handle-plus').click();
		await pickNode('No Operation', 'No Operation, do nothing');
		await editor.nodeView.waitFor();
		await editor.closeNode();
		expect(await editor.wires()).toHaveLength(2 + index);
	}
	expect(clicks).toBeLessThanOrEqual(30);
});

/** Adds answer options to the first question. */
async function addOptions(...names: string[]): Promise<void> {
	for (const [index, name] of names.entries()) {
		await editor.press('Add Answer Option');
		await clickAndType(`questions.question[0].options.option[${index}].name`, name);
	}
}

/** When the search of the node creator opens, it has the focus. */
async function pickNode(search: string, name: string): Promise<void> {
	await byTestId(editor.page, 'node-creator-search-bar').waitFor();
	await editor.page.keyboard.type(search);
	await byTestId(editor.page, 'item-iterator-item').filter({ hasText: name }).first().click();
}

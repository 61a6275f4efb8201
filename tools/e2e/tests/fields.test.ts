import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const SUBMISSION = {
	Name: 'Nora',
	'Your Message': 'I was charged twice for the same payment. Please help me immediately!',
	address: { city: 'Bergen', country: 'Norway' },
};

const QUESTIONS = {
	question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
};

openEditorForAll((opened) => ({ setting, editor } = opened));

async function openDecision(parameters: object = {}): Promise<void> {
	const decide = node('Decide', 'decision', { questions: QUESTIONS, ...parameters });
	const workflow = rowOf('Fields', [SUBMISSION], [decide]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode('Decide');
}

test('fields dragged onto "Fields to Send" appear there by their names, and are sent', async () => {
	await openDecision();
	await editor.dragField('Your Message', 'stateFields');
	expect(await editor.valueOf('stateFields')).toBe("['Your Message']");
	await editor.dragField('city', 'stateFields');
	expect(await editor.valueOf('stateFields')).toBe("['Your Message'], address.city");
	await editor.executeStep();
	expect(setting.emulator.requests.at(-1)?.body).toMatchObject({
		state: { 'Your Message': SUBMISSION['Your Message'], address: { city: 'Bergen' } },
	});
	expect(setting.emulator.requests.at(-1)?.rawBody.toString()).not.toMatch(/Nora|Norway/);
});

test('after a mistyped name, the error lists the fields that the item has, and a hint names the missing one', async () => {
	await openDecision({ stateFields: 'message' });
	await editor.executeStep();
	expect(await byTestId(editor.output, 'node-error-message').innerText()).toContain(
		'Name, Your Message, address',
	);
	await editor.fill('stateFields', 'Name, message');
	await editor.executeStep();
	expect((await editor.hints()).join('\n')).toContain('Field not found, and not sent: message');
});

import { byTestId, type Editor } from '../Editor';
import { Recorder } from '../Recorder';
import { openEditorForAll, saveAnimation, type Setting } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const SUBMISSION = {
	Name: 'Nora',
	Email: 'nora@example.com',
	Message: 'I was charged twice for one payment. Please help me immediately!',
};

const WIDTH = 900;

/** The README shows the animation, so every visitor loads it. */
const MOST_BYTES = 1_500_000;

openEditorForAll((opened) => ({ setting, editor } = opened));

test('from the first drag to the answer, as an animation', async () => {
	await editor.page.setViewportSize({ width: 1200, height: 720 });
	const workflow = rowOf('From a drag to an answer', [SUBMISSION], [node('Decide', 'decision')]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode('Decide');
	const recorder = await Recorder.of(editor.page, WIDTH);
	await recorder.add(1200);

	await recorder.moveTo(editor.inputField('Message'));
	await editor.page.mouse.down();
	await recorder.moveTo(editor.parameter('stateFields').locator('input'), 6);
	await editor.page.mouse.up();
	await recorder.add(1000);
	expect(await editor.valueOf('stateFields')).toBe('Message');

	const question = editor.parameter('questions.question[0].instructions').locator('textarea');
	await recorder.moveTo(question);
	await question.click();
	for (const words of ['Does the ', 'customer ', 'need help ', 'immediately?']) {
		await editor.page.keyboard.type(words);
		await recorder.add(250);
	}
	await recorder.add(600);

	const execute = byTestId(editor.nodeView, 'node-execute-button');
	await recorder.moveTo(execute);
	await editor.executeStep();
	await byTestId(editor.output, 'radio-button-schema').click();
	await editor.page.waitForTimeout(500);
	await recorder.add(3500);
	expect((await editor.hints()).join('\n')).toContain('answer: yes');

	expect(recorder.toWebp().length).toBeLessThan(MOST_BYTES);
	saveAnimation(recorder, 'drag-to-answer', await editor.nodeView.innerText());
	await recorder.close();
});

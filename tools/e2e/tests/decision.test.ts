import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting, takePicture } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const customer = {
	subject: 'Charged twice',
	message: 'I was charged twice for the same card payment. Please help me immediately!',
};

openEditorForAll((opened) => ({ setting, editor } = opened));

test('a decision is built by clicks: questions of each type, their fields, and the answers', async () => {
	await editor.openWorkflow(await setting.session.importWorkflow(rowOf('Built by clicks', [customer], [])));
	await editor.addNode('Inference Decision', 'Answer questions about item');
	await editor.chooseCredential(setting.credentials.inferenceServiceApi!.id);

	await editor.fill('questions.question[0].id', 'urgent');
	await editor.fill('questions.question[0].instructions', 'Does the customer need help immediately?');
	expect(await byTestId(editor.nodeView, 'fixed-collection-options').count()).toBe(0);
	expect(await byTestId(editor.nodeView, 'fixed-collection-levels').count()).toBe(0);

	await editor.press('Add Question');
	await editor.fill('questions.question[1].id', 'topic');
	await editor.choose('questions.question[1].type', 'Choice');
	await editor.fill('questions.question[1].instructions', 'What is the message about?');
	const options = {
		payment: 'A card payment or a charge',
		identity: 'Verifying who the customer is',
		other: 'Something else',
	};
	for (const [index, [name, description]] of Object.entries(options).entries()) {
		await editor.press('Add Answer Option');
		await editor.fill(`questions.question[1].options.option[${index}].name`, name);
		await editor.fill(`questions.question[1].options.option[${index}].description`, description);
	}
	expect(await byTestId(editor.nodeView, 'fixed-collection-levels').count()).toBe(0);

	await editor.press('Add Question');
	await editor.fill('questions.question[2].id', 'anger');
	await editor.choose('questions.question[2].type', 'Score');
	await editor.fill('questions.question[2].instructions', 'How upset is the customer?');
	for (const [index, level] of ['calm', 'annoyed', 'furious'].entries()) {
		await editor.press('Add Level');
		await editor.fill(`questions.question[2].levels.level[${index}].description`, level);
	}
	expect(await byTestId(editor.nodeView, 'fixed-collection-options').count()).toBe(1);

	await editor.executeStep();

	expect(setting.emulator.requests.at(-1)?.body).toMatchObject({
		model: 'Kev-4B',
		state: customer,
		questions: {
			urgent: { type: 'noul', instructions: 'Does the customer need help immediately?' },
			topic: { type: 'choice', instructions: 'What is the message about?', criteria: options },
			anger: {
				type: 'score',
				instructions: 'How upset is the customer?',
				criteria: ['calm', 'annoyed', 'furious'],
			},
		},
	});
	const [row] = await editor.outputRows();
	expect(row).toMatchObject({ ...customer, urgent_yes: 'true', topic: 'payment' });
	expect(Object.keys(row!)).toEqual([
		'subject',
		'message',
		'urgent',
		'urgent_yes',
		'topic',
		'topic_confidence',
		'anger',
		'anger_level',
		'anger_confidence',
	]);
});

test('a message, two questions and their answers fit on one screen', async () => {
	const message = "I believe my card has been stolen, what can I do about this situation? It's urgent.";
	const question = [
		{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' },
		{
			id: 'team',
			type: 'choice',
			instructions: 'Which team should answer?',
			options: { option: ['cards', 'payments', 'account'].map((name) => ({ name })) },
		},
	];
	const decide = node('Inference Decision', 'decision', { questions: { question } });
	const workflow = rowOf('One screen', [{ message }], [decide]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode('Inference Decision');
	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([
		expect.objectContaining({ message, urgent_yes: 'true', team: 'cards' }),
	]);
	await byTestId(editor.output, 'radio-button-schema').click();
	await editor.page.setViewportSize({ width: 1200, height: 1640 });
	await takePicture(editor.nodeView, 'decision-builder');
	await editor.page.setViewportSize({ width: 1400, height: 900 });
});

import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting, takePictureAround } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const TEAMS = ['Ask a Person', 'Payments', 'Identity', 'Cards'];

openEditorForAll((opened) => ({ setting, editor } = opened));

async function addOption(index: number, name: string, description: string): Promise<void> {
	await editor.press('Add Answer Option');
	await editor.fill(`questions.question[0].options.option[${index}].name`, name);
	await editor.fill(`questions.question[0].options.option[${index}].description`, description);
}

test('Decision on Route has an output for each option, after Uncertain, and its connections stay', async () => {
	const messages = [
		'I was charged twice for the same payment.',
		'A fee was debited for my payment, please refund it.',
		'How do I verify my identity with my passport?',
		'My card was stolen in the street.',
		'Hello there.',
	];
	const decide = node('Which Team?', 'decision');
	const workflow = rowOf(
		'Route',
		messages.map((message) => ({ message })),
		[decide],
	);
	workflow.nodes.push(
		...TEAMS.map((name, index) =>
			node(name, 'n8n-nodes-base.noOp', {}, { position: [560, -240 + index * 160] }),
		),
	);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	await editor.openWorkflow(id);
	expect(await editor.outputLabels(decide.name)).toEqual(['']);

	await editor.openNode(decide.name);
	await editor.choose('operation', 'Route');
	await editor.fill('questions.question[0].id', 'team');
	await editor.choose('questions.question[0].type', 'Choice');
	await editor.fill('questions.question[0].instructions', 'Which team should handle the message?');
	await addOption(0, 'payments', 'Payments, charges, fees and refunds');
	await addOption(1, 'identity', 'Proof of identity, passports');
	await editor.addField('Add Threshold', 'Minimum Confidence');
	await editor.fill('routing.minConfidence', '0.5');
	await editor.closeNode();
	expect(await editor.outputLabels(decide.name)).toEqual(['Uncertain', 'payments', 'identity']);

	await editor.connect(decide.name, 'Uncertain', 'Ask a Person');
	await editor.connect(decide.name, 'payments', 'Payments');
	await editor.connect(decide.name, 'identity', 'Identity');
	await editor.openNode(decide.name);
	const first = editor.parameter('questions.question[0].options.option[0].name').locator('input');
	await first.click();
	await editor.page.keyboard.press('Control+a');
	await editor.page.keyboard.type('charges', { delay: 300 });
	await editor.fill('questions.question[0].options.option[0].name', '');
	await editor.closeNode();
	expect(await editor.connections()).toHaveLength(4);
	await editor.openNode(decide.name);
	await editor.fill('questions.question[0].options.option[0].name', 'payments');
	await addOption(2, 'cards', 'Lost and stolen cards');
	await editor.closeNode();
	expect(await editor.outputLabels(decide.name)).toEqual(['Uncertain', 'payments', 'identity', 'cards']);
	await editor.connect(decide.name, 'cards', 'Cards');

	await editor.execute();

	const { status, outputs } = await setting.session.latestExecution(id);
	expect(status).toBe('success');
	const received = TEAMS.map((name) =>
		outputs[name]?.[0]?.map(({ json }) => messages.indexOf(String(json.message))),
	);
	expect(received).toEqual([[4], [0, 1], [2], [3]]);
	await byTestId(editor.page, 'zoom-to-fit').click();
	await editor.page.locator('.vue-flow__pane').click({ position: { x: 100, y: 100 } });
	await takePictureAround(byTestId(editor.page, 'canvas-node'), 'route-canvas');
});

test('Route by Question lists the existing questions, and keeps connections while an ID is typed', async () => {
	const team = {
		id: 'team',
		type: 'choice',
		instructions: 'Which team should handle the message?',
		options: { option: [{ name: 'payments' }, { name: 'identity' }, { name: 'cards' }] },
	};
	const urgent = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };
	const decide = node('Decide', 'decision', { operation: 'route', questions: { question: [urgent, team] } });
	const workflow = rowOf('Dropdown', [{ message: 'My card was stolen.' }], [decide]);
	workflow.nodes.push(node('Cards', 'n8n-nodes-base.noOp', {}, { position: [560, 0] }));
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	expect(await editor.outputLabels(decide.name)).toEqual(['Uncertain', 'Yes', 'No']);

	await editor.openNode(decide.name);
	expect(await editor.optionsOf('routeQuestion')).toEqual(['First Question', 'urgent', 'team']);
	await editor.choose('routeQuestion', 'team');
	await editor.closeNode();
	expect(await editor.outputLabels(decide.name)).toEqual(['Uncertain', 'payments', 'identity', 'cards']);
	await editor.connect(decide.name, 'cards', 'Cards');

	await editor.openNode(decide.name);
	await editor.fill('questions.question[1].id', 'desk');
	expect(await editor.optionsOf('routeQuestion')).toEqual(['First Question', 'urgent', 'desk']);
	await editor.choose('routeQuestion', 'desk');
	await editor.closeNode();
	expect(await editor.outputLabels(decide.name)).toEqual(['Uncertain', 'payments', 'identity', 'cards']);
	expect(await editor.connections()).toContainEqual([decide.name, 'Cards']);
});

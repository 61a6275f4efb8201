import { byTestId, type Editor } from '../Editor';
import { node, rowOf } from '../workflows';
import { scriptMessages } from './scriptMessages';
import { openEditorForAll, type Setting } from './setting';

const ANSWER = 'It is urgent: a card has been stolen.';
const JUDGED = 'My card was stolen, help me immediately!';
const QUESTION = 'Does the customer need help immediately?';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

test('an agent gets its chat model from the picker, and a decision with only a question as its tool', async () => {
	const agent = node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: '={{ $json.chatInput }}', options: {} },
		{ typeVersion: 3.1 },
	);
	const items = [{ chatInput: 'Is this urgent?', secret: 'of the conversation' }];
	const workflow = rowOf('Agent', items, [agent]);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	await editor.openWorkflow(id);

	const input = byTestId(editor.canvasNode('Agent'), 'canvas-node-input-handle');
	await byTestId(input.filter({ hasText: 'Chat Model' }), 'canvas-handle-plus').click();
	// The test searches for the model, because the picker may show all kinds of AI nodes before it shows only models.
	const entries = await editor.searchNodes('Inference Chat Model');
	await entries.filter({ hasText: 'Inference Chat Model' }).first().click();
	await byTestId(editor.page, 'node-creator').getByText('Add to workflow').click();
	await editor.nodeView.waitFor();
	await editor.chooseCredential(setting.credentials.inferenceServiceApi!.id);
	await editor.fill('model', 'acme/quick-1');
	await editor.closeNode();
	expect(await editor.connections()).toContainEqual(['Inference Chat Model', 'Agent']);

	await editor.addTool('Agent', 'Inference Decision');
	await editor.chooseCredential(setting.credentials.inferenceServiceApi!.id);
	await editor.fill('questions.question[0].instructions', QUESTION);
	await editor.closeNode();
	scriptMessages(setting.emulator, [
		{ calls: [{ name: 'Inference_Decision', input: { text: JUDGED } }] },
		{ text: ANSWER },
	]);
	await editor.execute();

	const { status, error, outputs } = await setting.session.latestExecution(id);
	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	expect(outputs.Agent![0]![0]!.json.output).toBe(ANSWER);
	const [asked, decision, told] = setting.emulator.requests;
	const { tools } = asked!.body as { tools: Array<{ name: string; description: string }> };
	expect(tools).toEqual([
		expect.objectContaining({ name: 'Inference_Decision', description: expect.stringContaining(QUESTION) }),
	]);
	expect(decision!.body).toMatchObject({ state: JUDGED });
	expect(decision!.rawBody.toString()).not.toMatch(/toolCallId|toolu_|conversation/);
	expect(told!.rawBody.toString()).toMatch(/answer_yes\W+true/);
});

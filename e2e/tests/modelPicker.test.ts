import { byTestId, type Editor } from '../Editor';
import { node, rowOf } from '../workflows';
import { openEditorForAll, type Setting } from './setting';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

test("the editor's picker for an agent's chat model offers the Inference Chat Model", async () => {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', { options: {} }, { typeVersion: 3.1 });
	const id = await setting.session.importWorkflow(rowOf('Agent', [{}], [agent]), setting.credentials);
	await editor.openWorkflow(id);

	const input = editor.canvasNode('Agent').locator('[data-test-id="canvas-node-input-handle"]', {
		hasText: 'Chat Model',
	});
	await byTestId(input, 'canvas-handle-plus').click();

	// The test searches for the model, because the picker may show all kinds of AI nodes before it shows only models.
	const entries = await editor.searchNodes('Inference Chat Model');
	await entries.filter({ hasText: 'Inference Chat Model' }).first().click();
	await byTestId(editor.page, 'node-creator').getByText('Add to workflow').click();
	await editor.canvasNode('Inference Chat Model').waitFor({ state: 'attached' });
	await editor.page
		.locator(
			'[data-test-id="edge"][data-source-node-name="Inference Chat Model"][data-target-node-name="Agent"]',
		)
		.waitFor({ state: 'attached' });
});

import type { Message } from '../../../contract/types';
import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting, takePicture, takePictureAround } from './setting';
import { chain, node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

afterEach(() => setting.emulator.reset());

/** Opens a node behind one item, and executes it. */
async function execute(item: Record<string, string>, ...one: Parameters<typeof node>): Promise<void> {
	const workflow = rowOf('Results', [item], [node(...one)]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode(one[0]);
	await editor.executeStep();
}

/** Shows the result as names and values, in a window so high that nothing has to be scrolled. */
async function showResult(height: number): Promise<void> {
	await byTestId(editor.output, 'radio-button-schema').click();
	await editor.page.setViewportSize({ width: 1400, height });
}

test('Generate Message writes a reply for each item, with an expression in its message', async () => {
	const question = 'How long do I have to send a book back?';
	const text = 'You have 30 days. Put the book back in its parcel, and we will refund you.';
	setting.emulator.answer(
		{
			id: 'msg_000001',
			type: 'message',
			role: 'assistant',
			model: 'acme/writer-1',
			content: [{ type: 'text', text }],
			stop_reason: 'end_turn',
			stop_sequence: null,
			usage: { input_tokens: 31, output_tokens: 19 },
		} satisfies Message,
		{ path: '/messages' },
	);
	const instructions = 'Answer a customer of our bookshop.\nBooks may be sent back within 30 days.\n';
	await execute({ question }, 'Draft Reply', 'message', {
		model: { __rl: true, mode: 'id', value: 'acme/writer-1' },
		messages: { message: [{ role: 'user', content: `=${instructions}{{ $json.question }}` }] },
	});
	expect(setting.emulator.requests.at(-1)?.body).toEqual({
		model: 'acme/writer-1',
		max_tokens: 1024,
		messages: [{ role: 'user', content: instructions + question }],
	});
	expect(await editor.outputRows()).toEqual([
		expect.objectContaining({ text, stop_reason: 'end_turn', input_tokens: '31', output_tokens: '19' }),
	]);
	await showResult(1020);
	// The button for tools is outside the dialog.
	const tools = byTestId(editor.nodeView, 'subnode-connection-group-ai_tool');
	const margin = { left: 0, top: 0, right: 0, bottom: 20 };
	await takePictureAround(editor.nodeView.or(tools), 'message', margin);
});

test('Get Balance shows the balances, and whether they are low', async () => {
	const parameters = { operation: 'getBalance', options: { lowBelow: 10 } };
	await execute({ reason: 'Weekly report' }, 'Get Balance', 'account', parameters);
	expect(await editor.outputRows()).toEqual([
		expect.objectContaining({
			balance: '5',
			total_balance: '100',
			total_balance_text: '100.000000',
			is_low: 'false',
		}),
	]);
	await showResult(600);
	await takePicture(editor.nodeView, 'account');
});

test('the account trigger shows the present balance when it is run by hand', async () => {
	const workflow = chain('Balance', [
		node('Balance Is Low', 'accountTrigger', {
			pollTimes: { item: [{ mode: 'everyX', value: 10, unit: 'minutes' }] },
		}),
	]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode('Balance Is Low');
	await editor.fill('threshold', '99.125');
	await editor.executeStep();
	expect(await editor.outputRows()).toEqual([
		expect.objectContaining({ total_balance: '100', event: 'balanceBelow', threshold: '99.125' }),
	]);
	await editor.fill('threshold', '150');
	await editor.executeStep();
	await showResult(830);
	await takePicture(editor.nodeView, 'account-trigger');
});

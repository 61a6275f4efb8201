import type { IDataObject } from 'n8n-workflow';

import { byTestId, type Editor } from '../Editor';
import { node, rowOf } from '../workflows';
import { openEditorForAll, type Setting, takePictureAround } from './setting';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened));

afterEach(() => setting.emulator.clearFaults());

const MESSAGE = 'My card was stolen. Please refund the purchase, I want my money back.';

async function openDecision(name: string, parameters: object): Promise<void> {
	const decide = node('Decide', 'decision', parameters);
	const workflow = rowOf(name, [{ message: MESSAGE }], [decide]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.openNode(decide.name);
}

const option = (index: number, field: string) => `questions.question[0].options.option[${index}].${field}`;

const lastBody = () => setting.emulator.requests.at(-1)!.body;

test('Tags by hand: an output for each option, and the item leaves by each that applies', async () => {
	const tags = [
		['lost card', 'The card was lost or stolen'],
		['refund', 'The customer wants money back for a purchase'],
		['opening hours', 'When an office is open'],
	] as const;
	await openDecision('Tags', { operation: 'route' });
	await editor.fill('questions.question[0].id', 'topics');
	await editor.choose('questions.question[0].type', 'Tags');
	await editor.fill('questions.question[0].instructions', 'What is the message about?');
	for (const [index, [name, description]] of tags.entries()) {
		await editor.press('Add Answer Option');
		await editor.fill(option(index, 'name'), name);
		await editor.fill(option(index, 'description'), description);
	}
	expect(await editor.parameter(option(0, 'minConfidence')).count()).toBe(0);

	await editor.executeStep();

	const asked = (lastBody() as { questions: IDataObject }).questions;
	expect(Object.keys(asked)).toEqual(tags.map(([name]) => `topics: ${name}`));
	expect(asked['topics: refund']).toEqual({
		type: 'noul',
		instructions:
			'What is the message about? Is one of the answers "refund" (The customer wants money back for a purchase)?',
	});
	expect((await editor.hints()).join('\n')).toContain('Outputs: lost card 1, refund 1');
	await editor.closeNode();
	const labels = (await editor.outputLabels('Decide')).map((label) => label.split('\n'));
	expect(labels).toEqual([
		['Uncertain'],
		['None'],
		['lost card', '1 item'],
		['refund', '1 item'],
		['opening hours'],
	]);
	await takePictureAround(byTestId(editor.page, 'canvas-node'), 'tags-canvas');
});

test("an option's own threshold goes before the node's, and the node's counts again once it is emptied", async () => {
	const options = { option: [{ name: 'lost card' }, { name: 'refund' }] };
	const question = { id: 'team', type: 'choice', instructions: 'What is it about?', options };
	const answer = { type: 'choice', choice: 'lost card', confidence: 0.8 };
	const usage = { input_tokens: 1, output_tokens: 1 };
	setting.emulator.answer(
		{ model: 'Kev-4B', answers: { team: answer }, usage },
		{ path: '/systemone', times: Infinity },
	);
	await openDecision('A threshold', {
		operation: 'route',
		questions: { question: [question] },
		routing: { minConfidence: 0.7 },
	});
	const own = option(0, 'minConfidence');
	expect(await editor.valueOf(own)).toBe('');
	const outputWith = async (threshold: string, ofNode = '0.7') => {
		await editor.fill('routing.minConfidence', ofNode);
		await editor.fill(own, threshold);
		await editor.executeStep();
		expect(await editor.valueOf(own)).toBe(threshold);
		return /^Outputs: (.*)$/m.exec((await editor.hints()).join('\n'))?.[1];
	};
	expect(await outputWith('0.9')).toBe('Uncertain 1');
	expect(await outputWith('')).toBe('lost card 1');
	expect(await outputWith('', '0.9')).toBe('Uncertain 1');
	expect(await outputWith('0', '0.9')).toBe('lost card 1');
	expect(await editor.valueOf(option(1, 'minConfidence'))).toBe('');
});

test('the questions stay when a person changes between Answer Questions and Route', async () => {
	const options = { option: [{ name: 'lost card', description: 'Lost or stolen' }, { name: 'refund' }] };
	const question = { id: 'team', type: 'choice', instructions: 'What is it about?', options };
	await openDecision('An operation', { questions: { question: [question] } });
	for (const operation of ['Route', 'Answer Questions', 'Route']) {
		await editor.choose('operation', operation);
		// The threshold of an option is shown in Route only, and its appearance tells that the form has followed.
		const state = operation === 'Route' ? 'visible' : 'hidden';
		await editor.parameter(option(0, 'minConfidence')).waitFor({ state });
		expect(await editor.valueOf('questions.question[0].instructions')).toBe('What is it about?');
		expect(await editor.valueOf(option(0, 'description'))).toBe('Lost or stolen');
		expect(await editor.valueOf(option(1, 'name'))).toBe('refund');
	}
	await editor.executeStep();
	expect(lastBody()).toMatchObject({
		questions: { team: { criteria: { 'lost card': 'Lost or stolen', refund: '' } } },
	});
});

describe('a model', () => {
	const question = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
	const questions = { question: [question] };

	const offer = (...ids: string[]) =>
		setting.emulator.answer({ data: ids.map((id) => ({ id })) }, { path: '/models', times: Infinity });

	const model = () => editor.parameter('options.model');
	const models = () => byTestId(editor.page, 'rlc-item').filter({ visible: true });

	async function openList(): Promise<void> {
		await byTestId(model(), 'rlc-mode-selector').click();
		await byTestId(editor.page, 'mode-list').filter({ visible: true }).click();
		await byTestId(model(), 'rlc-input').click();
	}

	test('is chosen from the list of the server, which can be searched', async () => {
		offer('zeta/large', 'acme/other', 'Kev-4B');
		await openDecision('A model', { questions, options: { model: 'acme/older' } });
		// A text that an older workflow stored is shown, and is sent as it is.
		expect(await model().locator('input').last().inputValue()).toBe('acme/older');
		await editor.executeStep();
		expect(lastBody()).toHaveProperty('model', 'acme/older');

		await openList();
		await models().first().waitFor();
		const names = (await models().allInnerTexts()).map((text) => text.trim());
		expect(names).toEqual(['acme/other', 'Kev-4B', 'zeta/large']);
		await byTestId(editor.page, 'rlc-search').filter({ visible: true }).fill('kev');
		await models().filter({ hasText: 'acme/other' }).waitFor({ state: 'hidden' });
		const found = models().filter({ hasText: 'Kev-4B' });
		await found.waitFor();
		expect(await models().count()).toBe(1);
		await found.click();
		await models().first().waitFor({ state: 'hidden' });

		await editor.executeStep();
		expect(lastBody()).toHaveProperty('model', 'Kev-4B');
	});

	test('is entered as an ID where the server has no list, which the list says', async () => {
		await openDecision('No list', { questions, options: { model: { __rl: true, mode: 'id', value: '' } } });
		await openList();
		await editor.page
			.getByText("The server has no list of models. Choose 'By ID', and enter the model's ID.")
			.filter({ visible: true })
			.waitFor();
	});
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import { businesses, type Business } from '../businesses';
import { byTestId, type Editor } from '../Editor';
import { ROOT_FOLDER, TEMPLATES_FOLDER } from '../paths';
import { node, rowOf } from '../workflows';
import { openEditorForAll, type Setting } from './setting';

const README = readFileSync(join(ROOT_FOLDER, 'README.md'), 'utf8');
const THRESHOLD = Number(/\*\*Minimum Confidence\*\* and leave it at (0\.\d+)/.exec(README)![1]);
const QUESTION = /the type \*\*Choice\*\*, and "([^"]+)"/.exec(README)![1]!;

let setting: Setting;
let editor: Editor;
let clicks = 0;
let typed = 0;

openEditorForAll((opened) => ({ setting, editor } = opened));

beforeAll(async () => {
	const context = editor.page.context();
	let isTyping = false;
	await context.exposeBinding('countInput', (_, kind: string) => {
		if (kind === 'pointerdown') clicks++;
		else if (!isTyping) typed++;
		isTyping = kind === 'keydown';
	});
	await context.addInitScript(() => {
		const { countInput } = window as unknown as { countInput: (kind: string) => void };
		// Clicks are counted while they bubble up. In the capture phase, a click that the driver takes back because something moved
		// would count too. n8n lets no key bubble up, so keys are counted in the capture phase.
		addEventListener('pointerdown', ({ isTrusted }) => isTrusted && countInput('pointerdown'));
		addEventListener('keydown', ({ isTrusted }) => isTrusted && countInput('keydown'), { capture: true });
	});
});

async function startCounting(): Promise<void> {
	await editor.openNewWorkflow();
	[clicks, typed] = [0, 0];
}

/** Clicks into a field and types. On a form, a tab leads to the next field. */
async function clickAndType(field: Locator, ...texts: string[]): Promise<void> {
	await field.click();
	const { keyboard } = field.page();
	for (const [index, text] of texts.entries()) {
		if (index > 0) await keyboard.press('Tab');
		else await keyboard.press('ControlOrMeta+a');
		await keyboard.type(text);
	}
	// The editor stores the text when the field loses the focus, for example by a click elsewhere.
	await field.blur();
}

const input = (path: string) => editor.parameter(path).locator('input, textarea');
const option = (index: number, field: string) =>
	input(`questions.question[0].options.option[${index}].${field}`);

async function nameTeam(index: number, [name, description]: [string, string]): Promise<void> {
	await clickAndType(option(index, 'name'), name);
	await clickAndType(option(index, 'description'), description);
}

/** The search of the node creator has the focus as soon as it opens. */
async function pickNode(search: string, name: string): Promise<void> {
	await byTestId(editor.page, 'node-creator-search-bar').waitFor();
	await editor.page.keyboard.type(search);
	await byTestId(editor.page, 'item-iterator-item').filter({ hasText: name }).first().click();
}

function tell(way: string, most: { clicks: number; typed: number }): void {
	const counted = `${way}: ${clicks} clicks, ${typed} times of typing\n`;
	writeFileSync(join(process.env.E2E_VIEWS!, 'clicks.txt'), counted, { flag: 'a' });
	expect(clicks).toBeLessThanOrEqual(most.clicks);
	expect(typed).toBeLessThanOrEqual(most.typed);
}

const [library] = businesses as [Business];
const teams = Object.entries(library.teams);
const CLEAR = 'Can I renew the books and films that I borrowed?';

test('by importing "Sort my inbox": the first message is routed to a team of one\'s own', async () => {
	await startCounting();
	const { page } = editor;
	await byTestId(page, 'workflow-menu').click();
	await page.getByText('Import', { exact: false }).filter({ visible: true }).first().click();
	const choosing = page.waitForEvent('filechooser');
	await page.getByText('From file', { exact: false }).filter({ visible: true }).first().click();
	await (await choosing).setFiles(join(TEMPLATES_FOLDER, 'sort-my-inbox.json'));
	await editor.openNode('Sort the Message');
	// The first two options are no teams, and the last team gets the rest.
	for (const [index, team] of teams.slice(0, 2).entries()) await nameTeam(2 + index, team);
	await editor.closeNode();
	const form = await editor.executeByForm(async (opened) => {
		await clickAndType(opened.getByLabel('Name'), 'Nora', 'nora@example.com', CLEAR);
	});
	await form.getByText('Your message is with our Loans team.').waitFor();
	tell('by importing', { clicks: 15, typed: 5 });
});

test('by hand: from an empty workflow to the first message that leaves for a team, and to three branches', async () => {
	await startCounting();
	const { page } = editor;
	await byTestId(page, 'canvas-add-button').click();
	await pickNode('n8n Form Trigger', 'n8n Form');
	await byTestId(page, 'node-creator').getByText('On new n8n Form event', { exact: true }).click();
	await editor.nodeView.waitFor();
	await clickAndType(input('formTitle'), 'Contact us');
	await editor.press('Add Form Element');
	await clickAndType(input('formFields.values[0].fieldLabel'), 'message');
	await editor.closeNode();

	await editor.addNode('Inference Decision', 'Route item by answer');
	await clickAndType(input('stateFields'), 'message');
	await clickAndType(input('questions.question[0].id'), 'team');
	await editor.choose('questions.question[0].type', 'Choice');
	await clickAndType(input('questions.question[0].instructions'), QUESTION);
	for (const [index, team] of teams.entries()) {
		await editor.press('Add Answer Option');
		await nameTeam(index, team);
	}
	await editor.addField('Add Threshold', 'Minimum Confidence');
	const form = await editor.executeStepByForm(async (opened) => {
		await clickAndType(opened.getByLabel('message'), CLEAR);
	});
	await form.close();
	await editor.output.getByText(/Outputs: .*Loans 1/).waitFor();
	tell('by hand', { clicks: 36, typed: 14 });

	await editor.closeNode();
	for (const [index, [label]] of teams.entries()) {
		const handle = byTestId(editor.canvasNode('Inference Decision'), 'canvas-node-output-handle');
		await byTestId(handle.filter({ hasText: label }), 'canvas-handle-plus').click();
		await pickNode('No Operation', 'No Operation, do nothing');
		await editor.nodeView.waitFor();
		await editor.closeNode();
		expect(await editor.connections()).toHaveLength(2 + index);
	}
	tell('by hand, with three branches', { clicks: 39, typed: 17 });
});

test.each(businesses)(
	"README's first workflow for $name: 7 of 10 messages or more go to the right team, and none to a wrong one",
	async ({ teams: own, messages }) => {
		const options = Object.entries(own).map(([name, description]) => ({ name, description }));
		const decide = node('Decide', 'decision', {
			operation: 'route',
			stateFields: 'message',
			questions: {
				question: [{ id: 'team', type: 'choice', instructions: QUESTION, options: { option: options } }],
			},
			routing: { minConfidence: THRESHOLD },
		});
		const workflow = rowOf(
			'Business',
			messages.map(([message, expected]) => ({ message, expected })),
			[decide],
		);
		const id = await setting.session.importWorkflow(workflow, setting.credentials);
		const { outputs } = await setting.session.run(id, 'Start');
		const [uncertain, ...routed] = outputs.Decide!;
		const wrong = routed
			.flat()
			.map(({ json }) => json)
			.filter(({ expected, team }) => expected !== team);
		expect(wrong).toEqual([]);
		expect(uncertain!.length).toBeLessThanOrEqual(3);
	},
);

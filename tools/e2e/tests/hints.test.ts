import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const MESSAGES = [
	'I was charged twice for the same card payment. Please help me immediately!',
	'How do I verify my identity with my passport?',
	'Hello there.',
];

const TEAM = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team should handle the message?',
	options: {
		option: [
			{ name: 'payments', description: 'Payments, charges, fees and refunds' },
			{ name: 'identity', description: 'Proof of identity, passports' },
		],
	},
};

const URGENT = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };

const ANGER = {
	id: 'anger',
	type: 'score',
	instructions: 'How upset is the customer?',
	levels: { level: ['calm', 'annoyed', 'furious'].map((description) => ({ description })) },
};

openEditorForAll((opened) => ({ setting, editor } = opened));

async function openDecision(
	question: object[],
	numberOfItems: number,
	parameters: object = {},
): Promise<void> {
	const items = Array.from({ length: numberOfItems }, (_, index) => ({
		number: index + 1,
		message: MESSAGES[index % MESSAGES.length]!,
	}));
	const decide = node('Decide', 'decision', {
		stateFields: 'message',
		questions: { question },
		...parameters,
	});
	await editor.openWorkflow(
		await setting.session.importWorkflow(rowOf('Hints', items, [decide]), setting.credentials),
	);
	await editor.openNode('Decide');
}

test.each([
	{
		items: 1,
		says: [/^team: payments \(confidence [\d.]+\)$/m, /^urgent: yes \(/m, /^anger: /m, /^Tokens: [\d,]+ in/m],
	},
	{
		items: 3,
		says: [
			/^3 items answered\.$/m,
			/^team: (identity 2, payments 1|payments 2, identity 1)/m,
			/^urgent: no 2, yes 1$/m,
		],
	},
	{
		items: 400,
		says: [/^400 items answered\.$/m, /^urgent: no 266, yes 134$/m, /^anger: mean /m, /^Tokens: [\d,]+ in/m],
	},
])('after a run of $items item(s) the hint says what came out', async ({ items, says }) => {
	await openDecision([TEAM, URGENT, ANGER], items);
	await editor.executeStep();
	const said = (await editor.hints()).join('\n');
	for (const expected of says) expect(said).toMatch(expected);
	await expectRoomForResult();
});

test('after a run of Route, the hint says how many items went to each output', async () => {
	await openDecision([TEAM], 40, { operation: 'route', routing: { minConfidence: 0.95 } });
	await editor.executeStep();
	expect((await editor.hints()).join('\n')).toMatch(/^Outputs: .*payments \d+/m);
	await expectRoomForResult();
});

test.each([
	['a question that is empty', { ...URGENT, instructions: '' }, {}, 'A question is empty'],
	['a choice without options', { ...TEAM, options: {} }, {}, 'A choice has no answer options'],
	[
		'a score with one level',
		{ ...ANGER, levels: { level: [{ description: 'calm' }] } },
		{},
		'2 to 10 levels',
	],
	[
		'a question to route by that is gone',
		TEAM,
		{ operation: 'route', routeQuestion: 'tea' },
		"doesn't match a question",
	],
	['nothing uncertain', TEAM, { operation: 'route' }, 'every answer counts as clear'],
])('before a run the node says what is missing: %s', async (_case, question, parameters, hint) => {
	await openDecision([question], 1, parameters);
	await editor.output.getByText(hint).waitFor();
});

test('a hint goes away as soon as what is missing is filled in', async () => {
	await openDecision([{ ...URGENT, instructions: '' }], 1);
	const hint = editor.output.getByText('A question is empty');
	await hint.waitFor();
	await editor.fill('questions.question[0].instructions', URGENT.instructions);
	await hint.waitFor({ state: 'hidden' });
});

/** Below the hints, the result keeps at least a third of the panel. */
async function expectRoomForResult(): Promise<void> {
	await byTestId(editor.output, 'radio-button-table').click();
	const panel = (await editor.output.boundingBox())!;
	const data = (await byTestId(editor.output, 'ndv-data-container').boundingBox())!;
	const visible = Math.min(data.y + data.height, panel.y + panel.height) - data.y;
	expect(visible / panel.height).toBeGreaterThan(1 / 3);
}

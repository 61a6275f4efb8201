import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeDriver, type NodeDriver, type NodeInput } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);
const message = nodeDriver('message', emulator);
const account = nodeDriver('account', emulator);

const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: [{ name: 'billing' }, { name: 'repairs' }] },
};

const asking = (more: object = {}) => ({ questions: { question: [team] }, ...more }) as INodeParameters;

const OTHERS = { includeOtherFields: true };

const saying = (more: object = {}) =>
	({
		model: 'acme/quick-1',
		messages: { message: [{ role: 'user', content: 'Hello' }] },
		options: OTHERS,
		...more,
	}) as INodeParameters;

beforeEach(() => {
	const answers = { team: { type: 'choice', choice: 'billing', confidence: 0.9 } };
	const body = { model: 'Kev-4B', answers, usage: {} };
	emulator.answer(body, { path: '/systemone', times: Infinity });
});

/** Returns the part of the hint after a run that is about input fields. */
async function replacedIn(
	node: NodeDriver<NodeInput>,
	parameters: INodeParameters,
	items: IDataObject[],
	input: NodeInput = {},
): Promise<string | undefined> {
	const hint = await node.hint(parameters, { items, ...input });
	return hint.split('<br>').find((line) => line.startsWith('Input fields '));
}

const DECISION_ADVICE =
	"To keep both, set the option 'Output Field', give the question another ID, or rename the input field before this node.";

const OUTPUT_FIELD_ADVICE =
	"To keep both, choose another name in the option 'Output Field', or rename the input field before this node.";

const OTHER_ADVICE = 'To keep both, rename the input field before this node.';

describe('the hint after a run with Include Other Input Fields', () => {
	test.each(['ask', 'route'])(
		'names the input fields that have other values in the output (%s)',
		async (operation) => {
			const items = [
				{ message: 'a', team: 'repairs' },
				{ message: 'b', team: 'billing' },
				{ message: 'c', team: 'sales', team_confidence: 1 },
			];
			expect(await replacedIn(decision, asking({ operation }), items)).toBe(
				`Input fields replaced by other values: "team" in 2 of 3 items, "team_confidence" in 1 of 3 items. ${DECISION_ADVICE}`,
			);
		},
	);

	test.each<
		[
			operation: string,
			node: NodeDriver<NodeInput>,
			parameters: INodeParameters,
			item: IDataObject,
			name: string,
		]
	>([
		['the route', decision, asking({ operation: 'route' }), { route: 66 }, 'route'],
		['metadata', decision, asking({ options: { includeMetadata: true } }), { model: 'T' }, 'model'],
		['false', message, saying(), { text: false }, 'text'],
		['a list', message, saying({ operation: 'chat' }), { id: ['x'] }, 'id'],
		['an account', account, { operation: 'getBalance', options: OTHERS }, { balance: '1' }, 'balance'],
	])('names a field that is replaced by %s', async (_, node, parameters, item, name) => {
		// A column of the node itself keeps its name and place, whatever Output Field and the IDs are.
		const isAnswer = node === decision && !['route', 'model'].includes(name);
		const advice = isAnswer ? DECISION_ADVICE : OTHER_ADVICE;
		expect(await replacedIn(node, parameters, [item])).toBe(
			`Input fields replaced by other values: "${name}" in 1 of 1 item. ${advice}`,
		);
	});

	test.each<[name: string, options: INodeParameters, item: IDataObject, escaped: string]>([
		['an object', { outputField: 'a' }, { a: { team: 'x' } }, 'a'],
		['the text', { outputField: 'note' }, { note: 'a lost card' }, 'note'],
		['a name to escape', { outputField: '<b>' }, { '<b>': 1 }, '&lt;b&gt;'],
		['an expression', { outputField: "={{ 'no' + 'te' }}" }, { note: 'a lost card' }, 'note'],
	])(
		'advises another name in Output Field for a field that it replaces: %s',
		async (_, options, item, name) => {
			for (const operation of ['ask', 'route']) {
				expect(await replacedIn(decision, asking({ operation, options }), [item])).toBe(
					`Input fields replaced by other values: "${name}" in 1 of 1 item. ${OUTPUT_FIELD_ADVICE}`,
				);
			}
		},
	);

	test.each<[name: string, node: NodeDriver<NodeInput>, parameters: INodeParameters, item: IDataObject]>([
		['an equal value', decision, asking(), { team: 'billing', team_confidence: 0.9 }],
		[
			'an equal object',
			decision,
			asking({ options: { outputField: 'a' } }),
			{ a: { team: 'billing', team_confidence: 0.9 } },
		],
		['an empty field', decision, asking(), { x: 1, team: '', team_confidence: null }],
		['a field called error', decision, asking(), { error: 'E-17', team_yes: 1 }],
		['without the option', message, saying({ options: {} }), { text: 'mine' }],
		['Simplify off', decision, asking({ simplify: false }), { answers: 'mine' }],
	])('names nothing for %s', async (_, node, parameters, item) => {
		expect(await replacedIn(node, parameters, [item])).toBeUndefined();
		expect(emulator.requests).toHaveLength(1);
	});

	test('does not count failed items, whose fields are kept', async () => {
		emulator.reset();
		emulator.fault({ path: '/systemone', times: Infinity, status: 400 });
		const items = [{ team: 'repairs' }];
		const hint = await replacedIn(decision, asking(), items, { onError: 'continueRegularOutput' });
		expect(hint).toBeUndefined();
	});

	test('names the first five of many fields, and counts the others', async () => {
		const questions = { question: Array.from({ length: 3 }, (_, n) => ({ ...team, id: `q${n}` })) };
		const names = ['q0', 'q1', 'q2'];
		emulator.reset();
		const answer = { type: 'choice', choice: 'billing', confidence: 0.9 };
		const answers = Object.fromEntries(names.map((name) => [name, answer]));
		emulator.answer({ model: 'Kev-4B', answers, usage: {} }, { path: '/systemone' });
		const item = Object.fromEntries(
			names.flatMap((name) => [
				[name, 7],
				[`${name}_confidence`, 7],
			]),
		);
		expect(await replacedIn(decision, asking({ questions }), [item])).toContain(
			'"q2" in 1 of 1 item, and 1 more. To keep both',
		);
	});

	test.each([
		['composed, the question decomposed', 'NFC', 'NFD'],
		['decomposed, the question composed', 'NFD', 'NFC'],
	] as const)(
		'names a field that is written %s, and that gives way to its column',
		async (_, ofField, ofQuestion) => {
			const id = 'équipe'.normalize(ofQuestion);
			const answers = { [id]: { type: 'choice', choice: 'billing', confidence: 0.9 } };
			emulator.reset();
			emulator.answer({ model: 'Kev-4B', answers, usage: {} }, { path: '/systemone', times: 2 });
			const name = 'équipe'.normalize(ofField);
			const parameters = asking({ questions: { question: [{ ...team, id }] } });
			const items = [{ [name]: 'repairs', other: 1 }];
			const [item] = await decision.items(parameters, { items });
			expect(item!.json).toEqual({ other: 1, [id]: 'billing', [`${id}_confidence`]: 0.9 });
			expect(await replacedIn(decision, parameters, items)).toContain(`"${name}" in 1 of 1 item.`);
		},
	);

	test('names a field called evaluation, which the report Mistakes replaces', async () => {
		const parameters = {
			operation: 'evaluate',
			answerField: 'answer',
			expectedField: 'expected',
			report: 'mistakes',
		};
		const items = [
			{ answer: 'a', expected: 'b', evaluation: 'mine' },
			{ answer: 'a', expected: 'a', evaluation: 'mine' },
		];
		expect(await replacedIn(decision, parameters, items)).toBe(
			`Input fields replaced by other values: "evaluation" in 1 of 2 items. ${OTHER_ADVICE}`,
		);
	});

	test('has no names where n8n redacts the data of executions', async () => {
		jest.spyOn(ExecuteContext.prototype, 'isConsoleOutputRedacted').mockReturnValue(true);
		expect(await replacedIn(decision, asking(), [{ team: 'repairs' }])).toBe(
			'Input fields were replaced in 1 of 1 item.',
		);
	});
});

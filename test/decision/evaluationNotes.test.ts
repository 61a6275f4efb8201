import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
} from 'n8n-workflow';

import { PassOn } from '../../engine/builtInNodes';
import { START } from '../../engine/behindTrigger';
import { outputsOf, runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { nodeDriver } from '../support/nodeDriver';
import { credentialTypes, nodeTypes } from '../support/runNode';
import { standIns } from '../support/standIns';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const fields = { operation: 'evaluate', answerField: 'team', expectedField: 'expected' };

const row = (team: unknown, expected: unknown, more: IDataObject = {}): IDataObject =>
	({ team, expected, team_confidence: 0.9, ...more }) as IDataObject;

const rowsOf = (count: number, ...of: Parameters<typeof row>) =>
	Array.from({ length: count }, () => row(...of));

/** Returns the hint and the text of the page. */
async function notesOn(
	items: IDataObject[],
	more: INodeParameters = {},
): Promise<{ hint: string; page: string }> {
	const { hint, outputs } = await decision.run({ ...fields, ...more }, { items });
	const page = Buffer.from(outputs()[0]![0]!.binary!.report!.data, 'base64').toString();
	return {
		hint: hint(),
		page: page.replaceAll(/<style>.*<\/style>|<[^>]*>/gs, '').replaceAll('&#39;', "'"),
	};
}

type UnplacedNode = Omit<INode, 'id' | 'position'>;

const evaluate: UnplacedNode = {
	name: 'Node',
	type: 'n8n-nodes-inference-service.decision',
	typeVersion: 1,
	parameters: fields,
};
const passOn = (name: string) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} });
const to = (...outputs: string[][]) => ({
	main: outputs.map((names) => names.map((node) => ({ node, type: 'main' as const, index: 0 }))),
});

/**
 * Makes a run of nodes behind a trigger.
 * @param items the output of the trigger
 */
const runOf = (
	nodes: UnplacedNode[],
	connections: IConnections,
	items: Array<{ json: IDataObject }>,
	more: Record<string, INodeType> = {},
): WorkflowRun => ({
	nodeTypes: { ...nodeTypes, ...standIns, ...more },
	credentialTypes,
	credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
	workflow: {
		nodes: [
			START,
			...nodes.map((node, index) => ({ ...node, id: String(index), position: [0, 0] as [number, number] })),
		],
		connections,
	},
	items,
});

/** Returns the hints of the runs of Evaluate Answers, one for each run. */
const hintsIn = (run: IRun) => run.data.resultData.runData.Node!.map(({ hints }) => hints![0]!.message);

describe('rows that repeat another', () => {
	const messages = (count: number, different: number, more: IDataObject = {}) =>
		Array.from({ length: count }, (_, n) =>
			row('cards', 'cards', { message: `message ${n % different}`, ...more }),
		);

	test('are counted in the hint and on the page, if they are more than half', async () => {
		const { hint, page } = await notesOn([...messages(80, 10), { message: 'message 1', expected: '' }]);
		const said =
			'70 of 80 rows repeat another: remove duplicates, or the figures look more certain than they are.';
		expect(hint).toContain(`<br>${said}`);
		expect(page).toContain(said);
	});

	test.each<[string, IDataObject[]]>([
		['half of the rows', messages(20, 10)],
		['rows that differ in a field', messages(20, 1).map((one, n) => ({ ...one, n }))],
		['rows of answers only', rowsOf(20, 'cards', 'cards', { team_text: 'cards', team_before: 'x' })],
		['a single row', messages(1, 1)],
	])('are not mentioned in the hint or on the page otherwise: %s', async (_, items) => {
		const { hint, page } = await notesOn(items);
		expect(`${hint}${page}`).not.toContain('repeat');
	});

	test('are counted in the hint also if they are fewer, but a Route by tags sent them to several outputs', async () => {
		const several = messages(6, 3, { route: ['cards', 'loans'] });
		expect((await notesOn([...messages(40, 40), ...several])).hint).toContain('3 of 46 rows repeat another:');
		const one = messages(6, 3, { route: ['cards'] });
		expect((await notesOn([...messages(40, 40), ...one])).hint).not.toContain('repeat');
	});

	test('are counted in the hint without a row that has no text, which may be any', async () => {
		expect((await notesOn([...messages(8, 2), row('cards', 'cards')])).hint).toContain('6 of 9 rows repeat');
	});
});

describe('fields that are probably swapped', () => {
	const rows = rowsOf(4, 'cards', 'loans');
	const lists = rows.map((one) => ({
		...one,
		team: ['cards'],
		team_text: 'cards',
		expected: 'cards, loans',
	}));

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['a choice', rows, {}],
		[
			'a level',
			rows.map(({ team: team_level, ...one }) => ({ team_level, ...one })),
			{ expectedField: 'team_level' },
		],
		['tags', lists, { answerType: 'tags' }],
	])('have a note in the hint and on the page: %s', async (_, items, more) => {
		const { hint, page } = await notesOn(items, { answerField: 'expected', expectedField: 'team', ...more });
		const name = String(more.expectedField ?? 'team');
		expect(hint).toContain(
			`<br>'Answer Field' and 'Expected Field' may be swapped: <b>${name}</b> looks like answers of the`,
		);
		expect(page).toContain("'Answer Field' and 'Expected Field' may be swapped:");
	});

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['as they should be', rows, {}],
		['tags as they should be', lists, { answerType: 'tags' }],
		['neither has a confidence', rows.map(({ team, expected }) => ({ team, expected })), {}],
		[
			'both have one',
			rows.map((one) => ({ ...one, expected_confidence: 1 })),
			{ answerField: 'expected', expectedField: 'team' },
		],
	])('have no note otherwise: %s', async (_, items, more) => {
		const { hint, page } = await notesOn(items, more);
		expect(`${hint}${page}`).not.toContain('swapped');
	});
});

describe('an expected label that no answer is', () => {
	const others = [...rowsOf(60, 'cards', 'cards'), ...rowsOf(60, 'loans', 'loans')];

	test('is named with the answer that its rows have instead', async () => {
		const { hint, page } = await notesOn([
			...others,
			...rowsOf(9, 'billing', 'Billings'),
			row('loans', 'Billings'),
			row("don't know", 'don’t know'),
			row('billing', 'cards'),
		]);
		expect(hint).toContain(
			'<br>10 rows expect <b>Billings</b>, which is never the answer. 9 of 10 are answered <b>billing</b>, which no row expects. 1 row expects <b>don’t know</b>, which is never the answer. 1 of 1 is answered <b>don&#39;t know</b>, which no row expects. Check that labels are spelled like the options.<br>',
		);
		expect(page).toContain(
			'10 rows expect “Billings”, which is never the answer. 9 of 10 are answered “billing”',
		);
	});

	test('is named alone, if its rows have the labels of others as answers', async () => {
		const { hint } = await notesOn([...others, ...rowsOf(10, 'loans', 'Billings')]);
		expect(hint).toContain('<br>10 rows expect <b>Billings</b>, which is never the answer. Check that');
	});

	test('is named up to three times, and the others are counted', async () => {
		const labels = ['a', 'b', 'c', 'd', 'e'];
		const { hint } = await notesOn([...others, ...labels.flatMap((label) => rowsOf(6, 'x', label))]);
		expect(hint).toContain(
			'<b>c</b>, which is never the answer. 6 of 6 are answered <b>x</b>, which no row expects. 2 more labels like this. Check',
		);
	});

	test('is named among tags', async () => {
		const { hint } = await notesOn(
			[...rowsOf(40, ['refund'], 'refund'), ...rowsOf(5, ['refund', 'lost card'], 'refund, lost-card')],
			{ answerType: 'tags' },
		);
		expect(hint).toContain(
			'<br>5 rows expect <b>lost-card</b>, which is never the answer. 5 of 5 are answered <b>lost card</b>, which no row expects.',
		);
	});

	test.each<[name: string, items: IDataObject[], label: string]>([
		[
			'nine of ten labels are in another language',
			[
				...Array.from({ length: 9 }, (_, n) => rowsOf(10, `option ${n}`, `Wahl ${n}`)).flat(),
				...rowsOf(10, 'other', 'other'),
			],
			'Wahl 0',
		],
		[
			'few rows have labels of their own, and hardly any is answered as expected',
			[...['A', 'B', 'C'].flatMap((name) => rowsOf(6, `Team ${name}`, name)), ...rowsOf(2, 'other', 'other')],
			'A',
		],
		[
			'half of the options have another name',
			['A', 'B', 'C', 'D'].flatMap((name, n) => rowsOf(5, n % 2 ? name : `${name} team`, name)),
			'A',
		],
	])('is named, although the labels spelled otherwise are many: %s', async (_, items, label) => {
		const { hint } = await notesOn(items);
		expect(hint).toContain(`rows expect <b>${label}</b>, which is never the answer.`);
	});

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['a single row, which may be a slip', [...others, row('billing', 'Billings')], {}],
		[
			'few rows, which may not have been recognized',
			[...rowsOf(3, 'cards', 'cards'), ...rowsOf(3, 'other', 'loans')],
			{},
		],
		[
			'answers that are often wrong',
			[...rowsOf(30, 'cards', 'cards'), ...rowsOf(30, 'loans', 'cards'), ...rowsOf(4, 'cards', 'billing')],
			{},
		],
		['rows that failed', [...others, ...rowsOf(10, undefined, 'billing')], {}],
		[
			'a label that is answered elsewhere',
			[...others, ...rowsOf(10, 'cards', 'billing'), row('billing', 'cards')],
			{},
		],
		['yes or no', [...rowsOf(60, 0.1, 'no'), ...rowsOf(10, 0.2, 'yes')], { answerType: 'noul' }],
	])('is not named if it proves nothing: %s', async (_, items, more) => {
		const { hint, page } = await notesOn(items, more);
		expect(`${hint}${page}`).not.toContain('which is never the answer');
	});
});

test.each([
	'cards; loans',
	'cards/loans',
	'Loans\ncards',
	'cards & loans',
	'cards,loans',
	'cards；loans',
	'cards，loans',
	'cards、loans',
	'cards، loans',
	'cards؛ loans',
])('an expected label that consists of other labels, %j, is named, also if it is rare', async (expected) => {
	const items = [...rowsOf(20, 'cards', 'cards'), ...rowsOf(20, 'loans', 'loans'), row('cards', expected)];
	expect((await notesOn(items)).hint).toMatch(
		/<br>1 row expects <b>[^<]*<\/b>, which is never the answer\. Check/,
	);
});

test('expected numbers that lost the zeros with which the options begin are named', async () => {
	const items = [...rowsOf(5, '10', 10), row('01', 1)];
	expect((await notesOn(items)).hint).toContain(
		'1 row expects <b>1</b>, which is never the answer. 1 of 1 is answered <b>01</b>, which no row expects.',
	);
});

describe('expected labels that are never the answer, and differ from an option that rows expect in signs alone', () => {
	/** Holds 60 rows of three options, of which 6 have a wrong answer, and 2 of each option another spelling of the expected label. */
	const spelled = (spell: (label: string) => string) =>
		['cards', 'loans', 'fees'].flatMap((label, index, all) => [
			...rowsOf(16, label, label),
			...rowsOf(2, all[(index + 1) % 3], label),
			...rowsOf(2, label, spell(label)),
		]);

	test.each<[name: string, spell: (label: string) => string, asPage: string]>([
		['a dot at the end', (label) => `${label}.`, '“cards.”'],
		['quotes around', (label) => `“${label}”`, '““cards””'],
		['a bullet before', (label) => `• ${label}`, '“• cards”'],
		['a hyphen within', (label) => `${label.slice(0, 2)}-${label.slice(2)}`, '“ca-rds”'],
	])('are named with that option, and no better questions are advised: %s', async (_, spell, asPage) => {
		const { hint, page } = await notesOn(spelled(spell));
		const said = ['cards', 'fees', 'loans'].map(
			(label) =>
				`2 rows expect <b>${spell(label)}</b>, which is never the answer. It looks like <b>${label}</b>.`,
		);
		for (const sentence of said) expect(hint).toContain(sentence);
		expect(hint).toContain('Check that labels are spelled like the options.<br>');
		expect(page.replaceAll(/\s+/g, ' ')).toContain(`2 rows expect ${asPage}, which is never the answer.`);
		const advice = 'Correct the labels, add rows, or set';
		expect(hint.replaceAll(/\s+/g, ' ')).toContain(advice);
		expect(page.replaceAll(/\s+/g, ' ')).toContain(advice);
		expect(`${hint}${page}`).not.toContain('Improve the questions');
	});

	test('are named without advice about the questions, also if the most frequent label would reach more', async () => {
		const items = [...rowsOf(3, 'loans', 'cards'), row('loans', 'loans.'), row('loans', 'loans')];
		const { hint } = await notesOn(items);
		expect(hint).toContain(
			'1 row expects <b>loans.</b>, which is never the answer. It looks like <b>loans</b>.',
		);
		expect(hint).not.toContain('Improve the questions');
	});

	test('are named among tags', async () => {
		const { hint } = await notesOn(
			[...rowsOf(20, ['refund', 'lost card'], 'refund, lost card'), row(['refund'], 'refund!')],
			{ answerType: 'tags' },
		);
		expect(hint).toContain('<b>refund!</b>, which is never the answer. It looks like <b>refund</b>.');
	});

	test.each<[name: string, option: string, expected: string]>([
		['a plus', 'C', 'C++'],
		['a number sign', 'C', 'C#'],
		['a grade', 'A', 'A-'],
		['a negative number', '1', '-1'],
		['a comparison', '10', '> 10'],
		['a percentage', '10', '10 %'],
		['another word', 'cards', 'card'],
		['signs alone', '👍', '👎'],
	])('are not named if the sign means something: %s', async (_, option, expected) => {
		const items = [
			...rowsOf(30, option, option),
			...rowsOf(20, 'loans', 'loans'),
			...rowsOf(2, option, expected),
		];
		const { hint, page } = await notesOn([...items, ...rowsOf(12, 'loans', option)]);
		expect(`${hint}${page}`).not.toContain('which is never the answer');
		expect(hint).toContain('Improve the questions');
	});

	test('are not named if an option is answered in both spellings', async () => {
		const { hint } = await notesOn([
			...spelled((label) => `${label}.`),
			...['cards.', 'loans.', 'fees.'].map((one) => row(one, one)),
		]);
		expect(hint).not.toContain('looks like');
		expect(hint).toContain('Improve the questions');
	});
});

describe('expected labels that are no options of the question to compare with', () => {
	const compared = { options: { compareField: 'before' } };
	const both = (team: string, before: string, count = 20) => rowsOf(count, team, team, { before });

	test.each<[name: string, items: IDataObject[], said: string]>([
		[
			'a renamed option',
			[...both('cards & PINs', 'cards'), ...both('loans', 'loans'), ...both('fees', 'fees')],
			'20 rows expect <b>cards &amp; PINs</b>, which is never the answer. 20 of 20 are answered <b>cards</b>, which no row expects.',
		],
		[
			'another field',
			[...both('cards', '0.9'), ...both('loans', '0.8')],
			'20 rows expect <b>cards</b>, which is never the answer. 20 rows expect <b>loans</b>, which is never the answer.',
		],
	])('are named beside the verdict, because they are wrong by their spelling: %s', async (_, items, said) => {
		const { hint, page } = await notesOn(items, compared);
		expect(hint).toContain(
			`<br>In <b>before</b>, ${said} Check that labels are spelled like the options. Until they are, the comparison means nothing.<br>`,
		);
		expect(page).toContain('In “before”, 20 rows expect');
	});

	test('are not named if the answers are those labels', async () => {
		const items = [...both('cards', 'loans', 5), ...both('loans', 'loans'), ...both('cards', 'cards')];
		expect((await notesOn(items, compared)).hint).not.toContain('means nothing');
	});
});

describe('rows without a low confidence', () => {
	const rows = (count: number, confidence: number) =>
		rowsOf(count, 'cards', 'cards', { team_confidence: confidence });
	const noul = { answerType: 'noul', answerField: 'urgent', expectedField: 'said' };
	const answered = (count: number, urgent: number) =>
		Array.from({ length: count }, () => ({ urgent, said: urgent > 0.5 }));

	test.each<[name: string, items: IDataObject[], more: INodeParameters, what: string]>([
		['a choice', [...rows(40, 0.9), ...rows(1, 0.72)], {}, 'a confidence below 0.70'],
		['yes or no', [...answered(30, 0.9), ...answered(30, 0.15)], noul, 'a probability between 0.20 and 0.80'],
		[
			'yes or no, with a row that has no answer',
			[...answered(60, 0.9), { said: true }],
			noul,
			'a probability between 0.10 and 0.90',
		],
	])('do not show that no threshold is needed: %s', async (_, items, more, what) => {
		const { hint, page } = await notesOn(items, more);
		const said = `No row has ${what}, so these rows show nothing about such answers. If you filtered them out by a threshold, keep it.`;
		expect(hint.replaceAll(/\s+/g, ' ')).toMatch(/No threshold is needed: (98|100)% of rows are decided/);
		expect(hint.replaceAll(/\s+/g, ' ')).toContain(said);
		expect(page.replaceAll(/\s+/g, ' ')).toContain(said);
	});

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['there are some', [...rows(40, 0.9), ...rows(1, 0.4)], {}],
		['the lowest confidences are ordinary ones', [...rows(40, 0.9), ...rows(1, 0.56)], {}],
		['there are probabilities near a half', [...answered(40, 0.9), ...answered(1, 0.6)], noul],
		[
			'a threshold is recommended',
			[...rows(60, 0.9), ...rowsOf(20, 'cards', 'loans', { team_confidence: 0.7 })],
			{},
		],
		['no threshold can be shown', rows(5, 0.9), {}],
	])('are not mentioned in the hint otherwise: %s', async (_, items, more) => {
		expect((await notesOn(items, more)).hint).not.toContain('No row has a');
	});
});

describe('rows of yes or no that all expect the same', () => {
	const noul = { answerType: 'noul', answerField: 'urgent', expectedField: 'said' };
	const ticked = { urgent: 0.9, said: true };
	const HINT =
		'Every expected answer is <b>yes</b>. If an empty cell means the other answer, fill it in before this node.';

	test('have a hint if others expect nothing, which may be a box that is not ticked', async () => {
		const { hint } = await notesOn([ticked, { urgent: 0.8 }, ticked], noul);
		expect(hint.replaceAll(/\s+/g, ' ')).toContain(HINT);
	});

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['no row expects nothing', [ticked, ticked], noul],
		['a row expects the other answer', [ticked, { urgent: 0.8 }, { urgent: 0.1, said: 'no' }], noul],
		['the answers are choices', [row('cards', 'cards'), row('cards', '')], {}],
	])('have no hint otherwise: %s', async (_, items, more) => {
		expect((await notesOn(items, more)).hint).not.toContain('an empty cell');
	});
});

test('rows with the output for unclear answers have a hint, because they count as wrong', async () => {
	const items = [row('Uncertain', 'cards'), row('Uncertain', 'loans'), row('cards', 'cards')];
	const { hint } = await notesOn(items);
	expect(hint.replaceAll(/\s+/g, ' ')).toContain(
		"2 rows with <b>Uncertain</b> count as wrong. This is the output of Route for unclear answers: in 'Answer Field', name the field with the answer to the question.",
	);
	expect((await notesOn([...items, row('Uncertain', 'Uncertain')])).hint).not.toContain('unclear answers');
});

describe('a run that has only some of the rows', () => {
	const rows = Array.from({ length: 4 }, (_, n) => ({ json: row('cards', 'cards', { n }) }));

	/** Gives the node all rows a second time, as a loop does that tries another wording. */
	class Again extends PassOn {
		constructor() {
			super('again');
		}

		override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const context = this.getContext('node');
			context.runs = ((context.runs as number | undefined) ?? 0) + 1;
			return [context.runs === 1 ? rows : []];
		}
	}

	const hintsOf = async (nodes: UnplacedNode[], connections: IConnections) =>
		hintsIn(await runWorkflow(runOf([evaluate, ...nodes], connections, rows, { 'test.again': new Again() })));

	const said = (number: number, rows: string) =>
		expect.stringContaining(
			`<br>Run ${number} of this node: the figures are of ${rows} only. To evaluate all rows at once, merge the branches before it, or connect it to the output 'done' of the loop.<br>`,
		);

	test('has a hint behind several branches, from the second run on', async () => {
		const hints = await hintsOf([passOn('A'), passOn('B')], {
			Start: to(['A', 'B']),
			A: to(['Node']),
			B: to(['Node']),
		});
		expect(hints).toEqual([expect.not.stringContaining('of this node'), said(2, '4 rows')]);
	});

	const loop = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 3 },
	};

	test('has a hint within a Loop Over Items, from the second run on', async () => {
		const hints = await hintsOf([loop], { Start: to(['Loop']), Loop: to([], ['Node']), Node: to(['Loop']) });
		expect(hints).toEqual([expect.not.stringContaining('of this node'), said(2, '1 row')]);
	});

	test('has no hint at the output "done" of a loop', async () => {
		const hints = await hintsOf([loop, passOn('A')], {
			Start: to(['Loop']),
			Loop: to(['Node'], ['A']),
			A: to(['Loop']),
		});
		expect(hints).toEqual([expect.not.stringContaining('of this node')]);
	});

	test('has no hint in another loop, which may give all rows again', async () => {
		const again = { name: 'Again', type: 'test.again', typeVersion: 1, parameters: {} };
		const hints = await hintsOf([again], { Start: to(['Node']), Node: to(['Again']), Again: to(['Node']) });
		expect(hints).toEqual(Array(2).fill(expect.not.stringContaining('of this node')));
	});

	/** Answers "team", and sends its items to the outputs Uncertain, cards and loans. */
	const route = (more: INodeParameters = {}) => ({
		...evaluate,
		name: 'Sort',
		parameters: {
			operation: 'route',
			questions: {
				question: [
					{
						id: 'team',
						type: 'choice',
						instructions: 'Which team?',
						options: { option: ['cards', 'loans'].map((name) => ({ name, description: '' })) },
					},
				],
			},
			...more,
		} as INodeParameters,
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
	});

	test.each<[name: string, connections: IConnections, outputs: string | undefined]>([
		['one output', { Sort: to([], ['Node']) }, 'outputs <b>Uncertain</b>, <b>loans</b>'],
		['all but Uncertain', { Sort: to([], ['A'], ['A']), A: to(['Node']) }, 'output <b>Uncertain</b>'],
		['all outputs', { Sort: to(['A'], ['A'], ['A']), A: to(['Node']) }, undefined],
	])(
		'has a hint behind a Route that leads to it by some outputs only: %s',
		async (_, connections, outputs) => {
			const [hint] = await hintsOf([route(), passOn('A')], { Start: to(['Sort']), ...connections });
			if (outputs === undefined) expect(hint).not.toContain('do not get here');
			else {
				expect(hint).toContain(
					`<br>Items from the ${outputs} of <b>Sort</b> do not get here, so the figures do not hold for all rows. Merge all outputs before this node.<br>`,
				);
			}
		},
	);

	test('has no hint behind a Route that answers another question, or that only answers', async () => {
		const another = route({ questions: { question: [{ id: 'spam', instructions: 'Is it cards?' }] } });
		const ask = route({ operation: 'ask' });
		for (const [node, output] of [
			[another, 1],
			[ask, 0],
		] as const) {
			const outputs = Array.from({ length: 3 }, (_, index) => (index === output ? ['Node'] : []));
			const [hint] = await hintsOf([node], { Start: to(['Sort']), Sort: to(...outputs) });
			expect(hint).not.toContain('do not get here');
		}
	});
});

describe('a field of the evaluation that the model saw before it answered', () => {
	/** Answers a question, by default about the whole item. */
	const ask = (name: string, question: INodeParameters, more: INodeParameters = {}): UnplacedNode => ({
		...evaluate,
		name,
		parameters: {
			operation: 'ask',
			questions: { question: [{ instructions: 'Is the card lost?', ...question }] },
			...more,
		},
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
	});
	const urgent = { id: 'urgent', type: 'noul' };
	const option = ['cards', 'loans'].map((name) => ({ name, description: '' }));
	const team = { id: 'team', type: 'choice', options: { option } };
	const mood = {
		id: 'mood',
		type: 'score',
		levels: { level: ['calm', 'angry'].map((description) => ({ description })) },
	};
	const text = { stateFields: 'text' };

	const evaluating = (parameters: INodeParameters = {}): UnplacedNode => ({
		...evaluate,
		parameters: {
			...{ operation: 'evaluate', answerType: 'noul', answerField: 'urgent', expectedField: 'label' },
			...parameters,
		},
	});
	const ofTeam = evaluating({ answerType: 'choice', answerField: 'team' });

	const textsWith = (...more: IDataObject[]) =>
		more.map((fields, n) => ({ json: { text: `I lost card ${n}`, ...fields } }));
	const yesAndNo = textsWith({ label: true }, { label: false });

	/** Connects each node to the next one, by all of its outputs. */
	const inRow = (nodes: UnplacedNode[]): IConnections => {
		const names = ['Start', ...nodes.map(({ name }) => name)];
		return Object.fromEntries(nodes.map(({ name }, index) => [names[index]!, to([name], [name], [name])]));
	};

	/** Runs the nodes one after the other, and returns the hint of Evaluate Answers, which is the last. */
	async function hintAfter(nodes: UnplacedNode[], items: Array<{ json: IDataObject }>) {
		const run = await runWorkflow(runOf(nodes, inRow(nodes), items));
		return hintsIn(run).join().replaceAll(/\s+/g, ' ');
	}

	const said = (node: string, fields: string) =>
		`<br>In <b>${node}</b>, the model saw ${fields} before it answered, so the figures do not hold. In that node, name only the other fields in 'Fields to Send' of 'Whole Input Item'.<br>`;

	test.each<[name: string, items: Array<{ json: IDataObject }>, node: UnplacedNode, evaluate?: UnplacedNode]>(
		[
			['booleans', yesAndNo, ask('Ask', urgent)],
			['yes and no', textsWith({ label: 'yes' }, { label: 'No' }), ask('Ask', urgent)],
			['1 and 0, and nothing', textsWith({}, { label: 1 }, { label: 0 }), ask('Ask', urgent)],
			['a choice in one row', textsWith({ label: 'cards' }), ask('Ask', team), ofTeam],
			[
				'the level of a score',
				textsWith({ label: 'calm' }),
				ask('Ask', mood),
				evaluating({ answerType: 'choice', answerField: 'mood_level' }),
			],
			[
				'a list of tags',
				textsWith({ label: ['cards'] }),
				ask('Ask', { ...team, type: 'tags' }),
				evaluating({ answerType: 'tags', answerField: 'team' }),
			],
			[
				'a list, of which one entry is named',
				textsWith({ label: ['cards'] }),
				ask('Ask', { ...team, type: 'tags' }, { stateFields: 'text, label[0]' }),
				evaluating({ answerType: 'tags', answerField: 'team' }),
			],
			['a field that is named', yesAndNo, ask('Ask', urgent, { stateFields: '=text, $json.label' })],
			[
				'a field of an item that is sent as JSON',
				yesAndNo,
				ask('Ask', urgent, { stateSource: 'json', stateJson: '={{ $json }}' }),
			],
			[
				'a field of an item that is sent in a text',
				yesAndNo,
				ask('Ask', urgent, { stateSource: 'text', stateText: '=Judge {{ JSON.stringify($json) }}' }),
			],
			[
				'a field of an item whose answers get a field of their own',
				yesAndNo,
				ask('Ask', urgent, { options: { outputField: 'answers' } }),
				evaluating({ answerField: 'answers.urgent' }),
			],
			[
				'a field of an item about which questions in JSON are asked',
				yesAndNo,
				ask('Ask', urgent, {
					questionsSource: 'json',
					questionsJson: '={{ { urgent: { type: "noul", instructions: "Is it urgent?" } } }}',
				}),
			],
			['a field of an item that Route judges', yesAndNo, ask('Ask', urgent, { operation: 'route' })],
		],
	)(
		'is named in the hint if it holds the expected answers: %s',
		async (_, items, node, last = evaluating()) => {
			expect(await hintAfter([node, last], items)).toContain(said('Ask', '<b>label</b>'));
		},
	);

	test.each<[INodeParameters]>([[{}], [{ stateFields: 'fields' }], [{ stateFields: 'fields.Label' }]])(
		'is named in the hint if it is within another field, as Airtable has it: %j',
		async (more) => {
			const items = [true, false].map((Label, n) => ({
				json: { id: `rec${n}`, createdTime: '2026-01-01', fields: { Text: `I lost card ${n}`, Label } },
			}));
			const last = evaluating({ expectedField: 'fields.Label' });
			expect(await hintAfter([ask('Ask', urgent, more), last], items)).toContain(
				said('Ask', '<b>fields.Label</b>'),
			);
			const textOnly = ask('Ask', urgent, { stateFields: 'fields.Text' });
			expect(await hintAfter([textOnly, last], items)).not.toContain('the model saw');
		},
	);

	const before = ask('Before', { ...urgent, id: 'urgent_before' }, text);
	const comparing = evaluating({ options: { compareField: 'urgent_before' } });

	test('is named in the hint if it holds the answers of an earlier node, with which they are compared', async () => {
		const hint = await hintAfter([before, ask('Now', urgent), comparing], yesAndNo);
		expect(hint).toContain(said('Now', '<b>label</b> and <b>urgent_before</b>'));
		expect(hint).not.toContain('<b>Before</b>');
	});

	test('is named in the hint if it holds older answers to the question itself', async () => {
		const items = textsWith({ label: true, urgent: 0.123 });
		expect(await hintAfter([ask('Ask', urgent, text), evaluating()], items)).not.toContain('the model saw');
		expect(await hintAfter([ask('Ask', urgent), evaluating()], items)).toContain(
			said('Ask', '<b>label</b> and <b>urgent</b>'),
		);
	});

	test('is named once in the hint if a loop sends the rows in batches', async () => {
		const loop = { ...passOn('Loop'), type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
		const connections = { Start: to(['Loop']), Loop: to(['Node'], ['Ask']), Ask: to(['Loop']) };
		const nodes = [loop, ask('Ask', urgent), evaluating()];
		const [hint, ...others] = hintsIn(await runWorkflow(runOf(nodes, connections, yesAndNo)));
		expect(others).toEqual([]);
		expect(hint!.split('the model saw')).toHaveLength(2);
	});

	test('is named in the hint if only the evaluation is executed, after the answers', async () => {
		const nodes = [ask('Ask', urgent), evaluating()];
		const run = runOf(nodes, inRow(nodes), yesAndNo);
		const after = await runWorkflow(run);
		const [hint] = hintsIn(await runWorkflow({ ...run, step: { node: 'Node', after } }));
		expect(hint).toContain('In <b>Ask</b>, the model saw <b>label</b>');
		expect(emulator.requests).toHaveLength(2);
	});

	test('is named on the page', async () => {
		const nodes = [ask('Ask', urgent), evaluating()];
		const run = await runWorkflow(runOf(nodes, inRow(nodes), yesAndNo));
		const { data } = outputsOf(run, 'Node')[0]![0]!.binary!.report!;
		const page = Buffer.from(data, 'base64')
			.toString()
			.replaceAll(/<[^>]*>/g, '');
		expect(page).toContain('In “Ask”, the model saw “label” before it answered');
	});

	const labelled = (value: string): UnplacedNode => ({
		name: 'Label',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			includeOtherFields: true,
			assignments: { assignments: [{ id: '1', name: 'label', value, type: 'string' }] },
		},
	});

	test.each<[name: string, nodes: UnplacedNode[], items: Array<{ json: IDataObject }>]>([
		['only the text is sent', [ask('Ask', urgent, text), evaluating()], yesAndNo],
		[
			'the text and a rating are sent, and not the expected level',
			[
				ask('Ask', mood, { stateFields: 'text, stars' }),
				evaluating({ answerType: 'choice', answerField: 'mood_level' }),
			],
			textsWith({ label: 'calm', stars: 5 }, { label: 'angry', stars: 1 }),
		],
		[
			'the answers are compared with others, and only the text is sent',
			[before, ask('Now', urgent, text), comparing],
			yesAndNo,
		],
		[
			'a person labels the whole form afterwards',
			[ask('Ask', team), labelled('cards'), ofTeam],
			textsWith({ submittedAt: '2026-01-01', formMode: 'test' }),
		],
		[
			'the column of labels was empty then',
			[ask('Ask', team), labelled('cards'), ofTeam],
			textsWith({ label: ' ' }),
		],
		[
			'another question was asked about it',
			[ask('Other', mood), ask('Ask', team, text), ofTeam],
			textsWith({ label: 'cards' }),
		],
		[
			'a person chose what the text says',
			[ask('Ask', team, { stateSource: 'text', stateText: '={{ $json.text }}' }), ofTeam],
			textsWith({ label: 'cards' }),
		],
		[
			'an expression names the fields',
			[ask('Ask', team, { stateFields: "={{ 'text' }}" }), ofTeam],
			textsWith({ label: 'cards' }),
		],
		['the rows have their answers already', [ofTeam], textsWith({ label: 'cards', team: 'cards' })],
	])('has no hint if %s', async (_, nodes, items) => {
		const hint = await hintAfter(nodes, items);
		expect(hint).toMatch(/rows? (is|are) answered correctly/);
		expect(hint).not.toContain('the model saw');
	});
});

describe('Confidence Field', () => {
	const answered = { team: 'cards', team_confidence: 0.9, urgent: 0.2, mine: 0.8, expected: 'cards' };
	const items = Array.from({ length: 4 }, () => answered);

	test.each<[confidenceField: string, isNamed: boolean]>([
		['urgent', true],
		['team_confidence', false],
		['', false],
	])(
		'has a hint if it names another field than the confidence beside the answers: "%s"',
		async (confidenceField, isNamed) => {
			const { hint, page } = await notesOn(items, { confidenceField });
			const said = "but <b>team</b> has a confidence of its own: to use that one, empty 'Confidence Field'.";
			expect(hint.includes(said)).toBe(isNamed);
			expect(page.includes('has a confidence of')).toBe(isNamed);
		},
	);

	test('has no hint if the answers have no confidence of their own', async () => {
		const own = items.map(({ team_confidence: _, ...item }) => item);
		expect((await notesOn(own, { confidenceField: 'mine' })).hint).not.toContain('of its own');
	});
});

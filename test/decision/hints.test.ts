import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { bareExpressionHint, fixedTextHint, fixedTextHints } from '../../nodes/shared/fields/fixedTextHint';
import { choice, noul, score } from '../support/answers';
import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { decisionType, evaluate } from '../support/decisionInEditor';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: [{ name: 'cards' }, { name: '<b>fees' }] },
};
const upset = { id: 'upset', type: 'score', instructions: 'How upset?', levels: levels('calm', 'angry') };

function levels(...descriptions: unknown[]) {
	return { level: descriptions.map((description) => ({ description })) };
}

const asking = (...question: unknown[]) => ({ questions: { question } }) as unknown as INodeParameters;

const routing = (question: unknown, more: object = {}) =>
	({ ...asking(...[question].flat()), operation: 'route', ...more }) as INodeParameters;

const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** Makes the service give these answers, one to each request in turn. */
function answerInTurn(...all: IDataObject[]) {
	for (const answers of all) answer(answers);
}

function answer(answers: IDataObject, times = 1, usage: object = { input_tokens: 7, output_tokens: 3 }) {
	const body = JSON.stringify({ model: 'Kev-4B', answers, usage });
	emulator.answer(body, { path: '/systemone', times });
}

async function hintAfter(parameters: INodeParameters, input?: NodeInput): Promise<string> {
	const { run } = await decision.run({ ...parameters, options: { concurrency: 1 } }, input);
	const hints = run.data.resultData.runData.Node![0]!.hints ?? [];
	expect(hints).toMatchObject([{ type: hints[0]?.message.includes(' failed') ? 'warning' : 'info' }]);
	return hints[0]!.message;
}

describe('after a run of one item,', () => {
	test('the hint shows each answer', async () => {
		answerInTurn({ urgent: noul(0.93), team: choice('cards', 0.81), upset: score(0.8, 0.6) });
		expect(await hintAfter(asking(urgent, team, upset))).toBe(
			'<b>urgent</b>: yes (0.93)<br><b>team</b>: cards (confidence 0.81)<br><b>upset</b>: angry (0.8 on a scale from 0 to 1, confidence 0.6)<br>Tokens: 7 in, 3 out.',
		);
		answerInTurn({ urgent: noul(0.05) });
		expect(await hintAfter(asking(urgent))).toMatch(/^<b>urgent<\/b>: no \(0\.05 for yes\)<br>/);
		answerInTurn({ team: choice('cards') });
		expect(await hintAfter(asking(team))).toMatch(/^<b>team<\/b>: cards<br>/);
		answerInTurn({ urgent: noul(7) });
		expect(await hintAfter(routing(urgent))).toContain('<b>urgent</b>: unusable<br>');
	});

	test('the hint shows the first twelve of many questions', async () => {
		const many = itemsOf(13).map(({ n }) => ({ ...urgent, id: `q${n}` }));
		answerInTurn(Object.fromEntries(many.map(({ id }) => [id, noul(1)])));
		const lines = (await hintAfter(asking(...many))).split('<br>');
		const shown = itemsOf(12).map(({ n }) => `<b>q${n}</b>: yes (1)`);
		expect(lines.slice(0, -1)).toEqual([...shown, 'and 1 more question']);
	});
});

describe('after a run of several items,', () => {
	test('the hint shows the count of each option, the number of yes, and the mean of a score', async () => {
		answerInTurn(
			{ urgent: noul(0.9), team: choice('cards', 0.8), upset: score(1, 0.6) },
			{ urgent: noul(0.1), team: choice('<b>fees', 0.6), upset: score(0, 0.6) },
			{ urgent: noul(0.7), team: choice('cards'), upset: score(0.5, 0.6) },
		);
		expect(await hintAfter(asking(urgent, team, upset), { items: itemsOf(3) })).toBe(
			'3 items answered.<br><b>urgent</b>: yes 2, no 1<br><b>team</b>: cards 2, &lt;b&gt;fees 1, mean confidence 0.7<br><b>upset</b>: mean 0.5 (from 0 to 1), angry 2, calm 1, mean confidence 0.6<br>Tokens: 21 in, 9 out.',
		);
	});

	test('the hint shows the ten most frequent options of a choice, and the number of the others', async () => {
		const names = [...'abcdefghijkl'];
		answerInTurn(...['a', ...names, 'l'].map((name) => ({ team: choice(name) })));
		const among = { ...team, options: { option: names.map((name) => ({ name })) } };
		expect(await hintAfter(asking(among), { items: itemsOf(14) })).toContain(
			'<b>team</b>: a 2, l 2, b 1, c 1, d 1, e 1, f 1, g 1, h 1, i 1, 2 more<br>',
		);
	});

	test('the hint says how many items went to each output, and how many answers could not be used', async () => {
		answerInTurn({ urgent: noul(0.9) }, { urgent: noul(0.1) }, { urgent: noul(0.8) }, { urgent: noul(7) });
		expect(await hintAfter(routing(urgent), { items: itemsOf(4) })).toContain(
			'<b>urgent</b>: yes 2, no 1, 1 unusable<br>Outputs: Yes 2, No 1, Uncertain 1<br>',
		);
		answerInTurn({ upset: score(7, 0.6) }, { upset: score(8, 0.6) });
		expect(await hintAfter(routing(upset), { items: itemsOf(2) })).toContain(
			'<b>upset</b>: 2 unusable<br>Outputs: Uncertain 2',
		);
	});

	test('an answer that cannot be used is no part of the mean in the hint', async () => {
		answerInTurn({ upset: score(1, 0.6) }, { upset: score(7, 0.6) });
		expect(await hintAfter(routing(upset), { items: itemsOf(2) })).toContain(
			'<b>upset</b>: mean 1 (from 0 to 1), angry 1, mean confidence 0.6, 1 unusable<br>',
		);
	});
});

describe('the advice in the hint after a Route', () => {
	const least = { minConfidence: 0.7 };

	const UNUSABLE =
		"2 of 2 answers were unusable: the service gave options that were not offered, or impossible numbers. Thresholds do not change this. Try again, or check the option 'Model'.";

	async function hintFor(question: object, thresholds: object, answers: IDataObject[]): Promise<string> {
		answerInTurn(...answers);
		return await hintAfter(routing(question, { routing: thresholds }), { items: itemsOf(answers.length) });
	}

	test.each<[name: string, question: object, thresholds: object, answers: IDataObject[], expected: string]>([
		[
			'a choice',
			team,
			least,
			[{ team: choice('cards', 0.58) }, { team: choice('cards', 0.4) }],
			"2 of 2 answers were uncertain. The best confidence was 0.58. Describe the options in more detail, add one for everything else, or lower 'Minimum Confidence'.",
		],
		...[
			{ name: 'Other: anything else' },
			{ name: 'everything else', description: 'x' },
			{ name: 'Sonstiges' },
			{ name: 'x', description: 'Anything else' },
		].map((rest): [string, object, object, IDataObject[], string] => [
			`a choice with an option for the rest: ${JSON.stringify(rest)}`,
			{ ...team, options: { option: [{ name: 'cards' }, rest] } },
			least,
			[{ team: choice('cards', 0.58) }],
			"1 of 1 answer was uncertain. The best confidence was 0.58. Describe the options in more detail, or lower 'Minimum Confidence'.",
		]),
		[
			'a choice with options that only look so',
			{
				...team,
				options: { option: [{ name: 'Otherworld' }, { name: 'cards', description: 'Lost, other' }] },
			},
			least,
			[{ team: choice('cards', 0.58) }],
			'1 of 1 answer was uncertain. The best confidence was 0.58. Describe the options in more detail, add one for everything else, or lower',
		],
		[
			'a choice of which an option has its own threshold',
			{ ...team, options: { option: [{ name: 'cards', minConfidence: 0.95 }, { name: 'loans' }] } },
			least,
			[{ team: choice('cards', 0.9) }, { team: choice('loans', 0.5) }],
			"2 of 2 answers were uncertain. The confidence nearest to its threshold was 0.9. Describe the options in more detail, add one for everything else, or lower 'Minimum Confidence' (that of an option, or the one under 'Thresholds').",
		],
		[
			'a score',
			upset,
			least,
			[{ upset: score(1, 0.6) }],
			"1 of 1 answer was uncertain. The best confidence was 0.6. Describe the levels in more detail, or lower 'Minimum Confidence'.",
		],
		[
			'yes or no',
			urgent,
			{ noBelow: 0.2, yesAtLeast: 0.9 },
			[0.3, 0.5, 0.85].map((value) => ({ urgent: noul(value) })),
			"3 of 3 answers were uncertain. The probability nearest to a threshold was 0.85. Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
		],
		[
			'a choice without a confidence',
			team,
			least,
			[{ team: choice('cards') }],
			"1 of 1 answer was uncertain: the service gave no confidence for it. Set 'Minimum Confidence' to 0,",
		],
		[
			'without a confidence, beside options that were not offered',
			team,
			least,
			['loans', 'loans', 'cards', 'cards'].map((name) => ({ team: choice(name) })),
			`${UNUSABLE.replace('2 of 2', '2 of 4')}<br>2 of 4 answers were uncertain: the service gave no confidence for them. Set 'Minimum Confidence' to 0,`,
		],
		[
			'a choice just below the threshold',
			team,
			least,
			[{ team: choice('cards', 0.6996) }],
			'1 of 1 answer was uncertain. The best confidence was 0.6996.',
		],
		['options that were not offered', team, least, Array(2).fill({ team: choice('loans', 0.9) }), UNUSABLE],
		[
			'options that were not offered, and no threshold',
			team,
			{},
			[{ team: choice('loans', 0.9) }],
			'1 of 1 answer was unusable',
		],
		[
			'6 of 10, none of which could be used',
			team,
			least,
			itemsOf(10).map(({ n }) => ({ team: choice(n < 6 ? 'loans' : 'cards', 0.8) })),
			'6 of 10 answers were unusable: ',
		],
		[
			'6 of 10',
			team,
			least,
			itemsOf(10).map(({ n }) => ({ team: choice('cards', n < 6 ? 0.6 : 0.8) })),
			'6 of 10 answers were uncertain. The best confidence was 0.6.',
		],
	])(
		'is given if all answers are uncertain, or most of ten or more: %s',
		async (_, question, thresholds, answers, expected) => {
			expect(await hintFor(question, thresholds, answers)).toContain(`<br>${expected}`);
		},
	);

	test.each<[string, number[]]>([
		['5 of 10', itemsOf(10).map(({ n }) => (n < 5 ? 0.6 : 0.8))],
		['1 of 2', [0.6, 0.8]],
	])('is not given if fewer are uncertain: %s', async (_, confidences) => {
		const answers = confidences.map((confidence) => ({ team: choice('cards', confidence) }));
		expect(await hintFor(team, least, answers)).not.toMatch(/w(as|ere) uncertain/);
	});

	test('does not give the confidence of an answer beside one that cannot be used', async () => {
		answerInTurn(
			{ team: choice('cards', 0.9), upset: score(7, 0.6) },
			{ team: choice('cards', 0.4), upset: score(1, 0.6) },
		);
		const questions = { question: [team, upset] };
		expect(await hintAfter(routing(team, { routing: least, questions }), { items: itemsOf(2) })).toContain(
			'2 of 2 answers were uncertain. The best confidence was 0.4.',
		);
	});

	test('does not count failed items, spot checks and items with nothing to send', async () => {
		emulator.fault({ bodyIncludes: 'broken', status: 400, body: 'no' });
		emulator.fault({
			path: '/systemone',
			times: Infinity,
			respond: ({ body }) => {
				const sure = (body as { state: { a: string } }).state.a === 'clear' ? 0.8 : 0.6;
				return { status: 200, body: { model: 'x', answers: { team: choice('cards', sure) }, usage: {} } };
			},
		});
		const hint = await decision.hint(
			routing(team, { stateFields: 'a', routing: least, options: { spotCheck: 100 } }),
			{
				items: ['unclear', 'clear', '', 'broken'].map((a) => ({ a })),
				onError: 'continueRegularOutput',
			},
		);
		expect(hint).toContain('1 of 1 answer was uncertain. The best confidence was 0.6.');
	});
});

const tagQuestion = {
	id: 'topics',
	type: 'tags',
	instructions: 'What is it about?',
	options: { option: [{ name: 'stumps' }, { name: 'hedge' }] },
};

/** Makes the answers to `tagQuestion`: the probability that each of its tags applies. */
const tagged = (stumps: number, hedge: number) => ({
	'topics: stumps': noul(stumps),
	'topics: hedge': noul(hedge),
});

describe('after a Route by tags,', () => {
	async function hintFor(probabilities: number[][], thresholds: object = {}): Promise<string> {
		answerInTurn(...probabilities.map(([stumps, hedge]) => tagged(stumps!, hedge!)));
		const items = itemsOf(probabilities.length);
		return await hintAfter(routing(tagQuestion, { routing: thresholds }), { items });
	}

	test.each<[name: string, probabilities: number[][], thresholds: object, highest: number]>([
		[
			'all items at None',
			[
				[0.1, 0.38],
				[0.2, 0],
			],
			{},
			0.38,
		],
		[
			'all at None or Uncertain',
			[
				[0.1, 0.2],
				[0.1, 0.1],
				[0.5, 0],
			],
			{ yesAtLeast: 0.7, noBelow: 0.3 },
			0.2,
		],
	])(
		'the hint says that no item went to the output of an option: %s',
		async (_, probabilities, thresholds, highest) => {
			expect(await hintFor(probabilities, thresholds)).toContain(
				`No item went to the output of an option. The highest probability at None was ${highest}. Describe`,
			);
		},
	);

	test.each<[string, number[][]]>([
		['one item, for which that is ordinary', [[0.1, 0.2]]],
		[
			'items of which one has a tag',
			[
				[0.1, 0.2],
				[0.1, 0.2],
				[0.9, 0],
			],
		],
	])('the hint does not say that no item went to the output of an option: %s', async (_, probabilities) => {
		expect(await hintFor(probabilities)).not.toContain('output of an option');
	});
});

describe('after a Route, the hint', () => {
	async function hintFor(question: unknown, answers: IDataObject[], thresholds: object): Promise<string> {
		answerInTurn(...answers);
		return await hintAfter(routing(question, { routing: thresholds }), { items: itemsOf(answers.length) });
	}

	test.each<[name: string, question: unknown, answers: IDataObject[], thresholds: object, expected: string]>([
		[
			'of tags',
			tagQuestion,
			[tagged(0.9, 0.6), tagged(0.1, 0.1)],
			{ yesAtLeast: 0.8, noBelow: 0.2 },
			'2 items answered.<br><b>topics</b>: stumps 1, hedge 1, (none of them) 1<br>Outputs: stumps 1, None 1<br>Tokens: 14 in, 6 out.',
		],
		[
			'of yes or no',
			urgent,
			[{ urgent: noul(0.4) }, { urgent: noul(0.1) }],
			{ yesAtLeast: 0.3 },
			'2 items answered.<br><b>urgent</b>: no 2<br>Outputs: Yes 1, No 1<br>Tokens: 14 in, 6 out.',
		],
	])(
		'only counts where outputs follow thresholds other than 0.5: %s',
		async (_, question, answers, thresholds, expected) => {
			expect(await hintFor(question, answers, thresholds)).toBe(expected);
		},
	);

	test.each<[name: string, question: { id: string; type: string }, thresholds: object, expected: RegExp]>([
		[
			'Minimum Confidence for yes or no',
			urgent,
			{ minConfidence: 0.9 },
			/'Minimum Confidence' has no effect on "urgent"/,
		],
		[
			'Minimum Confidence for tags',
			{ ...team, type: 'tags' },
			{ minConfidence: 0.9, yesAtLeast: 0.8 },
			/'Minimum Confidence' has no effect on "team"/,
		],
		[
			'Yes at or Above for a choice',
			team,
			{ yesAtLeast: 0.9, minConfidence: 0.5 },
			/'Yes at or Above' and 'No Below' have no effect on "team"/,
		],
		[
			'No Below for a score',
			upset,
			{ noBelow: 0.1 },
			/'Yes at or Above' and 'No Below' have no effect on "upset"/,
		],
	])('names a threshold that has no effect: %s', async (_, question, thresholds, expected) => {
		const ofTags = { 'team: cards': noul(0.9), 'team: <b>fees': noul(0.1) };
		const all = { urgent: noul(0.95), team: choice('cards', 0.9), upset: score(1, 0.6) };
		const { id, type } = question;
		answer(type === 'tags' ? ofTags : { [id]: all[id as keyof typeof all] });
		expect(await hintAfter(routing(question, { routing: thresholds }))).toMatch(expected);
		answer(type === 'tags' ? ofTags : { [id]: all[id as keyof typeof all] });
		const fitting = { minConfidence: type === 'choice' || type === 'score' ? 0.5 : 0 };
		expect(await hintAfter(routing(question, { routing: fitting }))).not.toContain('no effect');
	});

	test('suggests another question for a threshold that has no effect only where there is one of the other kind', async () => {
		const thresholds = { routing: { minConfidence: 0.9 } };
		answer({ urgent: noul(0.95), team: choice('cards', 0.9) });
		expect(await hintAfter(routing([urgent, team], thresholds))).toContain(
			"set 'Yes at or Above' and 'No Below' instead, or choose another question under 'Route by Question'.",
		);
		answer({ urgent: noul(0.95), late: noul(0.1) });
		expect(await hintAfter(routing([urgent, { ...urgent, id: 'late' }], thresholds))).toContain(
			"set 'Yes at or Above' and 'No Below' instead.",
		);
	});

	const withOwn = (...minConfidences: unknown[]) => ({
		...team,
		options: { option: minConfidences.map((minConfidence, index) => ({ name: `o${index}`, minConfidence })) },
	});

	test.each<[name: string, questions: unknown[], more: object, expected: string]>([
		[
			'of another choice',
			[urgent, withOwn(0.8, '', 0.9)],
			{},
			`'Minimum Confidence' of 2 options of "team" has no effect, because "urgent" chooses the output: clear it, or choose "team" under 'Route by Question'.`,
		],
		[
			'of the first question',
			[withOwn(0.8), urgent],
			{ routeQuestion: 'urgent' },
			`'Minimum Confidence' of 1 option of "team" has no effect, because "urgent"`,
		],
	])('names a Minimum Confidence that options have in vain: %s', async (_, questions, more, expected) => {
		answer({ urgent: noul(0.9), team: choice('o0', 0.9) });
		expect(await hintAfter(routing(questions, more))).toContain(expected);
	});

	test.each<[string, unknown[]]>([
		['belongs to the question that chooses the output', [withOwn(0.8), urgent]],
		['is 0', [urgent, withOwn(0, '')]],
	])('does not name a Minimum Confidence of an option that %s', async (_, questions) => {
		answer({ urgent: noul(0.9), team: choice('o0', 0.9) });
		expect(await hintAfter(routing(questions))).not.toContain('no effect');
	});

	test('names answers with a confidence above 1', async () => {
		answerInTurn({ team: choice('cards', 12) }, { team: choice('cards', 0.9) });
		const hint = await hintAfter(routing(team, { routing: { minConfidence: 0.7 } }), { items: itemsOf(2) });
		expect(hint).toContain('1 answer has a confidence above 1, which passes every threshold');
	});

	test('does not name answers with a confidence above 1 if there is no threshold', async () => {
		answer({ team: choice('cards', 12) });
		expect(await hintAfter(routing(team))).not.toContain('above 1');
	});
});

describe('a field that may hold the answer, and that the model saw', () => {
	async function hintFor(
		{ outputField, ...parameters }: INodeParameters,
		item: IDataObject,
	): Promise<string> {
		answer({ team: choice('cards', 0.9) });
		const options = outputField ? { options: { outputField } } : {};
		return await decision.hint({ ...parameters, ...options }, { items: [item] });
	}

	test.each<[name: string, parameters: INodeParameters, item: IDataObject, expected: string]>([
		['the right answer in a column', asking(team), { text: 'a', team: 'cards' }, 'team (in 1 of 1 item)'],
		[
			'an earlier answer',
			asking(team),
			{ text: 'a', team_confidence: 0.9 },
			'team_confidence (in 1 of 1 item)',
		],
		[
			'Output Field',
			{ ...asking(team), outputField: 'a' },
			{ text: 'a', a: { team: 'cards' } },
			'a (in 1 of 1 item)',
		],
		[
			'chosen fields',
			{ ...asking(team), stateFields: 'text, team' },
			{ text: 'a', team: 'cards' },
			'team (in 1 of 1 item)',
		],
		[
			'the item as JSON',
			{ ...asking(team), stateSource: 'json', stateJson: '={{ $json }}' },
			{ text: 'a', team: 'cards' },
			'team (in 1 of 1 item)',
		],
		[
			'a column of an answer under Output Field',
			{ ...asking(team), outputField: 'a' },
			{ text: 'a', team: 'cards' },
			'team (in 1 of 1 item)',
		],
	])('is named in the hint: %s', async (_, parameters, item, expected) => {
		expect(await hintFor(parameters, item)).toContain(
			`The model saw what may already be the answer: ${expected}.`,
		);
	});

	test.each<[name: string, parameters: INodeParameters, item: IDataObject]>([
		['an empty column', asking(team), { text: 'a', team: '' }],
		['a column that was not chosen', { ...asking(team), stateFields: 'text' }, { text: 'a', team: 'cards' }],
		[
			'a field that a person wrote as JSON',
			{ ...asking(team), stateSource: 'json', stateJson: '{ "text": "a", "team": "cards" }' },
			{ text: 'a' },
		],
		['a field with a similar name', asking(team), { text: 'a', teams: 'cards' }],
		[
			'the text to judge under Output Field',
			{ ...asking(team), outputField: 'note' },
			{ note: 'a lost card' },
		],
		[
			'another object under Output Field',
			{ ...asking(team), outputField: 'a' },
			{ text: 'a', a: { by: 'Ann' } },
		],
		[
			'empty answers under Output Field',
			{ ...asking(team), outputField: 'a' },
			{ text: 'a', a: { team: null } },
		],
	])('is not named in the hint: %s', async (_, parameters, item) => {
		expect(await hintFor(parameters, item)).not.toContain('The model saw');
	});
});

describe('a field that holds possible answers', () => {
	const topics = { ...team, id: 'topics', type: 'tags' };
	const said = (field: string, id: string) =>
		`<br>The model saw the field "${field}", whose values are possible answers to "${id}". If they are the expected answers, an evaluation is worthless: name only the other fields in 'Fields to Send'.`;
	const labelled = (labels: unknown[], count = 10) =>
		itemsOf(count).map(
			({ n }) => ({ text: `message ${n}`, label: labels[n % labels.length] }) as IDataObject,
		);
	const mostlyCards = ['cards', 'cards', 'cards', '<b>fees'];
	const both = labelled(mostlyCards);
	const blanksIn = (items: IDataObject[]) =>
		items.map(({ text, label }, index) => ({ text, label: index < 9 ? label : '' }));
	const cards = { team: choice('cards', 0.9) };
	const bothTopics = { 'topics: cards': noul(0.9), 'topics: <b>fees': noul(0.9) };
	const mood = { ...upset, id: 'mood', levels: levels('calm', 'tense', 'angry') };
	const rated = { ...mood, levels: levels('1', '2', '3') };
	const yesOrNo = { ...team, options: { option: [{ name: 'yes' }, { name: 'No' }] } };

	test.each<[name: string, items: IDataObject[], parameters: INodeParameters]>([
		['the whole item', both, asking(team)],
		['chosen fields', both, { ...asking(team), stateFields: 'text, label' }],
		[
			'JSON',
			both,
			{ ...asking(team), stateSource: 'json', stateJson: '={{ { a: 1, label: $json.label } }}' },
		],
		[
			'the whole item in a text',
			both,
			{ ...asking(team), stateSource: 'text', stateText: '={{ JSON.stringify($json) }}' },
		],
		['the output of Route', both, routing(team)],
		['values with spaces around them', labelled([' cards ', 'cards', 'cards', ' <b>fees ']), asking(team)],
		['values in another case', labelled(['Cards', 'CARDS', 'cards', '<B>fees']), asking(team)],
		['another value in one item of eleven', [...both, { text: 'a', label: 'loans' }], asking(team)],
	])('to a choice is named in the hint: %s', async (_, items, parameters) => {
		answer(cards, Infinity);
		expect(await hintAfter(parameters, { items })).toContain(said('label', 'team'));
	});

	test.each<[string, unknown[]]>([
		['text with one tag', ['cards', '<b>fees']],
		['text with commas', ['cards, <b>fees', '<b>fees']],
		['text with Japanese commas', ['cards、<b>fees', '<b>fees']],
		['lists', [['cards'], ['<b>fees', 'cards'], []]],
		['a list as JSON', ['["cards"]', '["<b>fees"]']],
	])('to tags is named in the hint: %s', async (_, labels) => {
		answer(bothTopics, Infinity);
		expect(await hintAfter(asking(topics), { items: labelled(labels, 20) })).toContain(
			said('label', 'topics'),
		);
	});

	test.each<[name: string, labels: unknown[], question: object]>([
		['its text', ['angry', 'angry', 'angry', 'calm'], mood],
		['its number', [2, 2, 1, 2, 2, '2', 0, 2, 2, 2], mood],
		['its text, which is a number', [3, 3, 1, 3, '3', 3, 2, 3, 3, 3], rated],
	])('to a score is named in the hint if the values name a level by %s', async (_, labels, question) => {
		answer({ mood: score(2, 0.6) }, Infinity);
		expect(await hintAfter(asking(question), { items: labelled(labels) })).toContain(said('label', 'mood'));
	});

	test('is named in the hint although it has the name of Output Field', async () => {
		answer(cards, Infinity);
		const hint = await decision.hint({ ...asking(team), options: { outputField: 'label' } }, { items: both });
		expect(hint).toContain(said('label', 'team'));
		expect(hint).not.toContain('what may already be the answer');
	});

	test('is named in the hint although some items have no value there', async () => {
		answer(cards, Infinity);
		const items = [...both, ...['', ' ', null, undefined].map((label) => ({ text: 'a', label }))];
		expect(await hintAfter(asking(team), { items })).toContain(said('label', 'team'));
	});

	test.each<[name: string, items: IDataObject[], question: object, given: IDataObject]>([
		['nine items', labelled(mostlyCards, 9), team, cards],
		['one value only', labelled(['cards']), team, cards],
		['other values in two items of twelve', [...both, ...labelled(['loans'], 2)], team, cards],
		['another value in the first two items', [...labelled(['loans'], 2), ...both, ...both], team, cards],
		['nine items, and blanks in the others', blanksIn(labelled(mostlyCards, 20)), team, cards],
		['one list of tags only', labelled(['cards, <b>fees']), topics, bothTopics],
		['lists with another tag', labelled(['cards', 'cards, loans']), topics, bothTopics],
		['numbers that count from 1', labelled([1, 2, 3]), mood, { mood: score(2, 0.6) }],
		['numbers of which half are the same', labelled([0, 1, 2, 2]), mood, { mood: score(2, 0.6) }],
		['two numbers only', labelled([1, 2, 2, 2, 2]), mood, { mood: score(2, 0.6) }],
		['a number between two levels', labelled([0.5, 2, 2, 2, 2]), mood, { mood: score(2, 0.6) }],
		[
			'the numbers of levels with other numbers',
			labelled([0, 1, 2, 2, 2, 2, 2, 2]),
			rated,
			{ mood: score(2, 0.6) },
		],
		['answers that mostly differ', labelled(['cards', '<b>fees', '<b>fees'], 12), team, cards],
		['two values of which half are the same', labelled(['cards', '<b>fees'], 20), team, cards],
		['yes and no', labelled(['yes', 'no']), yesOrNo, { team: choice('yes', 0.9) }],
		[
			'a field with the name of the answer',
			both.map(({ label, text }) => ({ text, team: label })),
			team,
			cards,
		],
	])('is not named in the hint: %s', async (_, items, question, given) => {
		answer(given, Infinity);
		expect(await hintAfter(asking(question), { items })).not.toContain('possible answers');
	});
});

test('the hint names the columns of failed items that still hold values of the input', async () => {
	emulator.fault({ bodyIncludes: 'broken', times: Infinity, status: 400, body: 'no' });
	answer({ team: choice('cards', 0.9) }, Infinity);
	const items = [
		{ text: 'fine', team: '' },
		{ text: 'broken', team: 'loans', more: 1 },
		{ text: 'broken', team: '' },
	];
	const hint = async (onError: NodeInput['onError']) =>
		await decision.hint({ ...asking(team), stateFields: 'text' }, { items, onError });
	expect(await hint('continueRegularOutput')).toContain(
		'<br>Failed items keep these values of the input, which are not results: "team" in 1 of 3 items. Filter out items with "error".',
	);
	expect(await hint('continueErrorOutput')).not.toContain('not results');
	items.shift();
	expect(await hint('continueRegularOutput')).toContain('not results: "team" in 1 of 2 items.');
});

describe('in the hint, the reasons why items failed', () => {
	const LONG = 'x'.repeat(500);

	test.each<[name: string, count: number, reasons: string[], expected: string]>([
		['have their HTML escaped', 2, ['<b>no</b>'], '1 of 2 items failed: &lt;b&gt;no&lt;/b&gt;<br>'],
		['begin with the most frequent', 4, ['a', 'b', 'b'], '3 of 4 items failed: 2: b; 1: a<br>'],
		['are three at most', 6, [...'abcde'], '5 of 6 items failed: 1: a; 1: b; 1: c; 2 other reasons<br>'],
		['are cut off at 200 characters', 2, [LONG], `1 of 2 items failed: ${LONG.slice(0, 200)}…<br>`],
	])('%s', async (_, count, reasons, expected) => {
		for (const message of reasons) emulator.fault({ status: 400, body: { code: 1, message, data: null } });
		answerInTurn({ urgent: noul(1) });
		const input: NodeInput = { items: itemsOf(count), onError: 'continueRegularOutput' };
		expect(await hintAfter(asking(urgent), input)).toContain(expected);
	});

	test('are merged if the same parameter is wrong in several items', async () => {
		const parameters = asking({ ...urgent, instructions: '={{ $json.ask }}' });
		const input: NodeInput = { items: [{}, {}], onError: 'continueErrorOutput' };
		expect(await hintAfter(parameters, input)).toBe(
			'2 of 2 items failed: question &quot;urgent&quot;: &quot;Question&quot; (instructions) must not be empty',
		);
	});
});

test('the hint names fields that were not found, the first five of many', async () => {
	const long = `<i>${'n'.repeat(100)}`;
	expect(await hintAfter({ ...asking(urgent), stateFields: `text, ${long}` })).toContain(
		`Field not found, and not sent: &lt;i&gt;${'n'.repeat(37)}… (in 1 of 1 item)`,
	);
	const naming = (count: number) => ({
		...asking(urgent),
		stateFields: ['text', ...itemsOf(count).map(({ n }) => `field${n}`)].join(','),
	});
	expect(await hintAfter(naming(5000))).toContain(
		"field4 (in 1 of 1 item). Check 'Fields to Send'.<br>4,995 more fields were not found",
	);
	expect(await hintAfter(naming(6))).toContain(
		"field4 (in 1 of 1 item). Check 'Fields to Send'.<br>1 more field was not found",
	);
});

test('under redaction the hint holds counts only', async () => {
	emulator.fault({ status: 429, headers: { 'retry-after': '0.1' } });
	answerInTurn({ team: choice('cards', 0.8) });
	const hint = await hintAfter(
		{ ...asking(team), stateFields: 'text, secret' },
		{
			items: [{ n: 1, text: 'a' }, { n: 2 }],
			onError: 'continueRegularOutput',
			settings: { redactionPolicy: 'all' },
		},
	);
	expect(hint).toBe('1 item answered.<br>1 of 2 items failed.<br>Tokens: 7 in, 3 out.');
});

describe('before a run,', () => {
	const FINDINGS = {
		noQuestion: /no question yet/,
		id: /^A question has no ID/,
		instructions: /^A question is empty/,
		options: /^A choice has no answer options/,
		tags: /^A question with tags has no answer options/,
		levels: /^A score needs 2 to 10 levels/,
		expression: /^With 'Route', IDs, answer options and levels must be fixed values/,
		routeQuestion: /doesn't match a question/,
		thresholds: /every item would fail/,
		nothingUncertain: /every answer counts as clear/,
		idleThreshold: /^The threshold that is set has no effect on the question that chooses the output/,
		oneOption: /^A choice with one option/,
		listedTags: /^An option's name holds several names/,
		numberedLevels: /counts the levels from 0/,
		fallingLevels: /^The first level is the lowest/,
		sameQuestion: /^Two questions differ only in their IDs/,
		sameDescription: /^Two options have the same description/,
		sameButCase: /differ only in upper and lower case/,
	};

	type Finding = keyof typeof FINDINGS;

	/**
	 * Returns the key in FINDINGS of the hint that the editor shows before a run, without the hints about fixed text. Fails if two are
	 * shown, or one that is not in FINDINGS.
	 */
	function findingIn(parameters: INodeParameters): Finding | undefined {
		const shown = decisionType.description
			// Without items, the editor cannot know how many there are.
			.hints!.filter(({ displayCondition }) => !displayCondition!.includes('$input'))
			.filter((hint) => !fixedTextHints.includes(hint))
			.filter(({ displayCondition }) => evaluate(displayCondition!, parameters));
		expect(shown.length).toBeLessThan(2);
		const [hint] = shown;
		if (!hint) return undefined;
		const names = Object.keys(FINDINGS) as Finding[];
		const finding = names.find((name) => FINDINGS[name].test(hint.message));
		if (!finding) throw new Error(`FINDINGS lacks the hint: ${hint.message}`);
		return finding;
	}

	const withOptions = (...names: unknown[]) => ({
		...team,
		options: { option: names.map((name) => ({ name })) },
	});
	const withOwn = (...minConfidences: unknown[]) => ({
		...team,
		options: { option: minConfidences.map((minConfidence, index) => ({ name: `o${index}`, minConfidence })) },
	});
	const described = (...descriptions: unknown[]) => ({
		...team,
		options: { option: descriptions.map((description, index) => ({ name: `o${index}`, description })) },
	});
	const withLevels = (...descriptions: unknown[]) => ({ ...upset, levels: levels(...descriptions) });

	test('a hint speaks of long runs above 500 items, but not in an evaluation, which sends nothing', () => {
		const ofItems = decisionType.description.hints!.find(({ message }) => message.startsWith('More than'))!;
		const isShown = (operation: string, count: number) =>
			evaluate(ofItems.displayCondition!, { operation }, count);
		expect([isShown('ask', 500), isShown('ask', 501), isShown('evaluate', 501)]).toEqual([
			false,
			true,
			false,
		]);
	});

	test('no hint says that something is missing in complete questions of each type', () => {
		expect(findingIn(asking(urgent, team, upset))).toBeUndefined();
		expect(findingIn(routing([urgent, team, upset]))).toBe('nothingUncertain');
	});

	test.each<[name: string, questions: unknown[], finding: Finding]>([
		['no question', [], 'noQuestion'],
		['no ID', [{ ...urgent, id: '' }], 'id'],
		['a broken question', [null], 'id'],
		['one ID twice', [urgent, { ...team, id: 'urgent' }], 'id'],
		['one ID twice, with a blank', [urgent, { ...team, id: 'urgent ' }], 'id'],
		[
			'one ID in two Unicode forms',
			[
				{ ...urgent, id: 'é' },
				{ ...urgent, id: 'e\u0301' },
			],
			'id',
		],
		['no ID in the second', [urgent, { ...team, id: '' }], 'id'],
		['no instructions in the second', [urgent, { ...team, instructions: ' ' }], 'instructions'],
		['a choice without options', [{ ...team, options: {} }], 'options'],
		['an option without a name', [withOptions('a', '')], 'options'],
		['tags without options', [{ ...team, type: 'tags', options: {} }], 'tags'],
		['a tag without a name', [{ ...withOptions('a', ''), type: 'tags' }], 'tags'],
		['a score without levels', [{ ...upset, levels: {} }], 'levels'],
		['eleven levels', [withLevels(...itemsOf(11).map(({ n }) => n))], 'levels'],
		['a level without a description', [withLevels('a', '')], 'levels'],
	])('a hint names what is missing, whatever the operation: %s', (_, questions, finding) => {
		expect(findingIn(asking(...questions))).toBe(finding);
		// The hint names problems of Route only if nothing is missing.
		expect(findingIn(routing(questions))).toBe(finding);
	});

	test('the default question lacks its instructions', () => {
		expect(findingIn({})).toBe('instructions');
		expect(findingIn({ operation: 'route' })).toBe('instructions');
	});

	test('questions as JSON have nothing to fill in, except for Route, which has no Questions (JSON)', () => {
		const asJson = { questionsSource: 'json', questionsJson: '{}' };
		expect(findingIn({ ...asking(), ...asJson })).toBeUndefined();
		expect(findingIn(routing([], asJson))).toBe('noQuestion');
	});

	test('an evaluation has no question to fill in', () => {
		expect(findingIn({ ...asking(), operation: 'evaluate' })).toBeUndefined();
	});

	test.each<[string, object]>([
		['an ID', { ...urgent, id: '={{ $json.id }}' }],
		['a name of an option', withOptions('={{ $json.a }}')],
		['a tag', { ...withOptions('={{ $json.a }}'), type: 'tags' }],
		['a level', withLevels('a', '={{ $json.b }}')],
		[
			'the options of two questions that else are equal',
			['one', 'two'].map((id) => ({ ...team, id, options: { option: `={{ $json.${id} }}` } })),
		],
	])('a route warns of %s given by an expression, which Answer Questions accepts', (_, question) => {
		expect(findingIn(routing(question))).toBe('expression');
		expect(findingIn(asking(...[question].flat()))).toBeUndefined();
	});

	test.each<[name: string, questions: unknown, more: object, finding: Finding]>([
		['yes or no without thresholds', urgent, {}, 'nothingUncertain'],
		['thresholds that overlap', urgent, { routing: { noBelow: 0.6, yesAtLeast: 0.5 } }, 'thresholds'],
		['a choice without a threshold', team, {}, 'nothingUncertain'],
		['tags without thresholds', { ...team, type: 'tags' }, {}, 'nothingUncertain'],
		[
			'tags with thresholds that overlap',
			{ ...team, type: 'tags' },
			{ routing: { noBelow: 0.6, yesAtLeast: 0.5 } },
			'thresholds',
		],
		['a choice whose options have own thresholds of 0', withOwn(0, 0), {}, 'nothingUncertain'],
		["another type's thresholds", team, { routing: { noBelow: 0.6, yesAtLeast: 0.5 } }, 'idleThreshold'],
		[
			'yes or no with the threshold of a choice',
			[urgent, team],
			{ routing: { minConfidence: 0.7 } },
			'idleThreshold',
		],
		[
			'tags with the threshold of a choice',
			{ ...team, type: 'tags' },
			{ routing: { minConfidence: 0.7 } },
			'idleThreshold',
		],
		['a question that is gone', team, { routeQuestion: 'tea' }, 'routeQuestion'],
		[
			'the second question',
			[team, urgent],
			{ routeQuestion: ' urgent', routing: { noBelow: 0.6, yesAtLeast: 0.5 } },
			'thresholds',
		],
	])(
		'a hint says that every item would fail, or that none would be uncertain and why, in a Route by %s',
		(_, questions, more, finding) => {
			expect(findingIn(routing(questions, more))).toBe(finding);
			// Other operations do not route items.
			expect(findingIn({ ...asking(...[questions].flat()), ...more })).toBeUndefined();
		},
	);

	test.each<[name: string, questions: unknown, more: object]>([
		['thresholds with room between', urgent, { routing: { yesAtLeast: 0.7 } }],
		['two equal thresholds', urgent, { routing: { yesAtLeast: 0.8, noBelow: 0.8 } }],
		['one threshold, which the other follows', urgent, { routing: { yesAtLeast: 0.3 } }],
		['a threshold by an expression', urgent, { routing: { noBelow: '={{ 0.9 }}' } }],
		['tags with thresholds', { ...team, type: 'tags' }, { routing: { yesAtLeast: 0.7 } }],
		['a choice with an option of its own threshold', withOwn('', 0.8), {}],
		['an own threshold by an expression', withOwn('', '={{ 0.8 }}'), {}],
		['a choice with a threshold', team, { routing: { minConfidence: 0.1 } }],
		['a score with spot checks', upset, { options: { spotCheck: 5 } }],
		['a level with braces', withLevels('a', '{{ b }}'), { routing: { minConfidence: 0.1 } }],
	])('no hint warns of a Route by %s', (_, questions, more) => {
		expect(findingIn(routing(questions, more))).toBeUndefined();
		expect(findingIn({ ...asking(...[questions].flat()), ...more })).toBeUndefined();
	});

	/** These thresholds let Route find an answer uncertain, about which there would be a hint otherwise. */
	const someUncertain = { routing: { minConfidence: 0.7, yesAtLeast: 0.7 } };

	test.each<[name: string, question: unknown, finding: Finding]>([
		['a choice with one option', withOptions('a'), 'oneOption'],
		['several tags in one name', { ...withOptions('refund, lost card'), type: 'tags' }, 'listedTags'],
		...[...'，、،；؛'].map((sign): [string, unknown, Finding] => [
			`several tags in one name with the sign ${sign}`,
			{ ...withOptions(`返金${sign}交換`), type: 'tags' },
			'listedTags',
		]),
		['levels named 1 to 5', withLevels('1', '2', '3', '4', '5'), 'numberedLevels'],
		['levels named 10 and 20', withLevels('10', '20'), 'numberedLevels'],
		['levels of stars', withLevels('1 star', '2 stars', '3 stars'), 'numberedLevels'],
		['levels with what a number means', withLevels('1 = bad', '2 = fair', '3 = good'), 'numberedLevels'],
		['levels in percent', withLevels('0 %', '25 %', '50 %', '1,000 %'), 'numberedLevels'],
		['levels numbered like a list', withLevels('1. bad', '2. good'), 'numberedLevels'],
		['levels around zero', withLevels('-1 sad', '0 neutral', '+1 happy'), 'numberedLevels'],
		['levels that skip a number', withLevels('0', '2', '4'), 'numberedLevels'],
		['halves', withLevels('0 bad', '0.5 fair', '1 good'), 'numberedLevels'],
		['Chinese stars', withLevels('1星', '2星'), 'numberedLevels'],
		['descending stars', withLevels('5 stars', '4 stars', '3 stars', '2 stars', '1 star'), 'fallingLevels'],
		['descending numbers', withLevels('10', '5', '1'), 'fallingLevels'],
		['descending percentages', withLevels('100%', '50%', '0%'), 'fallingLevels'],
		['descending thousands', withLevels('10,000 or more', '1.000 or more', '500'), 'fallingLevels'],
		['descending halves', withLevels('1,5', '1', '0,5', '0'), 'fallingLevels'],
		['options that differ in case', withOptions('billing', 'Billing'), 'sameButCase'],
		['tags that differ in case', { ...withOptions('a', 'É', 'é'), type: 'tags' }, 'sameButCase'],
		['levels that differ in case', withLevels('Low', 'low'), 'sameButCase'],
		['options of one description', described('Charges', 'Charges '), 'sameDescription'],
		['tags of one description', { ...described('a', 'Charges', 'Charges'), type: 'tags' }, 'sameDescription'],
		['one question twice', [urgent, { ...urgent, id: 'again' }], 'sameQuestion'],
		['one choice twice', [described('a', 'b'), { ...described('a', 'b'), id: 'again' }], 'sameQuestion'],
	])('a hint names what may not be meant by %s', (_, question, finding) => {
		expect(findingIn(asking(...[question].flat()))).toBe(finding);
		expect(findingIn(routing(question, someUncertain))).toBe(finding);
	});

	test.each<[string, unknown]>([
		['tags with one option', { ...withOptions('a'), type: 'tags' }],
		['a tag with a middle dot', { ...withOptions('返金・交換'), type: 'tags' }],
		['levels named as they are counted', withLevels('0', '1')],
		['levels that begin with their places', withLevels('0 = bad', '1 = fair', '2 = good')],
		['levels numbered by their places', withLevels('0. bad', '1. good')],
		['levels with a number within', withLevels('grade 1', 'grade 2')],
		['levels of which one has no number', withLevels('none', '1 star', '2 stars')],
		['options that begin with numbers', withOptions('2 stars', '1 star')],
		['options without descriptions', described('', ' ', undefined)],
		['two descriptions of the same options', [described('a', 'b'), { ...described('a', 'c'), id: 'c' }]],
		['one question with other levels', [upset, { ...withLevels('a', 'b'), id: 'again' }]],
		['one question as a choice and as tags', [team, { ...team, id: 'all', type: 'tags' }]],
		['one option twice, which is an error', withOptions('billing', 'billing')],
	])('no hint doubts that %s may be meant', (_, question) => {
		expect(findingIn(asking(...[question].flat()))).toBeUndefined();
		expect(findingIn(routing(question, someUncertain))).toBeUndefined();
	});

	test.each<[string, unknown]>([
		['each', withLevels('={{ 5 }}', '={{ 1 }}')],
		['all at once', { ...upset, levels: '={{ $json.levels }}' }],
	])('no hint speaks of the numbers of levels that expressions give: %s', (_, question) => {
		expect(findingIn(asking(question))).toBeUndefined();
	});

	const FIXED = 'Is {{ $json.text }} urgent?';

	test.each<[name: string, parameters: INodeParameters]>([
		['a text', { stateSource: 'text', stateText: FIXED }],
		['JSON', { stateSource: 'json', stateJson: '{ "text": "{{ $json.text }}" }' }],
		['a question', asking(urgent, { ...urgent, id: 'second', instructions: FIXED })],
		[
			'the description of an option',
			asking({ ...team, options: { option: [{ name: 'a', description: FIXED }] } }),
		],
		['a level', asking(withLevels('a', FIXED))],
		['a model', { ...asking(urgent), options: { model: '{{ $json.model }}' } }],
		['a threshold', routing(urgent, { routing: { noBelow: '{{ 0.3 }}' } })],
	])('a hint says that {{ }} has no effect under a switch on Fixed, in %s', (_, parameters) => {
		expect(evaluate(fixedTextHint.displayCondition!, parameters)).toBe(true);
	});

	test.each<[string, INodeParameters]>([
		['an expression', asking({ ...urgent, instructions: `=${FIXED}` })],
		['an expression at the top', { stateSource: 'text', stateText: `=${FIXED}` }],
		['an expression that gives braces', { stateSource: 'text', stateText: "={{ '{' + '{ }' + '}' }}" }],
		['braces that do not close', asking({ ...urgent, instructions: 'Is {{ in it?' })],
		['braces the wrong way round', asking({ ...urgent, instructions: 'Is }} before {{?' })],
		['nested JSON', { questionsSource: 'json', questionsJson: '{"a":{"type":"x","criteria":{}}}' }],
	])('no hint speaks of a switch on Fixed for %s', (_, parameters) => {
		expect(evaluate(fixedTextHint.displayCondition!, parameters)).toBe(false);
	});

	test.each<[string, INodeParameters]>([
		['a field of the item', { stateSource: 'text', stateText: '$json.message' }],
		['a field within text', asking({ ...urgent, instructions: 'Is this urgent: $json["text"]?' })],
		['a field of another node', { stateSource: 'text', stateText: "$('Form').item.json.text" }],
		['a threshold', routing(urgent, { routing: { noBelow: '$json.threshold' } })],
		[
			'the input outside the braces of another expression',
			{ stateSource: 'text', stateText: '={{ $json.a }} $input.item' },
		],
	])('a hint says that {{ }} is missing around %s', (_, parameters) => {
		expect(evaluate(bareExpressionHint.displayCondition!, parameters)).toBe(true);
	});

	test.each<[string, INodeParameters]>([
		['an expression', { stateSource: 'text', stateText: '={{ $json.a }} and {{ $("A").item.json.b }}' }],
		['the name of a field to send', { stateFields: '$json.message, $json["text"]' }],
		['a price', asking({ ...urgent, instructions: 'Is it more than $5 (or $json)?' })],
		['nothing but settings', asking(urgent, team)],
	])('no hint says that {{ }} is missing around %s', (_, parameters) => {
		expect(evaluate(bareExpressionHint.displayCondition!, parameters)).toBe(false);
	});

	test('a hint says what keeps a node from running also after a run, while the node is being changed', () => {
		for (const { type, whenToDisplay } of decisionType.description.hints!) {
			expect(whenToDisplay).toBe(type === 'warning' ? 'always' : 'beforeExecution');
		}
	});
});

test.each<[parameters: INodeParameters, subtitle: string]>([
	[{}, 'Answer answer'],
	[{ operation: 'route' }, 'Route by answer'],
	[asking(urgent, { ...team, id: '' }), 'Answer urgent, ?'],
	[asking(urgent, team, upset), 'Answer urgent, team, upset'],
	[asking(urgent, team, upset, urgent, team), 'Answer urgent, team, upset and 2 more'],
	[asking(), 'Answer ?'],
	[{ questionsSource: 'json', questionsJson: '{}' }, 'Answer questions as JSON'],
	[routing([urgent, team], { questionsSource: 'json' }), 'Route by urgent'],
	[routing([urgent, team], { routeQuestion: 'team' }), 'Route by team'],
	[routing([]), 'Route by ?'],
	[{ operation: 'evaluate' }, 'Evaluate answers'],
])('%j has the subtitle %s', (parameters, subtitle) => {
	expect(evaluate(String(decisionType.description.subtitle), parameters)).toBe(subtitle);
});

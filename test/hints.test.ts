import { Workflow, type IDataObject, type INode, type INodeParameters, type INodeTypes } from 'n8n-workflow';

import { nodeDriver, type NodeInput } from './nodeDriver';
import { nodeTypes } from './runNode';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: [{ name: 'cards' }, { name: '<b>fees' }] },
};
const upset = {
	id: 'upset',
	type: 'score',
	instructions: 'How upset?',
	levels: { level: [{ description: 'calm' }, { description: 'angry' }] },
};
const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const asking = (...question: object[]) => ({ questions: { question } }) as unknown as INodeParameters;

/** Makes the service give these answers, one after another. */
function answerEach(...all: IDataObject[]) {
	for (const answers of all) answer(answers);
}

function answer(answers: IDataObject, times = 1) {
	emulator.fault({
		path: '/systemone',
		status: 200,
		body: JSON.stringify({ model: 'Kev-4B', answers, usage: { input_tokens: 7, output_tokens: 3 } }),
		times,
	});
}

async function hintAfter(parameters: INodeParameters, input?: NodeInput): Promise<string> {
	const { run } = await decision.run({ ...parameters, options: { concurrency: 1 } }, input);
	const hints = run.data.resultData.runData.Node![0]!.hints ?? [];
	expect(hints).toHaveLength(1);
	return hints[0]!.message;
}

const choice = (option: string, confidence?: number) => ({ type: 'choice', choice: option, confidence });
const score = (value: number) => ({ type: 'score', score: value, confidence: 0.6 });
const noul = (value: number) => ({ type: 'noul', noul: value });

test('for one item, the hint has each answer', async () => {
	answerEach({ urgent: noul(0.93), team: choice('cards', 0.81), upset: score(0.8) });
	expect(await hintAfter(asking(urgent, team, upset))).toBe(
		'<b>urgent</b>: yes (0.93)<br><b>team</b>: cards (confidence 0.81)<br><b>upset</b>: angry (0.8, confidence 0.6)<br>Tokens: 7 in, 3 out.',
	);
});

test('it adds nothing to an answer that comes without a confidence', async () => {
	answerEach({ team: choice('cards') });
	expect(await hintAfter(asking(team))).toMatch(/^<b>team<\/b>: cards<br>/);
});

test('for several items, it has the counts of each option, how many yes, and the mean of a score', async () => {
	answerEach(
		{ urgent: noul(0.9), team: choice('cards', 0.8), upset: score(1) },
		{ urgent: noul(0.1), team: choice('<b>fees', 0.6), upset: score(0) },
		{ urgent: noul(0.7), team: choice('cards'), upset: score(0.5) },
	);
	const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
	expect(await hintAfter(asking(urgent, team, upset), { items })).toBe(
		'3 items answered.<br><b>urgent</b>: yes 2, no 1<br><b>team</b>: cards 2, &lt;b&gt;fees 1, mean confidence 0.7<br><b>upset</b>: mean 0.5 (from 0 to 1), angry 2, calm 1, mean confidence 0.6<br>Tokens: 21 in, 9 out.',
	);
});

test('it has the five most frequent options of a choice, and says how many more there were', async () => {
	const options = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
	answerEach(...['a', ...options, 'g'].map((name) => ({ team: choice(name) })));
	const among = { ...team, options: { option: options.map((name) => ({ name })) } };
	const items = Array.from({ length: 9 }, (_, n) => ({ n }));
	expect(await hintAfter(asking(among), { items })).toContain(
		'<b>team</b>: a 2, g 2, b 1, c 1, d 1, 2 more<br>',
	);
});

test.each([12, 13])('of %d questions, it has the first twelve', async (count) => {
	const many = Array.from({ length: count }, (_, n) => ({ ...urgent, id: `q${n}` }));
	answerEach(Object.fromEntries(many.map(({ id }) => [id, noul(1)])));
	const lines = (await hintAfter(asking(...many))).split('<br>');
	const shown = Array.from({ length: 12 }, (_, n) => `<b>q${n}</b>: yes (1)`);
	expect(lines.slice(0, -1)).toEqual([...shown, ...(count > 12 ? ['and 1 more question'] : [])]);
});

test('it reports answers that could not be used', async () => {
	answerEach({ urgent: noul(0.9) }, { urgent: noul(7) });
	const routed = { ...asking(urgent), operation: 'route' };
	expect(await hintAfter(routed, { items: [{ n: 1 }, { n: 2 }] })).toContain(
		'<b>urgent</b>: yes 1, 1 unusable<br>Outputs: Yes 1, Uncertain 1',
	);
	answerEach({ urgent: noul(7) });
	expect(await hintAfter(routed)).toContain('<b>urgent</b>: unusable<br>');
	answerEach({ upset: score(7) }, { upset: score(8) });
	const rated = { ...asking(upset), operation: 'route' };
	expect(await hintAfter(rated, { items: [{ n: 1 }, { n: 2 }] })).toContain(
		'<b>upset</b>: 2 unusable<br>Outputs: Uncertain 2',
	);
});

test('it says how many items went to each output', async () => {
	answerEach({ urgent: noul(0.9) }, { urgent: noul(0.1) }, { urgent: noul(0.8) });
	const hint = await hintAfter(
		{ ...asking(urgent), operation: 'route' },
		{ items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
	);
	expect(hint).toContain('Outputs: Yes 2, No 1');
});

describe('for a route without thresholds, it suggests some and says what they would have changed', () => {
	const items = Array.from({ length: 10 }, (_, n) => ({ n }));
	const confidences = [0.1, 0.5, 0.6, 0.69, 0.7, 0.75, 0.8, 0.9, 0.95, undefined];

	test('for a choice and a score', async () => {
		answerEach(...confidences.map((confidence) => ({ team: choice('cards', confidence) })));
		const hint = await hintAfter({ ...asking(team), operation: 'route' }, { items });
		expect(hint).toContain(
			"No threshold is set. With 'Minimum Confidence' 0.7, 5 of 10 items would have gone to Uncertain.",
		);
		answerEach(...items.map(() => ({ upset: score(1) })));
		expect(await hintAfter({ ...asking(upset), operation: 'route' }, { items })).toContain(
			'10 of 10 items would have gone to Uncertain',
		);
	});

	test('for yes or no', async () => {
		answerEach(...[0, 0.29, 0.3, 0.5, 0.69, 0.7, 1].map((value) => ({ urgent: noul(value) })));
		const hint = await hintAfter({ ...asking(urgent), operation: 'route' }, { items: items.slice(0, 7) });
		expect(hint).toContain("With 'Yes at or Above' 0.7 and 'No Below' 0.3, 3 of 7 items would have gone");
	});

	test('if they would have changed something', async () => {
		answerEach(...items.map(() => ({ team: choice('cards', 0.7) })));
		const hint = await hintAfter({ ...asking(team), operation: 'route' }, { items });
		expect(hint).not.toContain('No threshold');
	});

	test('otherwise it says what is uncertain', async () => {
		answerEach(...confidences.map((confidence) => ({ team: choice('cards', confidence) })));
		const routing = { minConfidence: 0.7 };
		const hint = await hintAfter({ ...asking(team), operation: 'route', routing }, { items });
		expect(hint).toContain(
			'Outputs: Uncertain 5, cards 5<br>Uncertain means a confidence below 0.7, or none<br>',
		);
		expect(hint).not.toContain('No threshold');
	});
});

describe('if a route finds everything uncertain, or most of ten or more, it says what to do', () => {
	const items = Array.from({ length: 10 }, (_, n) => ({ n }));

	test.each<[string, object, object, IDataObject[], string | undefined]>([
		[
			'a choice',
			team,
			{ minConfidence: 0.7 },
			[{ team: choice('cards', 0.58) }, { team: choice('cards', 0.4) }],
			"2 of 2 answers were uncertain. The best confidence among them was 0.58. Describe the options in more detail, or lower 'Minimum Confidence'.",
		],
		[
			'a score',
			upset,
			{ minConfidence: 0.7 },
			[{ upset: score(1) }],
			"1 of 1 answer was uncertain. The best confidence among them was 0.6. Describe the levels in more detail, or lower 'Minimum Confidence'.",
		],
		[
			'yes or no',
			urgent,
			{ noBelow: 0.2, yesAtLeast: 0.9 },
			[0.3, 0.5, 0.85].map((value) => ({ urgent: noul(value) })),
			"3 of 3 answers were uncertain. The probability nearest to a threshold was 0.85. Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
		],
		[
			'without a confidence',
			team,
			{ minConfidence: 0.7 },
			[{ team: choice('cards') }],
			'1 of 1 answer was uncertain. None of them could be compared with a threshold.',
		],
		[
			'6 of 10',
			team,
			{ minConfidence: 0.7 },
			items.map((_, n) => ({ team: choice('cards', n < 6 ? 0.6 : 0.8) })),
			'6 of 10 answers were uncertain. The best confidence among them was 0.6.',
		],
		[
			'5 of 10',
			team,
			{ minConfidence: 0.7 },
			items.map((_, n) => ({ team: choice('cards', n < 5 ? 0.6 : 0.8) })),
			undefined,
		],
		[
			'1 of 2',
			team,
			{ minConfidence: 0.7 },
			[{ team: choice('cards', 0.6) }, { team: choice('cards', 0.8) }],
			undefined,
		],
	])('%s', async (_, question, thresholds, answers, expected) => {
		answerEach(...answers);
		const hint = await hintAfter(
			{ ...asking(question), operation: 'route', routing: thresholds } as INodeParameters,
			{ items: items.slice(0, answers.length) },
		);
		if (expected === undefined) expect(hint).not.toContain('were uncertain');
		else expect(hint).toContain(expected);
	});
});

test('with ten confidences or more, it says how many are low', async () => {
	const items = Array.from({ length: 1200 }, (_, n) => ({ n }));
	for (const confidence of [0.9, 0.7, 0.5, 0.49]) answer({ team: choice('cards', confidence) }, 300);
	expect(await hintAfter(asking(team), { items })).toContain(
		'1,200 items answered.<br><b>team</b>: cards 1,200, mean confidence 0.65 (300 of 1,200 below 0.5, 600 below 0.7, 900 below 0.9)<br>',
	);
});

describe('it says how many items failed, and why', () => {
	const LONG = 'x'.repeat(500);

	test.each<[string, number, string[], string]>([
		['one reason, escaped', 2, ['<b>no</b>'], '1 of 2 items failed: &lt;b&gt;no&lt;/b&gt;<br>'],
		['one reason twice', 3, ['no', 'no'], '2 of 3 items failed: no<br>'],
		['the most frequent first', 4, ['a', 'b', 'b'], '3 of 4 items failed: 2: b; 1: a<br>'],
		[
			'three at most',
			6,
			['a', 'b', 'c', 'd', 'e'],
			'5 of 6 items failed: 1: a; 1: b; 1: c; 2 other reasons<br>',
		],
		['cut off', 2, [LONG], `1 of 2 items failed: ${LONG.slice(0, 200)}…<br>`],
	])('%s', async (_, count, reasons, expected) => {
		for (const message of reasons) emulator.fault({ status: 400, body: { code: 1, message, data: null } });
		answerEach({ urgent: noul(1) });
		const items = Array.from({ length: count }, (_, n) => ({ n }));
		expect(await hintAfter(asking(urgent), { items, onError: 'continueRegularOutput' })).toContain(expected);
	});

	test('a wrong parameter is one reason, whichever item has it', async () => {
		const parameters = asking({ ...urgent, instructions: '={{ $json.ask }}' });
		const input: NodeInput = { items: [{}, {}], onError: 'continueErrorOutput' };
		expect(await hintAfter(parameters, input)).toBe(
			'2 of 2 items failed: question &quot;urgent&quot; must have instructions',
		);
	});
});

test('of 5,000 fields that were not found, it names the first five', async () => {
	const stateFields = ['text', ...Array.from({ length: 5000 }, (_, n) => `field${n}`)].join(',');
	const hint = await hintAfter({ ...asking(urgent), stateFields });
	expect(hint).toContain('field4 (in 1 of 1 items)<br>4,995 more fields were not found');
});

test('it names fields that were not found', async () => {
	const hint = await hintAfter({ ...asking(urgent), stateFields: 'text, <i>Message' });
	expect(hint).toContain('Field not found, and not sent: &lt;i&gt;Message (in 1 of 1 items)');
});

test.each([
	['ask', false],
	['route', true],
])(
	'with "Always Output Data", it warns of an empty item only if there are several outputs: %s',
	async (operation, warns) => {
		const hint = await hintAfter({ ...asking(urgent), operation }, { node: { alwaysOutputData: true } });
		expect(hint.includes("With 'Always Output Data' on")).toBe(warns);
	},
);

describe('if all items were equal, it says to use a field', () => {
	const items = [1, 2, 3].map((n) => ({ n, same: 'x' }));

	test.each<[string, INodeParameters, string | undefined]>([
		[
			'text',
			{ stateSource: 'text', stateText: 'hello' },
			"The text was the same for all 3 items: drag a field from the input into 'Text'.<br>",
		],
		[
			'JSON',
			{ stateSource: 'json', stateJson: '{"a":1}' },
			"The JSON was the same for all 3 items: drag a field from the input into 'JSON'.<br>",
		],
		['different texts', { stateSource: 'text', stateText: '={{ $itemIndex === 2 ? "b" : "a" }}' }, undefined],
		['different items', {}, undefined],
		['a field that is the same in all items', { stateFields: 'same' }, undefined],
	])('%s', async (_, input, expected) => {
		const hint = await hintAfter({ ...asking(urgent), ...input }, { items });
		if (expected === undefined) expect(hint).not.toContain('drag a field');
		else expect(hint).toContain(expected);
	});

	test('but not under redaction', async () => {
		const input = { stateSource: 'text', stateText: 'hello' };
		const settings = { redactionPolicy: 'all' } as const;
		expect(await hintAfter({ ...asking(urgent), ...input }, { items, settings })).not.toContain('drag');
	});
});

test('under redaction it holds counts only', async () => {
	answerEach({ team: choice('cards', 0.8) });
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

/** The hints that the editor shows before the node is run, except what it always says about quick decisions. */
function hintsBefore(parameters: INodeParameters): string[] {
	const type = nodeTypes['n8n-nodes-inference-service.decision']!;
	const find = () => type;
	const found: INodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const node: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters };
	const { expression } = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: found,
	});
	return (
		type.description
			// Without items, the editor cannot know how many there are.
			.hints!.filter(({ displayCondition }) => !displayCondition!.includes('$input'))
			.filter(({ displayCondition }) =>
				expression.getSimpleParameterValue(node, displayCondition, 'internal', {}),
			)
			.map(({ message }) => message)
			.filter((message) => !message.startsWith('Quick decisions'))
	);
}

const routing = (question: object, more: object = {}): INodeParameters => ({
	...asking(question),
	operation: 'route',
	...more,
});
const optionless = { ...team, options: {} };

test.each<[string, INodeParameters, RegExp[]]>([
	['a node that is complete', asking(urgent, team, upset), []],
	['no question', asking(), [/no question yet/]],
	['two questions of one ID', asking(urgent, urgent), [/has no ID, or shares it/]],
	['a question without text', asking({ ...urgent, instructions: '' }), [/question is empty/]],
	['a choice without options', asking(optionless), [/has no answer options/]],
	['a score with one level', asking({ ...upset, levels: { level: [{ description: 'calm' }] } }), [/2 to 10/]],
	['a route without thresholds', routing(team), [/every answer counts as clear/]],
	[
		'a route with a threshold',
		routing(team, { routing: { minConfidence: 0.7 } }),
		[/^Items without a clear/],
	],
	[
		'a route by a question that is gone',
		routing(team, { routeQuestion: 'tea' }),
		[/doesn't match a question/, /^Items without a clear/],
	],
	[
		'thresholds that contradict each other',
		routing(urgent, { routing: { noBelow: 0.9 } }),
		[/every item would fail/, /^Items without a clear/],
	],
])('before a run, the hints for %s', (_, parameters, expected) => {
	expect(hintsBefore(parameters)).toEqual(expected.map((hint): unknown => expect.stringMatching(hint)));
});

test('it has the token counts that the service reported', async () => {
	for (const [usage, told] of [
		[{ input_tokens: 7 }, 'Tokens: 7 in.'],
		[{ output_tokens: 3 }, 'Tokens: 3 out.'],
	] as const) {
		const body = JSON.stringify({ model: 'x', answers: { urgent: noul(1) }, usage });
		emulator.fault({ path: '/systemone', status: 200, body });
		expect(await hintAfter(asking(urgent))).toBe(`<b>urgent</b>: yes (1)<br>${told}`);
	}
});

test('the tokens of a large run are grouped by thousands', async () => {
	const usage = { input_tokens: 1234567, output_tokens: 999 };
	const answers = { urgent: noul(1) };
	emulator.fault({ path: '/systemone', status: 200, body: JSON.stringify({ model: 'x', answers, usage }) });
	expect(await hintAfter(asking(urgent))).toContain('Tokens: 1,234,567 in, 999 out.');
});

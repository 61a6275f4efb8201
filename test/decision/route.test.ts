import fc from 'fast-check';
import { LoadOptionsContext } from 'n8n-core';
import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { OUTPUTS as outputsExpression, outputsOf } from '../../nodes/Decision/editor/outputs';
import { readStored } from '../../nodes/Decision/editor/storedDecision';
import { visibleText } from '../../nodes/shared/text/composed';
import { choice, noul, score } from '../support/answers';
import { decisionType, saved } from '../support/decisionInEditor';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ n: 0 }] });

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const choiceOf = (...names: string[]) => ({
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: names.map((name) => ({ name, description: '' })) },
});

const scoreOf = (...descriptions: string[]) => ({
	id: 'upset',
	type: 'score',
	instructions: 'How upset?',
	levels: { level: descriptions.map((description) => ({ description })) },
});

const routing = (question: object[], more: object = {}) =>
	({ operation: 'route', questions: { question }, ...more }) as unknown as INodeParameters;

/** Makes the service answer the item whose field `n` is the index with the answers at that index. */
function answerByItem(answers: object[]) {
	emulator.fault({
		path: '/systemone',
		times: Infinity,
		respond: ({ body }) => {
			const { n } = (body as { state: { n: number } }).state;
			return { status: 200, body: { model: 'Kev-4B', answers: answers[n]!, usage: {} } };
		},
	});
}

/** Routes one item for each of these answers to the question, and returns the label of the output that each item took. */
async function routesOf(question: { id: string }, answers: object[], more: object = {}) {
	answerByItem(answers.map((answer) => ({ [question.id]: answer })));
	const parameters = routing([question], more);
	const outputs = await decision.outputs(parameters, { items: answers.map((_, n) => ({ n })) });
	const labels = labelsOf(parameters);
	expect(outputs).toHaveLength(labels.length);
	const routes: Array<string | undefined> = [];
	outputs.forEach((items, output) => {
		for (const { json, pairedItem } of items) {
			expect(pairedItem).toEqual({ item: json.n });
			expect(json.route).toBe(labels[output]);
			routes[json.n as number] = labels[output];
		}
	});
	return routes;
}

/** Returns the labels of the outputs, as n8n computes them for a saved node. */
function labelsOf(parameters: INodeParameters): Array<string | undefined> {
	const { workflow, node } = saved(parameters);
	return NodeHelpers.getNodeOutputs(workflow, node, decisionType.description).map((output) =>
		typeof output === 'string' ? output : output.displayName,
	);
}

describe('the outputs on the canvas', () => {
	const manyNames = ['é', '退款', '🙂', ...Array.from({ length: 30 }, (_, index) => `option ${index}`)];

	test.each<[name: string, parameters: INodeParameters, labels: Array<string | undefined>]>([
		['Answer Questions', {}, [undefined]],
		['Route with the default question', { operation: 'route' }, ['Uncertain', 'Yes', 'No']],
		['yes or no', routing([urgent]), ['Uncertain', 'Yes', 'No']],
		['a choice', routing([choiceOf('b', 'a')]), ['Uncertain', 'b', 'a']],
		['integer-like names', routing([choiceOf('10', '2', 'x', '1')]), ['Uncertain', '10', '2', 'x', '1']],
		['a score', routing([scoreOf('low', 'high')]), ['Uncertain', 'low', 'high']],
		['many options', routing([choiceOf(...manyNames)]), ['Uncertain', ...manyNames]],
		['the first question', routing([urgent, choiceOf('a', 'b', 'c')]), ['Uncertain', 'Yes', 'No']],
		[
			'the question routed by',
			routing([urgent, choiceOf('a')], { routeQuestion: 'team' }),
			['Uncertain', 'a'],
		],
		['a type that is left out', routing([{ id: 'a' }]), ['Uncertain', 'Yes', 'No']],
		['an option without a name', routing([choiceOf('a', '')]), ['Uncertain', 'a', 'Option 2']],
		['a level without a text', routing([scoreOf('a', '')]), ['Uncertain', 'a', 'Level 2']],
		['no question', routing([]), ['Uncertain']],
		['an unknown type', routing([{ ...urgent, type: 'essay' }]), ['Uncertain']],
		[
			'an unknown question, with as many outputs as any question needs',
			routing([urgent, choiceOf('a', 'b', 'c')], { routeQuestion: 'tea' }),
			['Uncertain', 'a', 'b', 'c'],
		],
	])('are labelled for %s', (_, parameters, labels) => {
		expect(labelsOf(parameters)).toEqual(labels);
	});

	test('are computed without an error, whatever values are stored', () => {
		const text = fc.oneof(
			fc.constantFrom('route', 'ask', 'noul', 'choice', 'score', '={{ $json.a.b }}'),
			fc.string(),
		);
		const name = fc.constantFrom(
			...['id', 'type', 'options', 'option', 'name', 'levels', 'level', 'description'],
		);
		const value = fc.letrec((tie) => ({
			value: fc.oneof(
				text,
				fc.constantFrom(null, undefined, 0, 5, true),
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(fc.oneof(name, fc.string()), tie('value')),
			),
		})).value;
		fc.assert(
			fc.property(
				fc.record(
					{
						operation: fc.constant('route'),
						routeQuestion: text,
						questions: fc.oneof(value, fc.record({ question: fc.array(value) })),
					},
					{ requiredKeys: ['operation'] },
				),
				(parameters) => {
					const [first, ...others] = outputsOf(readStored(parameters as INodeParameters));
					expect(first).toEqual({ type: 'main', displayName: 'Uncertain' });
					for (const { displayName } of others) expect(displayName).toEqual(expect.any(String));
				},
			),
			{ numRuns: 300 },
		);
	});

	test('come from an expression without "}}", which would end it', () => {
		const [, inside] = /^=\{\{(.*)\}\}$/s.exec(outputsExpression)!;
		expect(inside).not.toContain('}}');
	});
});

const EPSILON = Number.EPSILON;

test.each<[thresholds: object, valuesOf: Record<string, number[]>]>([
	[{}, { No: [0, 0.5 - EPSILON], Yes: [0.5, 1], Uncertain: [-0.1, 1.1] }],
	[
		{ yesAtLeast: 0.8, noBelow: 0.2 },
		{ No: [0, 0.2 - EPSILON], Uncertain: [0.2, 0.5, 0.8 - EPSILON], Yes: [0.8, 1] },
	],
	[{ noBelow: 0.1 }, { No: [0.09], Uncertain: [0.1, 0.49], Yes: [0.5] }],
	[{ yesAtLeast: 0.3 }, { No: [0.29], Yes: [0.3] }],
	[{ yesAtLeast: 0 }, { Yes: [0, 1] }],
	[{ noBelow: 0.6 }, { No: [0.59], Yes: [0.6] }],
	[{ yesAtLeast: 0.7 }, { No: [0.49], Uncertain: [0.5, 0.69], Yes: [0.7] }],
])('Route sends a yes-or-no answer by the thresholds %j: %j', async (thresholds, valuesOf) => {
	const expected = Object.entries(valuesOf).flatMap(([way, values]) =>
		values.map((value) => ({ way, value })),
	);
	const answers = expected.map(({ value }) => noul(value));
	const routes = await routesOf(urgent, answers, { routing: thresholds });
	expect(routes).toEqual(expected.map(({ way }) => way));
});

describe('Route by a choice', () => {
	test('sends a choice to the output of its option', async () => {
		const names = ['10', '2', '__proto__', 'constructor', 'é', '退款', 'Hi {{ name }}'];
		const answers = names.map((name) => choice(name));
		expect(await routesOf(choiceOf(...names), answers)).toEqual(names);
	});

	test('ignores blanks around an ID or an option, and Unicode forms', async () => {
		const names = [' x ', 'Re\u0301clamation'];
		const question = { ...choiceOf(...names), id: ' équipe ' };
		const parameters = routing([urgent, question], { routeQuestion: 'e\u0301quipe' });
		expect(labelsOf(parameters)).toEqual(['Uncertain', 'x', 'Re\u0301clamation']);
		const answers = ['x', 'Réclamation'].map((name) => ({ urgent: noul(1), équipe: choice(name) }));
		answerByItem(answers);
		const outputs = await decision.outputs(parameters, { items: answers.map((_, n) => ({ n })) });
		expect(outputs.map((items) => items.map(({ json }) => [json.équipe, json.route]))).toEqual([
			[],
			[['x', 'x']],
			[['Re\u0301clamation', 'Re\u0301clamation']],
		]);
	});

	test('sends a choice below Minimum Confidence to Uncertain, and none if it is 0', async () => {
		const answers = [choice('a', 0.7), choice('a', 0.7 - 1e-9), choice('a', 0), choice('a')];
		const waysAt = async (minConfidence: number) =>
			await routesOf(choiceOf('a'), answers, { routing: { minConfidence } });
		expect(await waysAt(0.7)).toEqual(['a', 'Uncertain', 'Uncertain', 'Uncertain']);
		expect(await waysAt(0)).toEqual(['a', 'a', 'a', 'a']);
	});
});

describe("an option's own Minimum Confidence", () => {
	const withOwn = (own: Record<string, unknown>) => ({
		...choiceOf(),
		options: { option: Object.entries(own).map(([name, minConfidence]) => ({ name, minConfidence })) },
	});

	test("goes before the node's; empty, it is the node's; at 0, nothing of this option is uncertain", async () => {
		const question = withOwn({ refund: 0.9, question: 0, other: undefined, empty: '' });
		const answers = [
			choice('refund', 0.9),
			choice('refund', 0.89),
			choice('question', 0.01),
			choice('question'),
			choice('other', 0.6),
			choice('other', 0.59),
			choice('empty', 0.6),
			choice('empty'),
		];
		expect(await routesOf(question, answers, { routing: { minConfidence: 0.6 } })).toEqual(
			['refund', 0, 'question', 'question', 'other', 0, 'empty', 0].map((label) => label || 'Uncertain'),
		);
	});

	test("works without the node's", async () => {
		const answers = [choice('refund', 0.8), choice('refund'), choice('other', 0)];
		expect(await routesOf(withOwn({ refund: 0.9, other: undefined }), answers)).toEqual([
			'Uncertain',
			'Uncertain',
			'other',
		]);
	});

	test('may differ from item to item, and is not read in Answer Questions', async () => {
		const question = withOwn({ refund: '={{ $json.least }}' });
		answerByItem([{ team: choice('refund', 0.8) }, { team: choice('refund', 0.8) }]);
		const items = [0.8, '0.81'].map((least, n) => ({ n, least }));
		const outputs = await decision.outputs(routing([question]), { items });
		expect(outputs.map((list) => list.map(({ json }) => json.n))).toEqual([[1], [0]]);
		const asking = { ...routing([question]), operation: 'ask' };
		expect(await decision.json(asking, { items: [{ n: 0 }] })).toMatchObject({ team: 'refund' });
	});

	test.each<[unknown, RegExp]>([
		[70, /^question "team".*option 1: "Minimum Confidence" \(minConfidence\) must be a number from 0 to 1/],
		['={{ $json.gone }}', /option 1: "Minimum Confidence" \(minConfidence\) must have a value/],
		['={{ null }}', /option 1: "Minimum Confidence" \(minConfidence\) must have a value/],
		['={{ " " }}', /option 1: "Minimum Confidence" \(minConfidence\) must have a value/],
		['={{ NaN }}', /option 1: "Minimum Confidence" \(minConfidence\) must not be NaN/],
	])('refuses %j', async (own, message) => {
		expect(await decision.refusal(routing([withOwn({ refund: own })]))).toMatch(message);
	});
});

test('Route sends a score to the nearest level, halves to the higher one, and a score off the scale to Uncertain', async () => {
	const low = [0, 0.49999999999999994];
	const middle = [0.5, 1.49];
	const high = [1.5, 2];
	const off = [-0.1, 2.1, 7];
	const answers = [...low, ...middle, ...high, ...off].map((value) => score(value));
	expect(await routesOf(scoreOf('low', 'middle', 'high'), answers)).toEqual([
		...low.map(() => 'low'),
		...middle.map(() => 'middle'),
		...high.map(() => 'high'),
		...off.map(() => 'Uncertain'),
	]);
});

describe('the item that Route outputs', () => {
	const answers = { urgent: noul(0.9), team: choice('b', 0.8) };
	const questions = [urgent, choiceOf('a', 'b')];

	test('has the columns of all questions, the column route, and the input fields and files', async () => {
		answerByItem([answers]);
		const binary = { file: { data: 'aGk=', mimeType: 'text/plain' } };
		const outputs = await decision.outputs(routing(questions, { routeQuestion: 'team' }), {
			items: [{ json: { n: 0, route: 'old' }, binary }],
		});
		expect(outputs.map((items) => items.length)).toEqual([0, 0, 1]);
		expect(outputs[2]![0]).toMatchObject({ binary, pairedItem: { item: 0 } });
		expect(outputs[2]![0]!.json).toEqual({
			n: 0,
			urgent: 0.9,
			urgent_yes: true,
			team: 'b',
			team_confidence: 0.8,
			route: 'b',
		});
	});

	test('has the column route next to Output Field', async () => {
		answerByItem([answers]);
		const options = { outputField: 'decision', includeOtherFields: false, includeMetadata: true };
		const outputs = await decision.outputs(routing(questions, { options }));
		expect(outputs[1]![0]!.json).toMatchObject({
			decision: { urgent: 0.9, urgent_yes: true, team: 'b', team_confidence: 0.8 },
			route: 'Yes',
			model: 'Kev-4B',
		});
	});

	test('is the response body without a column route with Simplify off', async () => {
		answerByItem([answers]);
		const outputs = await decision.outputs(routing(questions, { simplify: false }));
		expect(outputs.map((items) => items.length)).toEqual([0, 1, 0]);
		expect(outputs[1]![0]!.json).toEqual({
			model: 'Kev-4B',
			answers,
			usage: {},
			trace_id: expect.any(String),
		});
	});

	test('is about the questions in the fields, even if Questions (JSON) is still stored', async () => {
		answerByItem([answers]);
		const left = { questionsSource: 'json', questionsJson: '{"x": 1}' };
		const outputs = await decision.outputs({ ...left, ...routing(questions) });
		expect(outputs[1]).toHaveLength(1);
	});

	test('follows its own instructions and thresholds if they are expressions', async () => {
		answerByItem([{ urgent: noul(0.6) }, { urgent: noul(0.6) }]);
		const question = { ...urgent, instructions: '=Is {{ $json.name }} urgent?' };
		const more = { routing: { yesAtLeast: '={{ $json.least }}' }, options: { concurrency: 1 } };
		const outputs = await decision.outputs(routing([question], more), {
			items: [
				{ n: 0, name: 'one', least: 0.7 },
				{ n: 1, name: 'two', least: 0.6 },
			],
		});
		expect(outputs.map((items) => items.map(({ json }) => json.n))).toEqual([[0], [1], []]);
		const asked = emulator.requests.map(({ body }) => (body as IDataObject).questions);
		expect(asked).toMatchObject([
			{ urgent: { instructions: 'Is one urgent?' } },
			{ urgent: { instructions: 'Is two urgent?' } },
		]);
	});
});

test('the list of Route by Question has First Question, and each question by its ID', async () => {
	const { properties } = decisionType.description;
	const { typeOptions } = properties.find(({ name }) => name === 'routeQuestion')!;
	const choicesOf = async (parameters: INodeParameters) => {
		const { workflow, node } = saved(parameters);
		const additionalData = { currentNodeParameters: parameters } as IWorkflowExecuteAdditionalData;
		const context = new LoadOptionsContext(workflow, node, additionalData, 'routeQuestion');
		return await decisionType.methods!.loadOptions![typeOptions!.loadOptionsMethod!]!.call(context);
	};
	const first = { name: 'First Question', value: '' };
	expect(await choicesOf({})).toEqual([first]);
	expect(await choicesOf(routing([urgent, { ...urgent, id: '' }, choiceOf('a'), urgent, { id: 7 }]))).toEqual(
		[first, ...['urgent', 'team', '7'].map((id) => ({ name: id, value: id }))],
	);
});

describe('before it sends a request, Route', () => {
	test.each<[name: string, parameters: INodeParameters, message: RegExp | string]>([
		[
			'an ID that is an expression',
			routing([{ ...urgent, id: '={{ $json.n }}' }]),
			wrongParameter('questions: question 1: ID', 'must be a fixed value'),
		],
		[
			'a type that is an expression',
			routing([urgent, { ...urgent, id: '', type: '={{ "noul" }}' }]),
			wrongParameter('questions: question 2: type', 'must be a fixed value'),
		],
		[
			'a name of an option that is an expression',
			routing([urgent, choiceOf('a', '=b {{ $json.n }}')]),
			/^question "team": each option's name must be a fixed value/,
		],
		[
			'a level that is an expression',
			routing([scoreOf('a', '=b')]),
			/^question "upset": each level must be a fixed/,
		],
		[
			'options that are an expression',
			routing([{ ...choiceOf(), options: '={{ [] }}' }]),
			/^question "team" must have .* option/,
		],
		[
			'questions that are an expression',
			{ operation: 'route', questions: '={{ $json.q }}' },
			/must have at least one question/,
		],
		[
			'a Route by Question that is an expression',
			routing([urgent], { routeQuestion: '={{ "urgent" }}' }),
			wrongParameter('routeQuestion', 'must be a fixed value'),
		],
		[
			'an unknown question',
			routing([urgent], { routeQuestion: 'team' }),
			wrongParameter('routeQuestion', 'must be the ID of a question ("urgent"), not "team"'),
		],
		['two equal levels', routing([scoreOf('a', 'b', 'a')]), /question "upset".*two levels "a"/],
		[
			'two levels that differ by blanks',
			routing([scoreOf('a', 'b', ' a')]),
			/question "upset".*two levels "a"/,
		],
		[
			'two levels that look the same',
			routing([scoreOf('very low', 'very\u00a0low')]),
			/question "upset".*two levels "very low"/,
		],
		[
			'an option that looks like Uncertain',
			routing([choiceOf('a', 'Uncertain\u200b')]),
			/question "team".*option named "Uncertain"/,
		],
		[
			'two levels in two Unicode forms',
			routing([scoreOf('é', 'e\u0301')]),
			/question "upset".*two levels "é"/,
		],
		[
			'an option called Uncertain with a blank',
			routing([choiceOf('a', ' Uncertain ')]),
			/question "team".*option named "Uncertain"/,
		],
		[
			'an option called Uncertain',
			routing([choiceOf('a', 'Uncertain')]),
			/question "team".*option named "Uncertain"/,
		],
		['a level called Uncertain', routing([scoreOf('a', 'Uncertain')]), /question "upset".*level "Uncertain"/],
		[
			'thresholds that overlap',
			routing([urgent], { routing: { yesAtLeast: 0.4, noBelow: 0.5 } }),
			/\(routing\.noBelow\) must not exceed .*\(routing\.yesAtLeast\).*0\.5.*0\.4/,
		],
		[
			'a threshold out of range',
			routing([urgent], { routing: { yesAtLeast: 1.5 } }),
			wrongParameter('routing.yesAtLeast', 'must be a number from 0 to 1'),
		],
		[
			'a confidence in per cent',
			routing([choiceOf('a')], { routing: { minConfidence: 70 } }),
			wrongParameter('routing.minConfidence', 'must be a number from 0 to 1: write 0.7'),
		],
		[
			'a confidence out of range',
			routing([choiceOf('a')], { routing: { minConfidence: -1 } }),
			wrongParameter('routing.minConfidence', 'must be a number from 0 to 1'),
		],
		[
			'a question called route',
			routing([{ ...urgent, id: 'route' }]),
			/question "route".*which the node adds itself/,
		],
		[
			'answers under a field called route',
			routing([urgent], { options: { outputField: 'route' } }),
			wrongParameter('options.outputField', 'must not be "route"'),
		],
		[
			'a share of spot checks out of range',
			routing([urgent], { options: { spotCheck: 101 } }),
			wrongParameter('options.spotCheck', 'must be a number from 0 to 100'),
		],
		[
			'another question that is not complete',
			routing([urgent, scoreOf('a')]),
			/question "upset" must have 2 to 10 levels/,
		],
	])('refuses %s', async (_, parameters, message) => {
		expect(await decision.refusal(parameters)).toMatch(message);
	});

	test.each<[name: string, questions: object[]]>([
		[
			'expressions that are left from before a question became yes or no',
			[
				{
					...urgent,
					options: { option: [{ name: '={{ $json.n }}' }] },
					levels: { level: [{ description: '={{ $json.n }}' }] },
				},
			],
		],
		[
			'equal levels, and an option called Uncertain, in a question that is not routed by',
			[urgent, scoreOf('same', 'same'), choiceOf('Uncertain')],
		],
	])('accepts %s', async (_, questions) => {
		const outputs = await decision.outputs(routing(questions));
		expect(outputs.flat()[0]!.json).toHaveProperty('route');
	});

	test('accepts a question called route if Output Field is set or Simplify is off', async () => {
		answerByItem([{ route: noul(1) }]);
		const question = { ...urgent, id: 'route' };
		for (const more of [{ options: { outputField: 'decision' } }, { simplify: false }]) {
			const outputs = await decision.outputs(routing([question], more));
			expect(outputs[1]).toHaveLength(1);
		}
	});
});

describe('for items with nothing to send, Route', () => {
	const NOTHING = { urgent: null, urgent_yes: null, route: 'Uncertain' };

	test.each<[name: string, input: INodeParameters, empty: IDataObject[]]>([
		['a blank text', { stateSource: 'text', stateText: '={{ $json.a }}' }, [{ a: ' ' }, { a: '' }]],
		[
			'a text in which nobody sees anything',
			{ stateSource: 'text', stateText: '={{ $json.a }}' },
			[{ a: '\u200b' }, { a: '\u200e\n' }],
		],
		['chosen fields that are empty', { stateFields: 'a, b' }, [{ a: null }, { b: '\n' }, { n: 1 }]],
	])('takes the output Uncertain without a request: %s', async (_, input, empty) => {
		const body = { model: 'x', answers: { urgent: noul(1) }, usage: {} };
		emulator.answer(body);
		const items = [...empty, { n: 3, a: 'Help!' }];
		const { hint, outputs } = await decision.run(routing([urgent], input), { items });
		expect(outputs().map((list) => list.length)).toEqual([empty.length, 1, 0]);
		expect(outputs()[0]!.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
			empty.map((item, index) => [{ ...item, ...NOTHING }, { item: index }]),
		);
		expect(emulator.requests).toHaveLength(1);
		expect(hint()).toContain(
			`${empty.length} items had nothing to send.<br><b>urgent</b>: yes (1)<br>Outputs: Uncertain ${empty.length}, Yes 1`,
		);
	});

	test('outputs null in every column, and no body with Simplify off', async () => {
		const parameters = routing([urgent], {
			stateFields: 'a',
			options: { includeMetadata: true, spotCheck: 100 },
		});
		const items = [{ a: '' }];
		expect((await decision.outputs(parameters, { items }))[0]![0]!.json).toEqual({
			...NOTHING,
			a: '',
			spot_check: false,
			...{ model: null, input_tokens: null, output_tokens: null, trace_id: null },
		});
		const raw = routing([urgent], { stateFields: 'a', simplify: false });
		expect((await decision.outputs(raw, { items }))[0]![0]!.json).toEqual({ trace_id: null });
		expect(emulator.requests).toEqual([]);
	});

	test.each<[name: string, input: INodeParameters, items: IDataObject[]]>([
		['text that is empty in the node', { stateSource: 'text', stateText: ' ' }, [{ a: 'x' }]],
		['an expression that is empty in the node', { stateSource: 'text', stateText: '= ' }, [{ a: 'x' }]],
		['an expression without a value', { stateSource: 'text', stateText: '={{ $json.b }}' }, [{ a: 'x' }]],
		['chosen fields that no item has', { stateFields: 'b, c' }, [{ a: 'x' }, { a: 'y' }]],
		['an item without fields', {}, [{}]],
		...['tokenBudget', 'timeout', 'maxRetries', 'maxWait'].map(
			(option): [string, INodeParameters, IDataObject[]] => [
				`a wrong ${option}`,
				{ stateFields: 'a', options: { [option]: '={{ "x" }}' } },
				[{ a: '' }],
			],
		),
	])(
		'fails each of them without a request if nothing can be sent by mistake: %s',
		async (_, input, items) => {
			const outputs = await decision.outputs(routing([urgent], input), {
				items,
				onError: 'continueErrorOutput',
			});
			expect(outputs.map((list) => list.length)).toEqual([0, 0, 0, items.length]);
			expect(emulator.requests).toEqual([]);
		},
	);
});

describe('if items fail, Route', () => {
	/** Each row has a number of outputs, a question, and an answer to it that takes the last output. */
	const shapes: Array<[number, object, object]> = [
		[3, urgent, { urgent: noul(0) }],
		[12, choiceOf(...'abcdefghijk'), { team: choice('k') }],
	];
	const failingItems = ['y', null, 'z'].map((a, index) => ({ n: index + 1, a }));
	const items = [{ n: 0, a: 'x' }, ...failingItems];
	/** Makes the second item get a 403, the fourth a response without an answer, and the third an error without a request. */
	const failing = (question: object, good: object) => {
		emulator.fault({ bodyIncludes: 'y!', status: 403, body: 'no' });
		emulator.answer({ model: 'x', answers: {}, usage: {} }, { bodyIncludes: 'z!' });
		emulator.answer({ model: 'x', answers: good, usage: {} }, { times: Infinity });
		return routing([question], {
			stateSource: 'text',
			stateText: '={{ $json.a && $json.a + "!" }}',
			options: { maxRetries: 0 },
		});
	};

	test.each(shapes)(
		'sends them to Uncertain with On Error on Continue, with %d outputs',
		async (count, question, good) => {
			const parameters = failing(question, good);
			const outputs = await decision.outputs(parameters, { items, onError: 'continueRegularOutput' });
			expect(outputs.map((list) => list.length)).toEqual([3, ...Array<number>(count - 2).fill(0), 1]);
			expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([1, 2, 3].map((item) => ({ item })));
			const errors = outputs[0]!.map(({ json }) => readErrorItem(json));
			expect(errors.map(({ error }) => error.http_status)).toEqual([403, null, 200]);
			expect(errors.map(({ others }) => others)).toEqual(failingItems);
			expect(outputs[count - 1]![0]).toMatchObject({ json: { n: 0 }, pairedItem: { item: 0 } });
		},
	);

	test.each(shapes)(
		'sends them to the error output, which comes after the other %d',
		async (count, question, good) => {
			const parameters = failing(question, good);
			const outputs = await decision.outputs(parameters, { items, onError: 'continueErrorOutput' });
			expect(outputs.map((list) => list.length)).toEqual([...Array<number>(count - 1).fill(0), 1, 3]);
			const errors = outputs[count]!.map(({ json }) => readErrorItem(json));
			expect(errors.map(({ error }) => error.item_index)).toEqual([1, 2, 3]);
			expect(errors.map(({ others }) => others)).toEqual(failingItems);
		},
	);
});

describe('an answer with an impossible value under Route', () => {
	test.each<[name: string, first: object, second: object]>([
		['no value', { type: 'noul' }, choice('a')],
		['a probability above 1', noul(1.5), choice('a')],
		['a number as text', { type: 'noul', noul: '0.93' }, choice('a')],
		['an option that was not offered', noul(1), choice('zzz')],
	])('sends its item to Uncertain, even beside a possible one: %s', async (_, first, second) => {
		for (const routeQuestion of ['urgent', 'team']) {
			answerByItem([{ urgent: first, team: second }]);
			const outputs = await decision.outputs(routing([urgent, choiceOf('a')], { routeQuestion }));
			expect(outputs.map((list) => list.length).slice(1)).not.toContain(1);
			expect(outputs[0]![0]!.json).toMatchObject({ route: 'Uncertain' });
		}
	});

	test('has null in its columns, and other answers have their values', async () => {
		answerByItem([{ urgent: noul(5), team: choice('a', 0.8) }]);
		const outputs = await decision.outputs(routing([urgent, choiceOf('a')]));
		expect(outputs[0]![0]!.json).toEqual({
			n: 0,
			urgent: null,
			urgent_yes: null,
			team: 'a',
			team_confidence: 0.8,
			route: 'Uncertain',
		});
	});
});

describe('Spot Check (Percent)', () => {
	const count = 200;
	const items = Array.from({ length: count }, (_, n) => ({ n }));
	const question = choiceOf('a', 'b');
	const withOption = (spotCheck: number, more: object = {}) =>
		routing([question], { options: { spotCheck }, ...more });
	const answers = items.map(({ n }) => ({ team: choice(n % 2 === 0 ? 'a' : 'b', n % 4 === 3 ? 0.1 : 0.9) }));

	/** Returns the numbers of the items that this percentage of spot checks chooses. */
	async function chosenAt(spotCheck: number): Promise<number[]> {
		answerByItem(answers);
		const outputs = await decision.outputs(withOption(spotCheck), { items });
		outputs.forEach((list, output) => {
			for (const { json } of list) {
				const route = (json.n as number) % 2 === 0 ? 'a' : 'b';
				expect(json).toMatchObject({ route, spot_check: output === 0 });
				if (output > 0) expect(route).toBe(['a', 'b'][output - 1]);
			}
		});
		return outputs[0]!.map(({ json }) => json.n as number);
	}

	test('chooses about this share of items, always the same ones, and more of them for a larger share', async () => {
		const two = await chosenAt(2);
		expect(two).toEqual([2, 26, 128, 146]);
		const thirty = await chosenAt(30);
		// A draw of each item with this chance differs from the mean by less than two standard deviations 19 times in 20.
		const standardDeviation = Math.sqrt(count * 0.3 * (1 - 0.3));
		expect(Math.abs(thirty.length - 0.3 * count)).toBeLessThan(2 * standardDeviation);
		expect(thirty).toEqual(expect.arrayContaining(two));
	});

	test('sends only clear answers to Uncertain, and the hint counts them', async () => {
		answerByItem(answers);
		const parameters = withOption(100, { routing: { minConfidence: 0.5 } });
		const { hint, outputs } = await decision.run(parameters, { items: items.slice(0, 4) });
		expect(outputs()[0]!.map(({ json }) => [json.spot_check, json.route])).toEqual([
			[true, 'a'],
			[true, 'b'],
			[true, 'a'],
			[false, 'Uncertain'],
		]);
		expect(hint()).toContain('<br>Clear answers sent to Uncertain as spot checks: 3');
	});

	test('adds its column with Simplify off too, to every item that did not fail, also to one with nothing to send', async () => {
		answerByItem(answers);
		const run = async (spotCheck: number) =>
			await decision.outputs(withOption(spotCheck, { simplify: false, stateFields: 'n' }), {
				items: [{ n: 0 }, { n: null }],
			});
		const checked = await run(100);
		expect(checked.map((list) => list.map(({ json }) => json.spot_check))).toEqual([[true, false], [], []]);
		expect(checked[0]![1]!.json).toEqual({ trace_id: null, spot_check: false });
		for (const { json } of (await run(0)).flat()) expect(json).not.toHaveProperty('spot_check');
	});

	async function hintWith(spotCheck: unknown): Promise<string> {
		answerByItem(answers);
		const parameters = routing([question], { options: { spotCheck } });
		return await decision.hint(parameters, { items: items.slice(0, 2) });
	}

	test.each([
		[0.5, 'about one in 200 clear answers. For 50 percent, write 50.'],
		[0.05, 'about one in 2,000 clear answers. For 5 percent, write 5.'],
		['={{ 0.3 }}', 'about one in 333 clear answers. For 30 percent, write 30.'],
	])('below 1 has a hint that says one in how many it is: %s', async (spotCheck, expected) => {
		expect(await hintWith(spotCheck)).toContain(expected);
	});

	test.each([0, 1])('of %s has no hint about what it means', async (spotCheck) => {
		expect(await hintWith(spotCheck)).not.toContain('Spot Check');
	});

	test('refuses a question called spot_check, which is accepted without it', async () => {
		const spot = { ...urgent, id: 'spot_check' };
		answerByItem([{ spot_check: noul(0.9) }]);
		const outputs = await decision.outputs(routing([spot]));
		expect(outputs[1]![0]!.json).toMatchObject({ spot_check: 0.9, route: 'Yes' });
		await expect(decision.outputs(routing([spot], { options: { spotCheck: 1 } }))).rejects.toMatchObject({
			message: expect.stringContaining(
				'question "spot_check" has the output column "spot_check", which the node adds itself',
			),
		});
	});
});

describe('with random questions and answers under Route,', () => {
	// Texts that begin with "=", or do so without the blanks around them, are left out: they count as expressions.
	const word = fc
		.oneof(
			fc.constantFrom('a', 'b', '1', '2', '10', '__proto__', 'Uncertain', 'Yes', 'é', '', 'error', 'route'),
			fc.constantFrom(' a', '\u00a0b ', 'e\u0301', 'a\u00ad', '1\u200b'),
			fc.string({ unit: 'grapheme', maxLength: 5 }),
		)
		.filter((text) => !text.trim().startsWith('='));
	const wildQuestion = fc.oneof(
		fc.record({ id: word, type: fc.constant('noul'), instructions: word }),
		fc.record({
			id: word,
			type: fc.constant('choice'),
			instructions: word,
			options: fc.record({
				option: fc.array(fc.record({ name: word, description: word }), { maxLength: 12 }),
			}),
		}),
		fc.record({
			id: word,
			type: fc.constant('score'),
			instructions: word,
			levels: fc.record({ level: fc.array(fc.record({ description: word }), { maxLength: 11 }) }),
		}),
	);
	const names = (most: number, least: number) =>
		fc.uniqueArray(
			word.map((name) => `${name}.`),
			// Names that look the same are refused, as another test says.
			{ minLength: least, maxLength: most, selector: visibleText },
		);
	const soundQuestion = fc.oneof(
		fc.constant(urgent),
		names(12, 1).map((list) => choiceOf(...list)),
		names(10, 2).map((list) => scoreOf(...list)),
	);

	const anyNumber = fc.oneof(
		fc.constantFrom(0, 0.5, 1, -0.5, 1.5),
		fc.double({ noNaN: true, min: -1, max: 11 }),
	);
	const confidence = fc.oneof(
		fc.constantFrom(undefined, null, 'high', 0, 0.5, 1),
		fc.double({ min: -1, max: 100, noNaN: true }),
	);
	/** Makes an answer before its question is known: `place` becomes an option, or `word` an unknown one. */
	const soundAnswer = fc.record({ value: anyNumber, place: fc.nat(13), word, confidence });
	const wildAnswer = fc.constantFrom({}, null, 'yes', { type: 'noul' }, { type: 'noul', noul: 'yes' });
	const share = fc.oneof(fc.constantFrom(undefined, 0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));

	type Drawn = typeof soundAnswer extends fc.Arbitrary<infer Value> ? Value : never;
	type Asked = { id: string; type: string; options?: { option: Array<{ name: string }> } };

	const answerTo = ({ type, options }: Asked, { value, place, word: name, confidence: sure }: Drawn) => {
		if (type === 'noul') return { type, noul: value };
		if (type === 'score') return { type, score: value, confidence: sure };
		return { type, choice: options!.option[place]?.name ?? `${name}?`, confidence: sure };
	};

	const isUsable = (
		{ type, options, levels }: Asked & { levels?: { level: object[] } },
		{ value, place }: Drawn,
	): boolean => {
		const rounding = 1e-6;
		const isWithin = (number: unknown, highest: number) =>
			typeof number === 'number' && number >= -rounding && number <= highest + rounding;
		if (type === 'noul') return isWithin(value, 1);
		return type === 'choice' ? place < options!.option.length : isWithin(value, levels!.level.length - 1);
	};

	/** Computes the index of the output by the rule of the contract, where 0 is Uncertain. */
	function expectedOutput(
		{ type }: Asked,
		{ value, place, confidence: sure }: Drawn,
		{ yesAtLeast = 0.5, noBelow = 0.5, minConfidence = 0 }: Partial<Record<string, number>>,
	): number {
		if (type === 'noul') {
			const probability = Math.min(Math.max(value, 0), 1);
			if (probability >= yesAtLeast) return 1;
			return probability < noBelow ? 2 : 0;
		}
		if (minConfidence > 0 && !(typeof sure === 'number' && sure >= minConfidence)) return 0;
		if (type === 'choice') return place + 1;
		return Math.floor(value + 0.5) + 1;
	}

	const oneQuestion = fc.uniqueArray(soundQuestion, { minLength: 1, maxLength: 3, selector: ({ id }) => id });

	test('an answer takes the output that the thresholds say, or Uncertain if it is impossible', async () => {
		const seen = new Set<number>();
		await fc.assert(
			fc.asyncProperty(
				oneQuestion,
				fc.array(soundAnswer, { minLength: 1, maxLength: 8 }),
				fc
					.record({ yesAtLeast: share, noBelow: share, minConfidence: share })
					.filter(({ yesAtLeast = 0.5, noBelow = 0.5 }) => noBelow <= yesAtLeast),
				fc.nat(2),
				async (questions, drawn, thresholds, place) => {
					emulator.reset();
					const chosen = questions[place % questions.length]!;
					answerByItem(
						drawn.map((one) =>
							Object.fromEntries(questions.map((asked) => [asked.id, answerTo(asked, one)])),
						),
					);
					const parameters = routing(questions, {
						routeQuestion: chosen.id,
						routing: JSON.parse(JSON.stringify(thresholds)) as object,
					});
					const outputs = await decision.outputs(parameters, { items: drawn.map((_, n) => ({ n })) });
					const expected = labelsOf(parameters).map(() => [] as number[]);
					drawn.forEach((one, n) => {
						const areUsable = questions.every((asked) => isUsable(asked, one));
						const output = areUsable ? expectedOutput(chosen, one, thresholds) : 0;
						seen.add(output);
						expected[output]!.push(n);
					});
					expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual(
						expected.map((list) => list.map((item) => ({ item }))),
					);
				},
			),
			{ numRuns: 40 },
		);
		// Random answers usually take more than five outputs, so fewer than three would mean that the test has no variety.
		expect(seen.size).toBeGreaterThan(2);
	});

	test('each item goes to exactly one output, and a failed item never to that of an answer', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.array(wildQuestion, { maxLength: 3 }), oneQuestion),
				fc.array(fc.oneof(soundAnswer, wildAnswer), { minLength: 1, maxLength: 5 }),
				fc.record({ yesAtLeast: share, noBelow: share, minConfidence: share }),
				fc.option(word, { nil: '', freq: 2 }),
				fc.constantFrom('continueRegularOutput' as const, 'continueErrorOutput' as const),
				fc.boolean(),
				async (questions, drawn, thresholds, routeQuestion, onError, simplify) => {
					emulator.reset();
					answerByItem(
						drawn.map((one) =>
							Object.fromEntries(
								questions.map((asked) => [
									asked.id,
									typeof one === 'object' && one && 'value' in one ? answerTo(asked, one) : one,
								]),
							),
						),
					);
					const parameters = routing(questions, {
						routing: JSON.parse(JSON.stringify(thresholds)) as object,
						routeQuestion,
						simplify,
					});
					const outputs = await decision.outputs(parameters, {
						items: drawn.map((_, n) => ({ n })),
						onError,
					});
					const labels = labelsOf(parameters);
					const left: unknown[] = [];
					outputs.forEach((items, output) => {
						for (const { json, pairedItem } of items) {
							left.push(pairedItem);
							if ('error' in json) expect(output).toBe(onError === 'continueErrorOutput' ? labels.length : 0);
							else if (simplify) expect(json.route).toBe(labels[output]);
							else expect(output).toBeLessThan(labels.length);
						}
					});
					expect(left).toHaveLength(drawn.length);
					expect(left).toEqual(expect.arrayContaining(drawn.map((_, item) => ({ item }))));
				},
			),
			{ numRuns: 60 },
		);
	});
});

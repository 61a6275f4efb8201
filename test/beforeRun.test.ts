import { Workflow, type INode, type INodeParameters, type INodeTypes } from 'n8n-workflow';

import { nodeTypes } from './runNode';

const decision = nodeTypes['n8n-nodes-inference-service.decision']!;

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: [{ name: 'cards' }, { name: 'fees' }] },
};
const upset = { id: 'upset', type: 'score', instructions: 'How upset?', levels: levels('calm', 'angry') };

function levels(...descriptions: unknown[]) {
	return { level: descriptions.map((description) => ({ description })) };
}

function parametersOf(operation: string, question: unknown[], more: object = {}): INodeParameters {
	return { operation, questions: { question }, ...more } as unknown as INodeParameters;
}

/** The value of an expression of the node's description for stored parameters, as the editor computes it. */
function evaluate(expression: string, parameters: INodeParameters): unknown {
	const find = () => decision;
	const found: INodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const node: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: found });
	// The workflow has filled in defaults, and the editor has not.
	workflow.nodes.Node!.parameters = parameters;
	return workflow.expression.getSimpleParameterValue(workflow.nodes.Node!, expression, 'internal', {});
}

function hintsFor(parameters: INodeParameters): string[] {
	return (
		decision.description
			// Without items, the editor cannot know how many there are.
			.hints!.filter(({ displayCondition }) => !displayCondition!.includes('$input'))
			.filter(({ displayCondition }) => evaluate(displayCondition!, parameters))
			.map(({ message }) => message)
	);
}

describe('of several missing things, the first is named', () => {
	const NAMED = {
		id: 'A question has no ID',
		instructions: 'A question is empty',
		options: 'A choice has no answer options',
		levels: 'A score needs 2 to 10 levels',
		expression: "With 'Route', IDs, answer options and levels must be fixed values",
		thresholds: "'No Below' is higher than 'Yes at or Above'",
		nothingUncertain: 'Without a threshold, every answer counts as clear',
		noYesOrNoUncertain: 'Without thresholds, every answer counts as clear. Add',
	};

	/** Hints that say what to do, besides those that are always shown. */
	const findingsFor = (parameters: INodeParameters) =>
		hintsFor(parameters).flatMap((message) =>
			Object.entries(NAMED)
				.filter(([, beginning]) => message.startsWith(beginning))
				.map(([name]) => name),
		);

	const tenLevels = Array.from({ length: 10 }, (_, index) => `level ${index}`);

	test.each<[string, unknown[], string[]]>([
		['complete questions of each type', [urgent, team, upset], []],
		['no ID', [{ ...urgent, id: '' }], ['id']],
		['an ID of white space', [{ ...urgent, id: ' ' }], ['id']],
		['an empty expression for an ID', [{ ...urgent, id: '=' }], ['id']],
		['an ID that is left out', [{ ...urgent, id: undefined }], ['id']],
		['an ID that is null', [{ ...urgent, id: null }], ['id']],
		['an expression for an ID', [{ ...urgent, id: '={{ $json.id }}' }], []],
		['one ID twice', [urgent, { ...team, id: 'urgent' }], ['id']],
		['two IDs', [urgent, { ...urgent, id: 'other' }], []],
		['the second has no ID', [urgent, { ...team, id: '' }], ['id']],
		['no instructions', [{ ...urgent, instructions: '' }], ['instructions']],
		['the second has no instructions', [urgent, { ...team, instructions: ' ' }], ['instructions']],
		['a choice without options', [{ ...team, options: {} }], ['options']],
		['a choice with an empty list', [{ ...team, options: { option: [] } }], ['options']],
		[
			'an option without a name',
			[{ ...team, options: { option: [{ name: 'a' }, { name: '' }] } }],
			['options'],
		],
		['options by an expression', [{ ...team, options: '={{ $json.options }}' }], []],
		['a score without levels', [{ ...upset, levels: {} }], ['levels']],
		['one level', [{ ...upset, levels: levels('a') }], ['levels']],
		['ten levels', [{ ...upset, levels: levels(...tenLevels) }], []],
		['eleven levels', [{ ...upset, levels: levels(...tenLevels, 'eleventh') }], ['levels']],
		['a level without a description', [{ ...upset, levels: levels('a', '') }], ['levels']],
		['levels by an expression', [{ ...upset, levels: '={{ $json.levels }}' }], []],
		['options and levels that a yes or no question had before', [{ ...urgent, options: {}, levels: {} }], []],
		['a broken question', [null], ['id']],
	])('%s', (_, questions, findings) => {
		expect(findingsFor(parametersOf('ask', questions))).toEqual(findings);
		// Routing has its own hints only if nothing is missing.
		if (findings.length > 0) expect(findingsFor(parametersOf('route', questions))).toEqual(findings);
	});

	test('the default question lacks its instructions', () => {
		expect(findingsFor({})).toEqual(['instructions']);
		expect(findingsFor({ operation: 'route' })).toEqual(['instructions']);
	});

	test('questions as JSON, and an evaluation, have nothing to fill in here', () => {
		const asJson = { questionsSource: 'json', questionsJson: '{}' };
		expect(findingsFor(parametersOf('ask', [{ ...urgent, id: '' }], asJson))).toEqual([]);
		expect(findingsFor(parametersOf('evaluate', [{ ...urgent, id: '' }]))).toEqual([]);
		// Routing takes no JSON.
		expect(findingsFor(parametersOf('route', [{ ...urgent, id: '' }], asJson))).toEqual(['id']);
	});

	test.each<[string, object]>([
		['an ID', { ...urgent, id: '={{ $json.id }}' }],
		['a name of an option', { ...team, options: { option: [{ name: '={{ $json.a }}' }] } }],
		['options', { ...team, options: '={{ $json.options }}' }],
		['a level', { ...upset, levels: levels('a', '={{ $json.b }}') }],
	])('a route warns of %s given by an expression, which Answer Questions accepts', (_, question) => {
		expect(findingsFor(parametersOf('route', [question]))).toEqual(['expression']);
		expect(findingsFor(parametersOf('ask', [question]))).toEqual([]);
	});

	test.each<[string, unknown[], object, string[]]>([
		['yes or no without thresholds', [urgent], {}, ['noYesOrNoUncertain']],
		['equal thresholds', [urgent], { routing: { yesAtLeast: 0.7, noBelow: 0.7 } }, ['noYesOrNoUncertain']],
		['thresholds with room between', [urgent], { routing: { yesAtLeast: 0.7 } }, []],
		['room below the other default', [urgent], { routing: { noBelow: 0.3 } }, []],
		['thresholds that overlap', [urgent], { routing: { noBelow: 0.6 } }, ['thresholds']],
		['a lower yes', [urgent], { routing: { yesAtLeast: 0.4 } }, ['thresholds']],
		['a threshold by an expression', [urgent], { routing: { noBelow: '={{ 0.9 }}' } }, []],
		['the other by an expression', [urgent], { routing: { yesAtLeast: '={{ 0.1 }}' } }, []],
		['a choice without a threshold', [team], {}, ['nothingUncertain']],
		['a choice with a threshold of 0', [team], { routing: { minConfidence: 0 } }, ['nothingUncertain']],
		['a choice with a threshold', [team], { routing: { minConfidence: 0.1 } }, []],
		['a score without a threshold', [upset], {}, ['nothingUncertain']],
		['a choice without a threshold, but with spot checks', [team], { options: { spotCheck: 5 } }, []],
		['a score with a threshold', [upset], { routing: { minConfidence: 0.1 } }, []],
		[
			"a choice with another type's thresholds",
			[team],
			{ routing: { noBelow: 0.6, yesAtLeast: 0.5 } },
			['nothingUncertain'],
		],
		[
			'the second question, routed by',
			[team, urgent],
			{ routeQuestion: 'urgent', routing: { noBelow: 0.6 } },
			['thresholds'],
		],
		[
			'the first question, where none is named',
			[team, urgent],
			{ routeQuestion: ' ', routing: { minConfidence: 0.6 } },
			[],
		],
	])('routing by %s', (_, questions, more, findings) => {
		expect(findingsFor(parametersOf('route', questions, more))).toEqual(findings);
		// Other operations route nothing.
		expect(findingsFor(parametersOf('ask', questions, more))).toEqual([]);
	});

	test('what keeps a node from running is also said after a run, while the node is being changed', () => {
		for (const { type, whenToDisplay } of decision.description.hints!) {
			expect(whenToDisplay).toBe(type === 'warning' ? 'always' : 'beforeExecution');
		}
	});

	test('hints that are always shown fit the operation', () => {
		const uncertain = expect.stringContaining('connect it to a person') as string;
		expect(hintsFor(parametersOf('ask', [urgent]))).toEqual([]);
		const threshold = { routing: { yesAtLeast: 0.7 } };
		expect(hintsFor(parametersOf('route', [urgent], threshold))).toEqual([uncertain]);
		expect(hintsFor(parametersOf('evaluate', []))).toEqual([]);
	});
});

const fees = { ...team, id: 'fees', options: { option: [{ name: 'high' }, { name: 'low' }] } };

const sizes = { ...team, id: 'size', options: { option: [{ name: 's' }, { name: 'm' }, { name: 'l' }] } };

test.each<[string, INodeParameters, string[]]>([
	['none is stored yet', { operation: 'route' }, ['Yes', 'No']],
	['there are none', parametersOf('route', []), []],
	['none is named: of the first', parametersOf('route', [urgent, team]), ['Yes', 'No']],
	[
		'of the one that is named',
		parametersOf('route', [urgent, team], { routeQuestion: 'team' }),
		['cards', 'fees'],
	],
	[
		'two have one ID: of the first',
		parametersOf('route', [team, { ...fees, id: 'team' }], { routeQuestion: 'team' }),
		['cards', 'fees'],
	],
	[
		'the named one is missing: of the one with most',
		parametersOf('route', [urgent, sizes, team], { routeQuestion: 'te' }),
		['s', 'm', 'l'],
	],
	[
		'two have as many: of the first',
		parametersOf('route', [team, fees], { routeQuestion: 'te' }),
		['cards', 'fees'],
	],
	[
		'an answer has no name',
		parametersOf('route', [{ ...upset, levels: levels('calm', '') }]),
		['calm', 'Level 2'],
	],
	['a type is unknown', parametersOf('route', [{ ...urgent, type: 'other' }]), []],
])('the outputs of the questions if %s', (_, parameters, labels) => {
	const outputs = evaluate(String(decision.description.outputs), parameters);
	expect(outputs).toEqual(['Uncertain', ...labels].map((displayName) => ({ type: 'main', displayName })));
});

test('the other operations have one output without a name', () => {
	expect(evaluate(String(decision.description.outputs), parametersOf('ask', [urgent]))).toEqual([
		{ type: 'main' },
	]);
});

test.each<[INodeParameters, string]>([
	[{}, 'Answer answer'],
	[{ operation: 'route' }, 'Route by answer'],
	[parametersOf('ask', [urgent, { ...team, id: '' }]), 'Answer urgent, ?'],
	[parametersOf('route', [urgent, team, upset]), 'Route by urgent'],
	[parametersOf('route', [urgent, team, upset], { routeQuestion: 'team' }), 'Route by team'],
	[parametersOf('ask', [urgent, team, upset]), 'Answer urgent, team, upset'],
	[parametersOf('ask', [urgent, team, upset, urgent, team]), 'Answer urgent, team, upset and 2 more'],
	[parametersOf('ask', []), 'Answer ?'],
	[parametersOf('route', []), 'Route by ?'],
	[{ operation: 'ask', questions: {} }, 'Answer ?'],
	[{ operation: 'ask', questionsSource: 'json', questionsJson: '{}' }, 'Answer questions as JSON'],
	[parametersOf('route', [urgent], { questionsSource: 'json' }), 'Route by urgent'],
	[{ operation: 'evaluate' }, 'Evaluate answers'],
])('%j has the subtitle %s', (parameters, subtitle) => {
	expect(evaluate(String(decision.description.subtitle), parameters)).toBe(subtitle);
});

import { ExecuteContext } from 'n8n-core';
import type { IConnections, INode, IRun } from 'n8n-workflow';

import { PassOn } from '../../engine/builtInNodes';
import { START } from '../../engine/behindTrigger';
import { runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { credentialTypes, nodeTypes } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

/** Describes a workflow that routes items by the option that their text names. */
interface Sorting extends Partial<Omit<WorkflowRun, 'workflow' | 'items'>> {
	options?: string[];
	/** Holds the names of the nodes behind each output, from Uncertain on, each with the index of its input if that is not 0. */
	targets?: string[][];
	items?: string[];
	onError?: INode['onError'];
	parameters?: object;
}

const OPTIONS = ['garden', 'keys', 'noise', 'rent'];

const NODES = ['Person', 'Mail garden', 'Mail keys', 'Mail noise', 'Mail rent'];

const TARGETS = NODES.map((name) => [name]);

const to = (target: string) => {
	const [node = '', index = '0'] = target.split(':');
	return { node, type: 'main' as const, index: Number(index) };
};

const MERGE = new PassOn('merge', 1, [], ['main', 'main']);

/** A node that is renamed keeps its ID. */
const idOf = (name: string) => name.replace(' renamed', '');

const node = (name: string, more: Partial<INode>): INode => ({
	id: idOf(name),
	name,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...more,
});

const choiceOf = (options: string[]) => ({
	id: 'topic',
	type: 'choice',
	instructions: 'Which topic?',
	options: { option: options.map((name) => ({ name })) },
});

async function sort({
	options = OPTIONS,
	targets = TARGETS,
	items = ['keys'],
	...more
}: Sorting = {}): Promise<IRun> {
	const { onError, parameters, ...run } = more;
	const sorter = node('Sort', {
		type: 'n8n-nodes-inference-service.decision',
		parameters: { operation: 'route', questions: { question: [choiceOf(options)] }, ...parameters },
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
		...(onError ? { onError } : {}),
	});
	const connections: IConnections = {
		[START.name]: { main: [[to('Sort')]] },
		...(targets.length > 0 ? { Sort: { main: targets.map((names) => names.map(to)) } } : {}),
	};
	const names = [...new Set([...NODES, ...targets.flat().map((target) => to(target).node)])];
	const typeOf = (name: string) => (name === 'Merge' ? { type: 'test.merge' } : {});
	return await runWorkflow({
		workflow: { nodes: [START, sorter, ...names.map((name) => node(name, typeOf(name)))], connections },
		nodeTypes: { ...nodeTypes, 'test.merge': MERGE },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		items: items.map((text) => ({ json: { text } })),
		...run,
	});
}

/** Returns the lines of the hint after a run that are about connections. */
function wireLines(run: IRun): string[] {
	const [hint] = run.data.resultData.runData.Sort!.at(-1)!.hints ?? [];
	return (hint?.message ?? '').split('<br>').filter((line) => /connect|lead/.test(line));
}

const sortAndRead = async (sorting?: Sorting) => wireLines(await sort(sorting));

const leadsTo = (label: string, target: string) =>
	`"${label}" now leads to ${target}: check the connections.`;

interface Asked {
	state: { text: string };
	questions: Record<string, { type: string }>;
}

beforeEach(() => {
	emulator.fault({
		path: '/systemone',
		times: Infinity,
		respond: ({ body }) => {
			const { state, questions } = body as Asked;
			if (state.text === 'fail') return { status: 400 };
			const all: Record<string, object> = {
				choice: { type: 'choice', choice: state.text, confidence: 0.9 },
				noul: { type: 'noul', noul: 0.9 },
				score: { type: 'score', score: 1, confidence: 0.9 },
			};
			// A tag is asked for as a yes or no, with its name in the ID.
			const tags = state.text.split(' ').map((tag) => `: ${tag}`);
			const answerTo = (id: string, type: string) =>
				id.includes(': ') && !tags.some((tag) => id.endsWith(tag)) ? { type, noul: 0.1 } : all[type];
			const answers = Object.fromEntries(
				Object.entries(questions).map(([id, { type }]) => [id, answerTo(id, type)]),
			);
			return { status: 200, body: { model: 'Kev-4B', answers, usage: {} } };
		},
	});
});

describe('an output that is connected to nothing', () => {
	test('is named with the number of items that left by it', async () => {
		const targets = [['Person'], [], ['Mail keys']];
		const items = ['garden', 'garden', 'keys', 'garden', 'rent'];
		expect(await sortAndRead({ targets, items })).toEqual([
			'3 items left by "garden", which is connected to nothing: connect it to a node.',
			'1 item left by "rent", which is connected to nothing: connect it to a node.',
		]);
	});

	test('is named Uncertain if impossible answers and failed items leave by it', async () => {
		const targets = [[], ...TARGETS.slice(1)];
		const items = ['unknown', 'fail', 'keys'];
		expect(await sortAndRead({ targets, items, onError: 'continueRegularOutput' })).toEqual([
			'2 items left by "Uncertain", which is connected to nothing: connect it to a node.',
		]);
	});

	test('is not named for items that leave by the error output', async () => {
		const targets = [[], ...TARGETS.slice(1)];
		const items = ['fail', 'keys'];
		expect(await sortAndRead({ targets, items, onError: 'continueErrorOutput' })).toEqual([]);
	});

	test.each<[string, Sorting]>([
		['no item left by it', { targets: [['Person'], [], ['Mail keys']], items: ['keys'] }],
		['the workflow ends with the node', { targets: [] }],
		['the node does not route', { targets: [[], ['Person']], parameters: { operation: 'ask' } }],
	])('is not named if %s', async (_, sorting) => {
		expect(await sortAndRead(sorting)).toEqual([]);
	});

	test('has its name escaped', async () => {
		expect(
			await sortAndRead({
				options: ['<b>bins', 'keys'],
				targets: [[], [], ['Mail keys']],
				items: ['<b>bins'],
			}),
		).toEqual(['1 item left by "&lt;b&gt;bins", which is connected to nothing: connect it to a node.']);
	});

	test('is not named where n8n redacts the data of executions', async () => {
		jest.spyOn(ExecuteContext.prototype, 'isConsoleOutputRedacted').mockReturnValue(true);
		expect(await sortAndRead({ targets: [['Person']], items: ['keys', 'garden'] })).toEqual([
			'2 items left by an output that is connected to nothing.',
		]);
	});

	test('is not named after "Execute step", for which n8n hands over only what leads up to the node', async () => {
		const after = await sort();
		expect(await sortAndRead({ step: { node: 'Sort', after } })).toEqual([]);
		expect(await sortAndRead({ step: { node: 'Mail garden', after }, items: ['keys'] })).toEqual([]);
	});
});

describe('a node that gets an item by several outputs', () => {
	/** The outputs are Uncertain, None, garden, keys, noise and rent. */
	const tagged = (more: Sorting): Sorting => ({
		parameters: { questions: { question: [{ ...choiceOf(OPTIONS), type: 'tags' }] } },
		...more,
	});
	const said = (name: string, items: string) =>
		`"${name}" gets ${items} more than once, by several outputs that lead to it. To have each once, join the outputs with 'Merge' before it, and add 'Remove Duplicates'.`;
	const to = (...four: string[][]) => [['Person'], ['Person'], ...four];
	const ONE = to(['Mail'], ['Mail'], ['Mail noise'], ['Mail rent']);

	test('is named with the number of these items, and n8n runs it once for each output', async () => {
		const items = ['garden keys', 'keys', 'garden keys noise', 'noise rent'];
		const run = await sort(tagged({ targets: ONE, items }));
		expect(wireLines(run)).toEqual([said('Mail', '2 items')]);
		expect(run.data.resultData.runData.Mail).toHaveLength(2);
	});

	test('counts an item once that left by more than two outputs', async () => {
		const targets = to(['Mail'], ['Mail'], ['Mail'], ['Mail', 'Mail rent']);
		expect(await sortAndRead(tagged({ targets, items: ['garden keys noise rent'] }))).toEqual([
			said('Mail', '1 item'),
		]);
	});

	test('is named with its name escaped, for each such node', async () => {
		const targets = to(['<i>', 'Log'], ['<i>', 'Log'], [], ['Log']);
		expect(await sortAndRead(tagged({ targets, items: ['garden keys', 'keys rent'] }))).toEqual([
			said('&lt;i&gt;', '1 item'),
			said('Log', '2 items'),
		]);
	});

	test('is named if it is a Merge whose outputs lead to one input', async () => {
		const targets = to(['Merge:1'], ['Merge:1'], ['Merge'], []);
		expect(await sortAndRead(tagged({ targets, items: ['garden keys noise'] }))).toEqual([
			said('Merge', '1 item'),
		]);
	});

	test.each<[name: string, sorting: Sorting]>([
		['each item left by one of the outputs', tagged({ targets: ONE, items: ['garden', 'keys', 'garden'] })],
		['the outputs lead to different nodes', tagged({ targets: ONE, items: ['keys noise', 'garden rent'] })],
		[
			'the outputs lead to different inputs of a Merge',
			tagged({ targets: to(['Merge'], ['Merge:1'], [], []), items: ['garden keys'] }),
		],
		[
			'the outputs are those of a choice',
			{ targets: [['Mail'], ['Mail'], ['Mail']], items: ['garden', 'keys'] },
		],
		['the items failed', tagged({ targets: ONE, items: ['fail', 'fail'], onError: 'continueRegularOutput' })],
	])('is not named if %s', async (_, sorting) => {
		expect(await sortAndRead(sorting)).toEqual([]);
	});

	test('is not named after "Execute step", nor where n8n redacts the data of executions', async () => {
		const sorting = tagged({ targets: ONE, items: ['garden keys'] });
		const after = await sort(sorting);
		expect(await sortAndRead({ ...sorting, step: { node: 'Sort', after } })).toEqual([]);
		jest.spyOn(ExecuteContext.prototype, 'isConsoleOutputRedacted').mockReturnValue(true);
		expect(await sortAndRead(sorting)).toEqual([]);
	});
});

describe('a label that leads to another node than in an earlier run', () => {
	const URGENT = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
	const TOPIC = choiceOf(OPTIONS);
	const LEVELS = { level: ['calm', 'angry', 'furious'].map((description) => ({ description })) };
	const asking = (...question: object[]) => ({ parameters: { questions: { question } } });
	const replaces = (label: string, target: string, replaced: string) =>
		`"${label}" leads to "${target}", where "${replaced}" led before: check the connections.`;
	const WITHOUT_KEYS = {
		options: ['garden', 'noise', 'rent'],
		targets: TARGETS.slice(0, 4),
		items: ['noise'],
	};

	test('is named after an option before it was deleted, until options or connections change', async () => {
		await sort();
		const moved = [leadsTo('noise', '"Mail keys"'), leadsTo('rent', '"Mail noise"')];
		expect(await sortAndRead(WITHOUT_KEYS)).toEqual(moved);
		expect(await sortAndRead(WITHOUT_KEYS)).toEqual(moved);
		const [hint] = (await sort(WITHOUT_KEYS)).data.resultData.runData.Sort!.at(-1)!.hints ?? [];
		expect(hint).toMatchObject({ type: 'warning', message: expect.stringMatching(/^"noise" now leads to/) });
		const repaired = ['Person', 'Mail garden', 'Mail noise', 'Mail rent'].map((name) => [name]);
		expect(await sortAndRead({ ...WITHOUT_KEYS, targets: repaired })).toEqual([]);
		expect(await sortAndRead({ ...WITHOUT_KEYS, targets: repaired })).toEqual([]);
	});

	test.each<[name: string, change: Sorting, lines: string[]]>([
		[
			'options were swapped',
			{ options: ['keys', 'garden', 'noise', 'rent'] },
			[leadsTo('keys', '"Mail garden"'), leadsTo('garden', '"Mail keys"')],
		],
		[
			'an option was inserted before it',
			{ options: ['garden', 'keys', 'noise', 'bins', 'rent'], targets: [...TARGETS, ['Person']] },
			[leadsTo('rent', '"Person"')],
		],
		[
			'its output has no connection',
			{ options: ['garden', 'keys', 'noise', 'bins', 'rent'], items: ['keys'] },
			[leadsTo('rent', 'nothing')],
		],
		[
			'it leads to several nodes',
			{ options: ['keys', 'garden'], targets: [['Person'], ['Mail keys', '<i>'], ['Mail garden']] },
			[leadsTo('keys', '"Mail keys" and "&lt;i&gt;"')],
		],
	])('is named if %s', async (_, change, lines) => {
		await sort();
		expect(await sortAndRead(change)).toEqual(lines);
	});

	test.each<[name: string, change: Sorting]>([
		[
			'the connections were moved with the options',
			{
				options: ['rent', 'garden', 'keys', 'noise'],
				targets: [['Person'], ['Mail rent'], ['Mail garden'], ['Mail keys'], ['Mail noise']],
			},
		],
		['an option was added at the end', { options: [...OPTIONS, 'bins'], targets: [...TARGETS, ['Person']] }],
		['an option was renamed', { options: ['gardens', 'keys', 'noise', 'rent'] }],
		['all options were translated', { options: ['jardin', 'clefs', 'bruit', 'loyer'] }],
		[
			'the question was renamed, and an option too',
			asking({ ...choiceOf(['gardens', 'keys', 'noise', 'rent']), id: 'subject' }),
		],
		[
			'another question chooses the output, and the connections were changed too',
			{ ...asking(URGENT), targets: [['Person'], ['Mail rent'], ['Mail noise']] },
		],
		[
			'only a connection was changed',
			{ targets: [['Person'], ['Person'], ['Mail keys'], ['Mail noise'], ['Mail rent']] },
		],
		['it is another workflow', { ...WITHOUT_KEYS, workflowId: 'another' }],
		['the workflow is not saved', { ...WITHOUT_KEYS, workflowId: undefined }],
	])('is not named if %s', async (_, change) => {
		await sort();
		expect(await sortAndRead(change)).toEqual([]);
	});

	test.each<[name: string, first: Sorting, second: Sorting, lines: string[]]>([
		[
			'the first question was deleted, and the next one chooses the output',
			asking(TOPIC, URGENT),
			{ ...asking(URGENT), targets: TARGETS.slice(0, 3) },
			[replaces('Yes', 'Mail garden', 'garden'), replaces('No', 'Mail keys', 'keys')],
		],
		[
			'another question was dragged to the top',
			asking(TOPIC, URGENT),
			{ ...asking(URGENT, TOPIC), targets: TARGETS.slice(0, 3) },
			[replaces('Yes', 'Mail garden', 'garden'), replaces('No', 'Mail keys', 'keys')],
		],
		[
			'a choice became a score',
			asking(TOPIC),
			{ ...asking({ ...TOPIC, type: 'score', levels: LEVELS }), targets: TARGETS.slice(0, 4) },
			[
				replaces('calm', 'Mail garden', 'garden'),
				replaces('angry', 'Mail keys', 'keys'),
				replaces('furious', 'Mail noise', 'noise'),
			],
		],
		[
			'another choice with some of the same options was chosen',
			asking(TOPIC),
			asking({ ...choiceOf(['bins', 'keys', 'pets']), id: 'other' }),
			[replaces('bins', 'Mail garden', 'garden'), replaces('pets', 'Mail noise', 'noise')],
		],
	])(
		'is named with the label that led there before if it is new, and %s',
		async (_, first, second, lines) => {
			await sort(first);
			expect(await sortAndRead(second)).toEqual(lines);
			expect(await sortAndRead(second)).toEqual(lines);
		},
	);

	test('is named if it is the error output, whose connection a new option at the end has taken', async () => {
		const errors: Sorting = { onError: 'continueErrorOutput', targets: [...TARGETS, ['Person']] };
		await sort(errors);
		const added = { ...errors, options: [...OPTIONS, 'Error'] };
		expect(await sortAndRead(added)).toEqual([leadsTo('Error', 'nothing')]);
		const repaired = { ...added, targets: [...TARGETS, ['Mail garden'], ['Person']] };
		expect(await sortAndRead(repaired)).toEqual([]);
		expect(await sortAndRead({ ...repaired, onError: 'stopWorkflow' })).toEqual([]);
	});

	test('is not named if the connections were moved too, and the nodes behind them renamed', async () => {
		await sort({ options: ['garden', 'keys'] });
		const targets = [['Person'], ['Mail keys renamed'], ['Mail garden renamed']];
		expect(await sortAndRead({ options: ['keys', 'garden'], targets })).toEqual([]);
	});

	test('is found by comparing runs in the editor with each other, and with published ones only if there were none', async () => {
		await sort({ mode: 'trigger' });
		expect(await sortAndRead(WITHOUT_KEYS)).toHaveLength(2);
		expect(await sortAndRead({ mode: 'trigger' })).toEqual([]);
		expect(await sortAndRead(WITHOUT_KEYS)).toHaveLength(2);
		expect(await sortAndRead({ ...WITHOUT_KEYS, mode: 'webhook' })).toHaveLength(2);
	});

	test('is neither named nor remembered after "Execute step"', async () => {
		const after = await sort();
		expect(await sortAndRead({ ...WITHOUT_KEYS, step: { node: 'Sort', after } })).toEqual([]);
		expect(await sortAndRead(WITHOUT_KEYS)).toHaveLength(2);
	});

	test('is not named where n8n redacts the data of executions', async () => {
		await sort();
		jest.spyOn(ExecuteContext.prototype, 'isConsoleOutputRedacted').mockReturnValue(true);
		expect(await sortAndRead(WITHOUT_KEYS)).toEqual([]);
	});
});

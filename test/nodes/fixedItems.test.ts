import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { START } from '../../engine/behindTrigger';
import { runWorkflow } from '../../engine/runWorkflow';
import { saying } from '../support/messageWithTools';
import { nodeDriver } from '../support/nodeDriver';
import { credentialTypes, nodeTypes } from '../support/runNode';
import { standIns } from '../support/standIns';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const message = nodeDriver('message', emulator);
const decision = nodeDriver('decision', emulator);
const batch = nodeDriver('batch', emulator);

const writing = (content: string): INodeParameters => ({
	model: 'acme/quick-1',
	...saying(content),
	options: {},
});

const rows = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ name, id: `batch_${name}`, shop: 'Rose' }));

/** A condition of n8n's node Filter. */
const IS_BOB = {
	options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
	conditions: [
		{
			id: '1',
			leftValue: '={{ $json.name }}',
			rightValue: 'Bob',
			operator: { type: 'string', operation: 'equals' },
		},
	],
	combinator: 'and',
};

const FIXED = /always reads the (first|last) of/;

describe('an expression that reads the first or the last item for every item', () => {
	test.each<[expression: string, said: string]>([
		[
			"$('Start').first().json.name",
			'first of several items. For each item&#39;s own value, write .item in place of .first().',
		],
		[
			'$("Start").all()[0].json.name',
			'first of several items. For each item&#39;s own value, write .item in place of .all()[0].',
		],
		[
			'$input.last().json.name',
			'last of several items. For each item&#39;s own value, write .item in place of .last().',
		],
	])('is named in the hint: %s', async (expression, said) => {
		const hint = await message.hint(writing(`=Write to {{ ${expression} }}: {{ $json.name }}`), {
			items: rows('Ada', 'Bob'),
		});
		expect(hint.replaceAll("'", '&#39;')).toContain(`always reads the ${said}`);
	});

	test('is named wherever it stands: in a text to judge, in a question, and in an ID', async () => {
		const items = rows('Ada', 'Bob');
		const fixed = '{{ $input.first().json.name }}';
		const question = (instructions: string) => ({ question: [{ id: 'a', type: 'noul', instructions }] });
		const text = { stateSource: 'text', stateText: `=From ${fixed}: {{ $json.name }}` };
		expect(await decision.hint({ ...text, questions: question('Urgent?') }, { items })).toMatch(FIXED);
		expect(await decision.hint({ questions: question(`=Is it ${fixed}?`) }, { items })).toMatch(FIXED);
		expect(await batch.hint({ batchId: '={{ $input.first().json.id }}' }, { items })).toMatch(FIXED);
	});

	test.each<[name: string, expression: string, items: IDataObject[]]>([
		['of the only item', "$('Start').first().json.name", rows('Ada')],
		['that has the same value in all of them', "$('Start').first().json.shop", rows('Ada', 'Bob')],
		['of its own', "$('Start').item.json.name", rows('Ada', 'Bob')],
		['among others', "$('Start').all().map((one) => one.json.name).join()", rows('Ada', 'Bob')],
	])('has no hint if it reads a value %s', async (_, expression, items) => {
		expect(await message.hint(writing(`=Write to {{ ${expression} }}`), { items })).not.toMatch(FIXED);
	});

	/** Returns the hints of a Message with this text behind Start, which gives two items. */
	async function hintsOf(content: string, others: INode[], connections: IConnections): Promise<string[]> {
		const node: INode = {
			...START,
			id: '2',
			name: 'Node',
			position: [200, 200],
			type: 'n8n-nodes-inference-service.message',
			parameters: writing(content),
			credentials: { inferenceServiceApi: { id: '1', name: 'Key' } },
		};
		const run = await runWorkflow({
			workflow: { nodes: [START, ...others, node], connections },
			nodeTypes: { ...nodeTypes, ...standIns },
			credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
			items: rows('Ada', 'Bob').map((json) => ({ json })),
		});
		return run.data.resultData.runData.Node!.map(({ hints }) => hints?.[0]?.message ?? '');
	}

	const to = (...outputs: string[][]) => ({
		main: outputs.map((names) => names.map((node) => ({ node, type: 'main' as const, index: 0 }))),
	});

	const settings: INode = {
		...START,
		id: '3',
		name: 'Settings',
		type: 'n8n-nodes-base.noOp',
		position: [0, -200],
	};

	const loop: INode = {
		...START,
		id: '4',
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		parameters: { batchSize: 1 },
	};

	const inLoop = { Start: to(['Settings', 'Loop']), Loop: to([], ['Node']), Node: to(['Loop']) };

	test('has no hint if it reads a node that gave one item', async () => {
		const [hint] = await hintsOf(
			"={{ $('Settings').first().json.name }}: {{ $json.name }}",
			[{ ...settings, executeOnce: true }],
			{ Start: to(['Settings', 'Node']) },
		);
		expect(emulator.requests).toHaveLength(2);
		expect(hint).not.toMatch(FIXED);
	});

	test.each<[node: string, call: string, isNamed: boolean]>([
		['Start', 'first()', true],
		['Start', 'last()', false],
		['Settings', 'first()', false],
	])(
		'is named behind a Filter only if another item of the node is paired with the one that is left: %s.%s',
		async (node, call, isNamed) => {
			const filter: INode = {
				...START,
				id: '5',
				name: 'Filter',
				type: 'n8n-nodes-base.filter',
				parameters: { conditions: IS_BOB },
			};
			const [hint] = await hintsOf(
				`=To {{ $('${node}').${call}.json.name }}: {{ $json.name }}`,
				[settings, filter],
				{ Start: to(['Settings', 'Filter']), Filter: to(['Node']) },
			);
			expect(emulator.requests).toHaveLength(1);
			expect(FIXED.test(hint!)).toBe(isNamed);
		},
	);

	test.each<[node: string, isNamed: boolean[]]>([
		['Start', [false, true]],
		['Settings', [false, false]],
	])(
		'is named from the second pass of a loop on only if the items of the loop are those of the node: %s',
		async (node, isNamed) => {
			const content = `=To {{ $('${node}').first().json.name }}: {{ $json.name }}`;
			const hints = await hintsOf(content, [settings, loop], inLoop);
			expect(hints.map((hint) => FIXED.test(hint))).toEqual(isNamed);
		},
	);
});

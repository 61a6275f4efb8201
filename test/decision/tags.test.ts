import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { noul } from '../support/answers';
import { decisionType, saved } from '../support/decisionInEditor';
import { nodeDriver } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ n: 0 }] });

const topicsOf = (...options: Array<string | { name: string; description: string }>) => ({
	id: 'topics',
	type: 'tags',
	instructions: 'What is it about?',
	options: {
		option: options.map((option) => (typeof option === 'string' ? { name: option } : option)),
	},
});

const topics = topicsOf({ name: 'lost card', description: 'The card is lost' }, 'refund', 'delivery');
const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const asking = (...question: object[]) => ({ questions: { question } }) as unknown as INodeParameters;
const routing = (question: object[], more: object = {}) =>
	({ ...asking(...question), operation: 'route', ...more }) as INodeParameters;

/** Makes the service answer each request with the probabilities for the item's field `n`, in the order of the request's questions. */
function answerByItem(...all: unknown[][]) {
	emulator.fault({
		path: '/systemone',
		times: Infinity,
		respond: ({ body }) => {
			const { state, questions } = body as { state: { n: number }; questions: object };
			const answers = Object.keys(questions).map((id, index) => [id, noul(all[state.n]![index])]);
			return { status: 200, body: { model: 'x', answers: Object.fromEntries(answers), usage: {} } };
		},
	});
}

const sentQuestions = () =>
	(emulator.requests.at(-1)!.body as { questions: Record<string, IDataObject> }).questions;

const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

describe('with Tags in Answer Questions,', () => {
	test.each([
		['Other', 2],
		['none of these', 2],
		['Other damage', 0],
	])('an option for none, "%s", that stands beside others is counted in a hint: %i', async (name, count) => {
		answerByItem([0.9, 0.9], [0.1, 0.9], [0.8, 0.6], [0.9, 0.1]);
		const said = `"${name}" stands beside other tags in ${count} items, because each tag is asked for on its own. Delete this option: without it, the list is empty if no tag applies.`;
		for (const parameters of [asking(topicsOf('refund', name)), routing([topicsOf('refund', name)])]) {
			const hint = await decision.hint(parameters, { items: itemsOf(4) });
			expect(hint.includes(said)).toBe(count > 0);
			expect(hint.includes('stands beside')).toBe(count > 0);
		}
	});

	test('one yes-or-no question is asked for each option, in one request, which the service accepts', async () => {
		const json = await decision.json(asking(topics), { items: [{ text: 'I lost my card' }] });
		expect(emulator.requests).toHaveLength(1);
		expect(sentQuestions()).toEqual({
			'topics: lost card': {
				type: 'noul',
				instructions: 'What is it about? Is one of the answers "lost card" (The card is lost)?',
			},
			'topics: refund': {
				type: 'noul',
				instructions: 'What is it about? Is one of the answers "refund"?',
			},
			'topics: delivery': {
				type: 'noul',
				instructions: 'What is it about? Is one of the answers "delivery"?',
			},
		});
		expect(json).toMatchObject({ topics: expect.any(Array), topics_text: expect.any(String) });
	});

	test.each([
		[[0.2, 0.5, 0.9], ['refund', 'delivery'], 'refund, delivery'],
		[[0.5, 0.49999, 0], ['lost card'], 'lost card'],
		[[0, 0.1, 0.2], [], ''],
	])('of the probabilities %j, those of 0.5 or more apply', async (values, list, text) => {
		answerByItem(values);
		const options = { includeProbabilities: true };
		expect(await decision.json({ ...asking(topics), options })).toEqual({
			n: 0,
			topics: list,
			topics_text: text,
			topics_probabilities: { 'lost card': values[0], refund: values[1], delivery: values[2] },
		});
		expect(Object.keys(await decision.json(asking(topics)))).toEqual(['n', 'topics', 'topics_text']);
	});

	test('the list is in the order of the options, whatever their names are', async () => {
		const names = ['10', '2', '__proto__', 'constructor', 'e\u0301', '退款'];
		answerByItem(names.map(() => 1));
		const options = { includeProbabilities: true };
		const json = await decision.json({ ...asking(topicsOf(...names)), options });
		expect(json.topics).toEqual(names);
		const probabilities = new Map(Object.entries(json.topics_probabilities as object));
		expect(names.map((name) => probabilities.get(name))).toEqual(names.map(() => 1));
	});

	test('the raw response has the answers as they came', async () => {
		answerByItem([0.2, 0.5, 0.9]);
		expect(await decision.json({ ...asking(topics), simplify: false })).toEqual({
			model: 'x',
			answers: {
				'topics: lost card': noul(0.2),
				'topics: refund': noul(0.5),
				'topics: delivery': noul(0.9),
			},
			usage: {},
			trace_id: expect.any(String),
		});
	});

	test('no other question and no other option has the ID under which an option is asked', async () => {
		const questions = [
			{ ...urgent, id: 'topics: refund' },
			topicsOf('refund', 'a: b'),
			{ ...topicsOf('b'), id: 'topics: a' },
			{ ...urgent, id: 'topics: refund (2)' },
		];
		answerByItem([0.1, 0.9, 0.2, 0.8, 0.3]);
		expect(await decision.json({ ...asking(...questions), options: { includeOtherFields: false } })).toEqual({
			'topics: refund': 0.1,
			'topics: refund_yes': false,
			topics: ['refund'],
			topics_text: 'refund',
			'topics: a': ['b'],
			'topics: a_text': 'b',
			'topics: refund (2)': 0.3,
			'topics: refund (2)_yes': false,
		});
		expect(Object.keys(sentQuestions())).toEqual([
			'topics: refund',
			'topics: refund (3)',
			'topics: a: b',
			'topics: a: b (2)',
			'topics: refund (2)',
		]);
	});

	test('an impossible probability of one option is an error that names the option', async () => {
		answerByItem([0.1, 1.5, 0.2]);
		expect(await decision.error(asking(topics))).toMatchObject({
			message:
				'The response has an answer to question "topics: refund" with an impossible value: noul is 1.5',
		});
	});

	test.each<[name: string, questions: object[], message: RegExp]>([
		['no options', [topicsOf()], /question "topics" must have at least one option/],
		['an option without a name', [topicsOf('a', ' ')], /every option: option 2 has none/],
		['an option twice', [topicsOf('é', ' e\u0301')], /question "topics".*two options named "é"/],
		['no question', [{ ...topics, instructions: '' }], /question "topics": "Question" \(instructions\)/],
		[
			'a column twice',
			[topics, { ...urgent, id: 'topics_text' }],
			/"topics_text".*as question "topics" does/,
		],
	])('%s is refused', async (_, questions, message) => {
		expect(await decision.refusal(asking(...questions))).toMatch(message);
	});
});

describe('with Route by tags,', () => {
	const band = { routing: { yesAtLeast: 0.7, noBelow: 0.3 } };

	test('the outputs are Uncertain, None, and the options in their order', () => {
		const { workflow, node } = saved(routing([topics]));
		const outputs = NodeHelpers.getNodeOutputs(workflow, node, decisionType.description);
		expect(outputs.map((output) => (output as { displayName: string }).displayName)).toEqual([
			'Uncertain',
			'None',
			'lost card',
			'refund',
			'delivery',
		]);
	});

	test('an item leaves by the output of each option that applies, by None, or by Uncertain alone', async () => {
		answerByItem([0.7, 0.1, 0.9], [0.29, 0.1, 0], [0.3, 0.1, 0], [0.69, 0.71, 0.5]);
		const outputs = await decision.outputs(routing([topics], band), { items: itemsOf(4) });
		const seen = outputs.map((items) =>
			items.map(({ json, pairedItem }) => [json.n, json.route, pairedItem]),
		);
		const two = ['lost card', 'delivery'];
		expect(seen).toEqual([
			[[2, ['Uncertain'], { item: 2 }]],
			[[1, ['None'], { item: 1 }]],
			[[0, two, { item: 0 }]],
			[[3, ['refund'], { item: 3 }]],
			[[0, two, { item: 0 }]],
		]);
	});

	test('an item that leaves by two outputs is copied, and keeps its files', async () => {
		answerByItem([0.7, 0.1, 0.9]);
		const binary = { file: { data: 'aGk=', mimeType: 'text/plain' } };
		const outputs = await decision.outputs(routing([topics], band), { items: [{ json: { n: 0 }, binary }] });
		expect(outputs.map((items) => items.map((item) => item.binary?.file !== undefined))).toEqual([
			...[[], []],
			...[[true], [], [true]],
		]);
		expect(outputs[2]![0]!.json).toEqual(outputs[4]![0]!.json);
		expect(outputs[2]![0]!.json.topics).not.toBe(outputs[4]![0]!.json.topics);
	});

	test('an item with an impossible probability goes to Uncertain', async () => {
		answerByItem([0.9, 7, 0.9]);
		const outputs = await decision.outputs(routing([topics], band));
		expect(outputs.map((items) => items.map(({ json }) => json.route))).toEqual([
			[['Uncertain']],
			...[[], [], [], []],
		]);
	});

	test('without thresholds nothing is uncertain, and a single one takes the other along', async () => {
		const takenWith = async (thresholds: object) => {
			answerByItem([0.5, 0.1, 0], [0.49, 0.1, 0], [0.35, 0.1, 0.1]);
			const outputs = await decision.outputs(routing([topics], { routing: thresholds }), {
				items: itemsOf(3),
			});
			return outputs.map((items) => items.map(({ json }) => json.n));
		};
		expect(await takenWith({})).toEqual([[], [1, 2], [0], [], []]);
		expect(await takenWith({ yesAtLeast: 0.4 })).toEqual([[], [2], [0, 1], [], []]);
	});

	test('a spot check goes to Uncertain once, and names the outputs that it would have taken', async () => {
		answerByItem([0.9, 0.9, 0]);
		const parameters = routing([topics], { options: { spotCheck: 100 } });
		const outputs = await decision.outputs(parameters);
		expect(outputs.map((items) => items.length)).toEqual([1, 0, 0, 0, 0]);
		expect(outputs[0]![0]!.json).toMatchObject({ spot_check: true, route: ['lost card', 'refund'] });
	});

	test('an item with nothing to send, and one that failed, go to Uncertain', async () => {
		const parameters = routing([topics], {
			stateFields: 'a',
			options: { includeProbabilities: true, maxRetries: 0 },
		});
		emulator.fault({ status: 400, body: 'no' });
		const outputs = await decision.outputs(parameters, {
			items: [{ a: '' }, { a: 'x' }],
			onError: 'continueRegularOutput',
		});
		expect(outputs.map((items) => items.length)).toEqual([2, 0, 0, 0, 0]);
		expect(outputs[0]![0]!.json).toEqual({
			a: '',
			topics: null,
			topics_text: null,
			topics_probabilities: null,
			route: ['Uncertain'],
		});
	});

	test('the raw response leaves by each output that applies', async () => {
		answerByItem([0.9, 0.9, 0]);
		const outputs = await decision.outputs(routing([topics], { simplify: false }));
		expect(outputs.map((items) => items.length)).toEqual([0, 0, 1, 1, 0]);
		expect(outputs[2]![0]!.json).toHaveProperty(['answers', 'topics: refund']);
	});

	test.each<[name: string, questions: object[], message: RegExp]>([
		['an option called None', [topicsOf('a', 'None')], /question "topics" has an option named "None"/],
		['an option called Uncertain', [topicsOf('Uncertain ')], /an option named "Uncertain"/],
		['an option that is an expression', [topicsOf('={{ $json.n }}')], /each option's name must be a fixed/],
	])('%s is refused', async (_, questions, message) => {
		expect(await decision.refusal(routing(questions))).toMatch(message);
	});

	test('thresholds that contradict each other are refused', async () => {
		const parameters = routing([topics], { routing: { yesAtLeast: 0.3, noBelow: 0.4 } });
		expect(await decision.refusal(parameters)).toMatch(/\(routing\.noBelow\) must not exceed/);
	});

	test('an option called None is refused, which Answer Questions accepts', async () => {
		answerByItem([0.9]);
		expect(await decision.json(asking(topicsOf('None')))).toMatchObject({ topics: ['None'] });
	});
});

describe('the hint about tags', () => {
	test('shows the tags of one item, or how often each applies', async () => {
		answerByItem([0.9, 0.9, 0], [0.1, 0.9, 0], [0.1, 0.1, 0]);
		expect(await decision.hint(asking(topics), { items: itemsOf(1) })).toBe(
			'<b>topics</b>: lost card, refund',
		);
		expect(await decision.hint(asking(topics), { items: itemsOf(3) })).toBe(
			'3 items answered.<br><b>topics</b>: refund 2, lost card 1, (none of them) 1',
		);
		expect(await decision.hint(routing([topics]), { items: itemsOf(3) })).toContain(
			'<br>Outputs: refund 2, lost card 1, None 1',
		);
		emulator.reset();
		answerByItem([0.1, 0.1, 0]);
		expect(await decision.hint(asking(topics), { items: itemsOf(1) })).toBe('<b>topics</b>: (none of them)');
	});

	test('says what to do where all are uncertain', async () => {
		answerByItem([0.1, 0.35, 0], [0.62, 0.5, 0.1]);
		const parameters = routing([topics], { routing: { yesAtLeast: 0.7, noBelow: 0.3 } });
		expect(await decision.hint(parameters, { items: itemsOf(2) })).toContain(
			"2 of 2 answers were uncertain. The probability nearest to a threshold was 0.35. Describe the options in more detail, or move 'Yes at or Above' and 'No Below' closer together.",
		);
	});
});

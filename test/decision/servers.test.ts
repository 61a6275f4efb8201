import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testCredential } from '../../engine/testCredential';
import { nodeDriver } from '../support/nodeDriver';
import { nodeTypes } from '../support/runNode';
import { CHAT_MODEL, useDecisionServer } from '../support/servers/DecisionServer';
import { serverKinds } from '../support/servers/serverKinds';

// Every feature of the node runs against stand-ins for the servers that docs/servers.md names.

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: { option: [{ name: 'cards', description: 'Card delivery' }, { name: 'fees' }, { name: 'other' }] },
};
const mood = {
	id: 'mood',
	type: 'score',
	instructions: 'How upset?',
	levels: { level: [{ description: 'calm' }, { description: 'annoyed' }, { description: 'angry' }] },
};

const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ text: `message ${n}` }));

describe.each(Object.values(serverKinds))('at $name,', (kind) => {
	const server = useDecisionServer(kind);

	const decision = nodeDriver('decision', server, { items: [{ text: 'urgent: my fees, I am annoyed' }] });

	const asking = (question: unknown[], options: IDataObject = {}, more: object = {}) =>
		({
			questions: { question },
			options: { model: kind.model, ...options },
			...more,
		}) as unknown as INodeParameters;

	const asJson = (questions: object) => ({
		questionsSource: 'json',
		questionsJson: JSON.stringify(questions),
	});

	const routing = (question: unknown, routingOptions: object = {}, options: IDataObject = {}) =>
		asking([question], options, { operation: 'route', routing: routingOptions });

	/** Returns the index of the output to which an item with this text goes. */
	async function wayOf(text: string, parameters: INodeParameters): Promise<number> {
		const outputs = await decision.outputs(parameters, { items: [{ text }] });
		return outputs.findIndex((items) => items.length > 0);
	}

	test('the test of the credential passes, although there are no accounts', async () => {
		const credential = { baseUrl: server.url, apiKey: server.apiKey };
		const result = await testCredential(Object.values(nodeTypes), 'inferenceServiceApi', credential);
		expect(result).toMatchObject({ status: 'OK' });
	});

	test('questions of all types are answered in one request', async () => {
		expect(await decision.json(asking([urgent, team, mood]))).toEqual({
			text: 'urgent: my fees, I am annoyed',
			urgent: kind.round(0.9342),
			urgent_yes: true,
			team: 'fees',
			team_confidence: kind.round(kind.confidenceOfChoice([1 / 6, 2 / 3, 1 / 6])),
			mood: 1,
			mood_level: 'annoyed',
			mood_confidence: kind.round(kind.confidenceOfScore([1 / 6, 2 / 3, 1 / 6])),
		});
		expect(server.requests).toHaveLength(1);
	});

	test.each<[name: string, more: object, state: unknown]>([
		['the chosen fields', { stateFields: 'text' }, { text: 'urgent' }],
		['a text', { stateSource: 'text', stateText: '={{ $json.text }}' }, 'urgent'],
		['a JSON list', { stateSource: 'json', stateJson: '={{ [$json.text] }}' }, ['urgent']],
	])('the state can be %s', async (_, more, state) => {
		const items = [{ text: 'urgent', other: 1 }];
		expect(await decision.json(asking([urgent], {}, more), { items })).toMatchObject({ urgent_yes: true });
		expect(server.requests[0]!.state).toEqual(state);
	});

	test('probabilities pass when rounding makes them add up to 0.99 or 1.01', async () => {
		const items = [{ text: 'unsure' }, { text: 'fees' }];
		const output = await decision.items(asking([team], { includeProbabilities: true }), { items });
		const equal = kind.round(1 / 3);
		const third = kind.round(1 / 6);
		expect(output.map(({ json }) => json.team_probabilities)).toEqual([
			{ cards: equal, fees: equal, other: equal },
			{ cards: third, fees: kind.round(2 / 3), other: third },
		]);
	});

	test('Include Metadata adds the model and the tokens that the server reports', async () => {
		expect(
			await decision.json(asking([urgent], { includeMetadata: true, traceId: 'order-1' })),
		).toMatchObject({
			model: kind.model,
			input_tokens: kind.countsTokens ? 20 : 0,
			output_tokens: 0,
			trace_id: 'order-1',
		});
	});

	test('fields that only this server has are kept when Simplify is off, and nowhere else', async () => {
		expect(await decision.json(asking([urgent], {}, { simplify: false }))).toMatchObject({
			...kind.extraFields,
			answers: { urgent: kind.extraNoul },
			usage: kind.extraUsage,
		});
		const columns = Object.keys(await decision.json(asking([urgent])));
		expect(columns).toEqual(['text', 'urgent', 'urgent_yes']);
	});

	test('a yes-or-no question written as JSON may have criteria', async () => {
		const questions = {
			urgent: { ...urgent, id: undefined, criteria: { true: 'today', false: 'any other day' } },
		};
		const parameters = asking([], {}, asJson(questions));
		expect(await decision.json(parameters)).toMatchObject({ urgent_yes: true });
		expect(server.requests[0]!.questions.urgent!.criteria).toEqual(questions.urgent.criteria);
	});

	test('an item is routed by yes or no', async () => {
		const parameters = routing(urgent, { yesAtLeast: 0.8, noBelow: 0.2 });
		expect(await wayOf('urgent', parameters)).toBe(1);
		expect(await wayOf('later', parameters)).toBe(2);
		expect(await wayOf('unsure', parameters)).toBe(0);
	});

	test('an item is routed by the option', async () => {
		expect(await wayOf('fees', routing(team))).toBe(2);
		expect(await wayOf('unsure', routing(team, { minConfidence: 0.1 }))).toBe(0);
	});

	test('an item is routed by the level', async () => {
		expect(await wayOf('annoyed', routing(mood))).toBe(2);
		// With Kev's formula, a score has a confidence of 0.5 when all levels are equally likely.
		expect(await wayOf('unsure', routing(mood, { minConfidence: 0.6 }))).toBe(0);
	});

	test('a clear answer goes to Uncertain as a spot check, and its item says so', async () => {
		const outputs = await decision.outputs(routing(team, {}, { spotCheck: 100 }));
		expect(outputs[0]!.map(({ json }) => json)).toMatchObject([{ spot_check: true, route: 'fees' }]);
	});

	test('equal items share one request', async () => {
		const items = Array.from({ length: 5 }, () => ({ text: 'urgent' }));
		expect(await decision.items(asking([urgent]), { items })).toHaveLength(5);
		expect(server.requests).toHaveLength(1);
	});

	test('an answer from before a failure is not requested again', async () => {
		const workflowId = `paid once at ${kind.name}`;
		server.unavailableFor = 1;
		const run = { items: itemsOf(3), workflowId };
		const parameters = asking([urgent], { maxRetries: 0, concurrency: 1 });
		await expect(
			decision.items(parameters, { ...run, onError: 'continueErrorOutput' }),
		).resolves.toHaveLength(2);
		await decision.items(parameters, { ...run, mode: 'manual' });
		expect(server.requests).toHaveLength(4);
	});

	test('Token Budget ends a run if the server reports tokens, else a hint says that it does not', async () => {
		const input = { items: itemsOf(4), onError: 'continueRegularOutput' } as const;
		const parameters = asking([urgent], { tokenBudget: 40, concurrency: 1 });
		const failed = (await decision.items(parameters, input)).filter(({ json }) => json.error);
		expect(failed).toHaveLength(kind.countsTokens ? 2 : 0);
		if (kind.countsTokens) return;
		expect(await decision.hint(parameters, { items: itemsOf(4) })).toContain(
			'4 answers did not report token usage',
		);
	});

	test('a 503 of a full server is retried up to Max Retries, until all items are answered', async () => {
		server.maxInFlight = 4;
		server.latencyMs = 10;
		const output = await decision.items(asking([urgent], { maxRetries: 10 }), { items: itemsOf(40) });
		expect(output.map(({ json }) => json.text)).toEqual(itemsOf(40).map(({ text }) => text));
	});

	test('a 503 is reported in the words of the server', async () => {
		server.unavailableFor = 1;
		expect(await decision.error(asking([urgent], { maxRetries: 0 }))).toMatchObject({
			message: kind.unavailable,
			description: expect.stringContaining('Try again later'),
			http_status: 503,
			attempts: 1,
		});
	});

	test('a slow first request is answered once Timeout is long enough', async () => {
		server.latencyMs = 1000;
		expect(await decision.error(asking([urgent], { timeout: 50 }))).toMatchObject({
			description: expect.stringContaining("'Timeout (Milliseconds)'"),
			http_status: null,
		});
		expect(await decision.json(asking([urgent], { timeout: 60_000 }))).toMatchObject({ urgent_yes: true });
	});

	test('a body that the server refuses is reported with the field that is wrong', async () => {
		const questions = { urgent: { type: 'noul', instructions: 'Is it?', criteria: 'yes' } };
		const parameters = asking([], {}, asJson(questions));
		expect(await decision.error(parameters)).toMatchObject({
			message: expect.stringMatching(/urgent.*(criteria|dictionary)/),
			description: expect.stringContaining('Check the model and the parameters'),
			http_status: kind.invalidStatus,
			attempts: 1,
		});
	});

	test('a text that is too long is reported in the words of the server', async () => {
		const items = [{ text: 'x'.repeat(kind.maxBodyBytes) }];
		const error = await decision.error(asking([urgent]), { items });
		expect(error).toMatchObject({ message: kind.tooLarge.message, http_status: kind.tooLarge.status });
	});

	const oneOption = { ...team, options: { option: [{ name: 'fees' }] } };
	const many = Array.from({ length: 65 }, (_, n) => ({ ...urgent, id: `q${n}` }));
	const named = { urgent: { type: 'noul', instructions: 'Is it?', criteria: { yes: 'now', no: 'later' } } };

	test.each<[name: string, parameters: INodeParameters, isRefused: boolean]>([
		['a choice of one option', asking([oneOption]), kind.options.min > 1],
		['65 questions', asking(many), kind.maxQuestions < 65],
		['an empty text', asking([urgent], {}, { stateSource: 'json', stateJson: '""' }), kind.checksState],
		['criteria not named true and false', asking([], {}, asJson(named)), kind.checksCriteria],
	])('%s is answered or refused like by the real server', async (_, parameters, isRefused) => {
		const [item] = await decision.items(parameters, { onError: 'continueRegularOutput' });
		expect(item!.json.error).toEqual(
			isRefused ? expect.objectContaining({ http_status: kind.invalidStatus, attempts: 1 }) : undefined,
		);
	});

	test('a request needs no Allow HTTP and takes any key, unless one is set', async () => {
		expect(new URL(server.url).protocol).toBe('http:');
		expect(await decision.json(asking([urgent]))).toMatchObject({ urgent_yes: true });
		if (kind.wrongKey === undefined) return;
		server.expectedKey = 'sk-mine-4711';
		expect(await decision.error(asking([urgent]))).toMatchObject({
			message: kind.wrongKey,
			description: expect.stringContaining('Check the API key in the credential.'),
			http_status: 401,
		});
		const service = { url: server.url, apiKey: 'sk-mine-4711' };
		expect(await decision.json(asking([urgent]), { service })).toMatchObject({ urgent_yes: true });
	});
});

describe('a model that the server does not have,', () => {
	const { ollama, localAi } = serverKinds;

	describe.each([ollama, localAi])('at $name,', (kind) => {
		const decision = nodeDriver('decision', useDecisionServer(kind), { items: [{ text: 'urgent' }] });

		test('fails with the advice to check base URL and model', async () => {
			expect(await decision.error({ questions: { question: [urgent] } })).toMatchObject({
				message: kind.unknownModel!('Kev-4B'),
				description: expect.stringMatching(/base URL.*model/),
				http_status: 404,
				attempts: 1,
			});
		});
	});
});

describe('a model that is not for decisions,', () => {
	const { localAi, llamaCpp } = serverKinds;

	describe.each([localAi, llamaCpp])('at $name,', (kind) => {
		const decision = nodeDriver('decision', useDecisionServer(kind), { items: [{ text: 'urgent' }] });

		test('fails with a 501, and the advice to choose another model', async () => {
			const parameters = { questions: { question: [urgent] }, options: { model: CHAT_MODEL } };
			expect(await decision.error(parameters)).toMatchObject({
				message: kind.noDecisionModel!.message,
				description: expect.stringMatching(
					/^The server cannot do this with this model\. Choose another model\.\nTrace ID/,
				),
				http_status: 501,
				attempts: 1,
			});
		});
	});
});

describe('the same threshold with another server', () => {
	const atKev = nodeDriver('decision', useDecisionServer(serverKinds.kev));
	const atOllama = nodeDriver('decision', useDecisionServer(serverKinds.ollama));

	test('routes the same probabilities differently, because the confidence has another formula', async () => {
		const items = [{ text: 'fees' }];
		const parameters = (model: string) =>
			({
				operation: 'route',
				questions: { question: [team] },
				routing: { minConfidence: 0.4 },
				options: { model },
			}) as unknown as INodeParameters;
		const [, , fees] = await atKev.outputs(parameters(serverKinds.kev.model), { items });
		expect(fees).toHaveLength(1);
		const [uncertain] = await atOllama.outputs(parameters(serverKinds.ollama.model), { items });
		expect(uncertain).toHaveLength(1);
	});
});

describe('at Ollama,', () => {
	const message = nodeDriver('message', useDecisionServer(serverKinds.ollama));

	const messages = { message: [{ role: 'user', content: 'Say hello' }] };

	test('a message is created', async () => {
		expect(await message.json({ model: CHAT_MODEL, messages })).toMatchObject({
			text: 'Hello there',
			stop_reason: 'end_turn',
			input_tokens: 9,
		});
	});

	test('a chat is streamed', async () => {
		expect(await message.json({ operation: 'chat', model: CHAT_MODEL, messages })).toMatchObject({
			text: 'Hello there',
			finish_reason: 'stop',
			input_tokens: null,
		});
	});
});

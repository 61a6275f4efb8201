import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
	AIMessage,
	type AIMessageChunk,
	HumanMessage,
	SystemMessage,
	ToolMessage,
} from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Fault } from '../emulator/Emulator';
import { modelUserOf, type Used } from './modelUser';
import { wrongParameter } from './nodeDriver';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const MODEL = 'acme/quick-1';

const useModel = modelUserOf(emulator, MODEL);

/** What the node put into n8n's trace for a response. */
function traceOf({ traces }: Used, index = 0): IDataObject {
	return traces[index]!.data!.ai_languageModel![0]![0]!.json;
}

function bodyOf(index = -1): IDataObject {
	return emulator.requests.at(index)!.body as IDataObject;
}

const messageOf = (content: object[], stopReason: string, usage?: object): IDataObject => ({
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: MODEL,
	content,
	stop_reason: stopReason,
	stop_sequence: null,
	...(usage ? { usage } : {}),
});

/** Answers the next requests with these messages, one each. */
function script(...messages: Array<IDataObject | Fault>): void {
	for (const message of messages) {
		emulator.fault('status' in message ? message : { path: '/messages', status: 200, body: message });
	}
}

async function gather(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
	let whole: AIMessageChunk | undefined;
	for await (const chunk of await stream) whole = whole ? whole.concat(chunk) : chunk;
	return whole!;
}

const lookUp = new DynamicStructuredTool({
	name: 'look_up',
	description: 'Finds an order',
	schema: z.object({ order: z.number() }),
	func: async () => 'found',
});

const repeat = new DynamicStructuredTool({
	name: 'repeat',
	description: 'Repeats a text',
	schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
	func: async () => 'repeated',
});

describe('a response', () => {
	test('that is not streamed comes back with its text, and with everything else in the trace', async () => {
		const used = await useModel(async (model) => {
			const message = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hello there')]);
			expect(message.text).toContain('Hello there');
			return message.usage_metadata;
		});

		const tokens = used.result() as IDataObject;
		expect(used.traces[0]!.hints).toBeUndefined();
		expect(tokens).toMatchObject({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) });
		expect(bodyOf()).toEqual({
			model: MODEL,
			max_tokens: 1024,
			system: 'Be brief.',
			messages: [{ role: 'user', content: 'Hello there' }],
		});
		expect(traceOf(used)).toMatchObject({
			response: {
				generations: [
					[
						{
							text: expect.stringContaining('Hello there'),
							generationInfo: { stop_reason: 'end_turn', model: MODEL },
						},
					],
				],
			},
			tokenUsage: {
				promptTokens: tokens.input_tokens,
				completionTokens: tokens.output_tokens,
				totalTokens: tokens.total_tokens,
			},
		});
	});

	test('that is streamed arrives in pieces that add up to one text, with the real tokens in the trace', async () => {
		const used = await useModel(async (model) => {
			const chunks: AIMessageChunk[] = [];
			for await (const chunk of await model.stream('Hello there')) chunks.push(chunk);
			expect(chunks.filter((chunk) => chunk.text !== '').length).toBeGreaterThan(3);
			return chunks.reduce((whole, chunk) => whole.concat(chunk)).content;
		});

		expect(used.result()).toMatch(/^You wrote “Hello there”\. That is .* answer to it\.$/);
		expect(bodyOf()).toMatchObject({ stream: true });
		const trace = traceOf(used);
		expect(trace.tokenUsageEstimate).toBeUndefined();
		expect((trace.tokenUsage as IDataObject).completionTokens).toBeGreaterThan(3);
		expect(trace.response).toMatchObject({
			generations: [[{ generationInfo: { stop_reason: 'end_turn', model: MODEL } }]],
		});
	});

	test('passes its first piece on before the last one is written', async () => {
		const events = [
			{ type: 'message_start', message: { ...messageOf([], ''), stop_reason: null } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
		];
		emulator.fault({
			path: '/messages',
			stream: events.map((event) => ({ bytes: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` })),
			end: 'stall',
		});
		const stop = new AbortController();
		let first: string | undefined;
		const { run } = await useModel(
			async (model) => {
				for await (const chunk of await model.stream('Hi')) {
					first ??= chunk.text;
					expect(emulator.inFlight).toBe(1);
					stop.abort();
				}
			},
			{ signal: stop.signal },
		);
		expect({ first, status: run.status }).toEqual({ first: 'Hel', status: 'canceled' });
		await emulator.waitFor(() => emulator.inFlight === 0, 1000);
	});
});

test('tokens are counted without a tokenizer from the internet', async () => {
	const used = await useModel(
		async (model) =>
			await Promise.all(
				['12345', [{ type: 'text', text: '12345678' }]].map(
					async (content) => await model.getNumTokens(content),
				),
			),
	);
	expect(used.result()).toEqual([2, 2]);
});

describe('tools', () => {
	test('are offered with their schemas, and parallel calls come back whole, streamed or not', async () => {
		for (const isStreamed of [false, true]) {
			const used = await useModel(async (model) => {
				const bound = model.bindTools!([lookUp, repeat]);
				const input = 'Please look_up {"order": 7} and repeat {"text": "yes"}';
				if (!isStreamed) return ((await bound.invoke(input)) as AIMessage).tool_calls;
				return (await gather(bound.stream(input) as Promise<AsyncIterable<AIMessageChunk>>)).tool_calls;
			});
			expect(used.result()).toEqual([
				{ type: 'tool_call', id: expect.stringMatching(/^toolu_/), name: 'look_up', args: { order: 7 } },
				{ type: 'tool_call', id: expect.stringMatching(/^toolu_/), name: 'repeat', args: { text: 'yes' } },
			]);
			expect(bodyOf().tools).toEqual([
				{
					name: 'look_up',
					description: 'Finds an order',
					input_schema: {
						type: 'object',
						properties: { order: { type: 'number' } },
						required: ['order'],
						additionalProperties: false,
					},
				},
				{
					name: 'repeat',
					description: 'Repeats a text',
					input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
				},
			]);
			expect(bodyOf().tool_choice).toBeUndefined();
		}
	});

	test.each([
		['a list of other things', [{ type: 'order', id: 7 }], '[{"type":"order","id":7}]'],
		['nothing', [], '[]'],
		['texts', ['one', 'two'].map((text) => ({ type: 'text', text })), 'one\n\ntwo'],
	])('what they return reaches the model: %s', async (_what, content, sent) => {
		await useModel(async (model) => {
			const called = new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'look_up', args: {} }] });
			const result = new ToolMessage({ tool_call_id: 'a', content: content as never, status: 'error' });
			await model.bindTools!([lookUp]).invoke([new HumanMessage('Hi'), called, result]);
		});
		expect((bodyOf().messages as IDataObject[])[2]!.content).toEqual([
			{ type: 'tool_result', tool_use_id: 'a', content: sent, is_error: true },
		]);
	});

	test.each([false, true])(
		'the turn that called them is sent back unchanged (streamed: %s)',
		async (isStreamed) => {
			const turn = [
				{ type: 'thinking', thinking: 'Hm.', signature: 'abc' },
				{ type: 'text', text: 'Let me see.' },
				{ type: 'tool_use', id: 'toolu_9', name: 'look_up', input: { order: 7 } },
			];
			script(messageOf(turn, 'tool_use'), messageOf([{ type: 'text', text: 'It is gone.' }], 'end_turn'));
			const used = await useModel(async (model) => {
				const bound = model.bindTools!([lookUp]);
				const question = new HumanMessage('Where is it?');
				const called = isStreamed
					? await gather(bound.stream([question]) as Promise<AsyncIterable<AIMessageChunk>>)
					: await bound.invoke([question]);
				const result = new ToolMessage({ tool_call_id: 'toolu_9', content: 'gone', status: 'error' });
				return (await bound.invoke([question, called, result])).content;
			});
			expect(used.result()).toBe('It is gone.');
			expect(bodyOf().messages).toEqual([
				{ role: 'user', content: 'Where is it?' },
				{ role: 'assistant', content: turn },
				{
					role: 'user',
					content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'gone', is_error: true }],
				},
			]);
		},
	);

	test.each<[unknown, object | undefined, tools: number]>([
		['repeat', { type: 'tool', name: 'repeat' }, 2],
		['auto', { type: 'auto' }, 2],
		['none', { type: 'none' }, 2],
		[{ type: 'function', function: { name: 'look_up' } }, { type: 'tool', name: 'look_up' }, 2],
		['any', undefined, 2],
		['any', { type: 'tool', name: 'look_up' }, 1],
		['a tool that is not there', undefined, 2],
	])('the choice %j reaches the service as %j, of %d tools', async (choice, sent, tools) => {
		const offered = [lookUp, repeat].slice(0, tools);
		const used = await useModel(async (model) => {
			await model.bindTools!(offered, { tool_choice: choice as string }).invoke('Hi');
		});
		used.result();
		expect(bodyOf().tool_choice).toEqual(sent);
	});

	test('structured output works with a schema of Zod, as n8n’s Evaluation node asks for it', async () => {
		script(
			messageOf([{ type: 'tool_use', id: 'toolu_1', name: 'extract', input: { score: 4 } }], 'tool_use'),
		);
		const used = await useModel(
			async (model) =>
				await model.withStructuredOutput(z.object({ score: z.number().int() })).invoke('Rate it'),
		);
		expect(used.result()).toEqual({ score: 4 });
		expect(bodyOf().tools).toMatchObject([
			{ name: 'extract', input_schema: { type: 'object', properties: { score: { type: 'integer' } } } },
		]);
	});
});

describe('options', () => {
	test('are sent, with the stop sequences of the caller too, and unset ones are left out', async () => {
		const used = await useModel(
			async (model) => (await model.invoke('Hi', { stop: ['END', 'Observation'] })).text,
			{
				options: { maxTokens: 50, temperature: 0, topP: 0.5, topK: 0, stopSequences: ['END'] },
			},
		);
		used.result();
		expect(bodyOf()).toEqual({
			model: MODEL,
			messages: [{ role: 'user', content: 'Hi' }],
			max_tokens: 50,
			temperature: 0,
			top_p: 0.5,
			top_k: 0,
			stop_sequences: ['END', 'Observation'],
		});
	});

	test('can ask for a stream whose text comes back as one', async () => {
		const used = await useModel(async (model) => (await model.invoke('Hello there')).text, {
			options: { stream: true },
		});
		expect(used.result()).toMatch(/^You wrote “Hello there”/);
		expect(bodyOf()).toMatchObject({ stream: true });
		expect(traceOf(used)).toMatchObject({ tokenUsage: { completionTokens: expect.any(Number) } });
	});

	test.each([
		[{ maxTokens: 0 }, 'options.maxTokens', 'must be a whole number of 1 or more'],
		[
			{ longConversations: 'x' },
			'options.longConversations',
			'must be one of Drop the Oldest, Fail, Fold the Oldest',
		],
	])('%j is an error before anything is sent', async (options, name, rule) => {
		const used = await useModel(async (model) => await model.invoke('Hi'), { options });
		expect(used.run.data.resultData.error).toMatchObject({
			message: 'Error in sub-node Model',
			description: expect.stringContaining(wrongParameter(name, rule)),
		});
		expect(emulator.requests).toEqual([]);
	});

	test('a conversation without a message is an error before anything is sent', async () => {
		const used = await useModel(async (model) => await model.invoke([new SystemMessage('Be brief.')]));
		expect(() => used.result()).toThrow(/has no text/);
		expect(emulator.requests).toEqual([]);
	});

	test('a long conversation can be refused', async () => {
		const long = Array.from({ length: 11 }, (_, n) =>
			n % 2 ? new AIMessage(`a${n}`) : new HumanMessage(`q${n}`),
		);
		const used = await useModel(async (model) => await model.invoke(long), {
			options: { longConversations: 'fail' },
		});
		expect(() => used.result()).toThrow(/has 11 messages, but the service accepts 10/);
		expect(emulator.requests).toEqual([]);
	});
});

describe('when it fails', () => {
	test.each<[string, { fault?: Fault; model?: string; apiKey?: string }, string | RegExp, RegExp]>([
		['a wrong key', { apiKey: 'wrong' }, /./, /Check the API key in the credential/],
		['an unknown model', { model: 'acme/none' }, /does not exist/, /Unknown model: check its name/],
		[
			'a refusal',
			{
				fault: {
					status: 200,
					body: messageOf([{ type: 'text', text: '' }], 'refusal', { input_tokens: 1200, output_tokens: 3 }),
				},
			},
			/was blocked/,
			/use another model\.\nTokens: 1,200 in, 3 out\.$/,
		],
		[
			'a limit of tokens that leaves no text',
			{ fault: { status: 200, body: messageOf([], 'max_tokens') } },
			/limit of 1024 tokens before it wrote anything/,
			/Raise the option 'Max Tokens'/,
		],
	])('%s says what to do next, at the sub-node too', async (_what, { fault, ...rest }, message, nextStep) => {
		if (fault) emulator.fault({ path: '/messages', ...fault });
		const used = await useModel(async (model) => await model.invoke('Hi'), {
			...rest,
			options: { maxRetries: 0 },
		});
		for (const error of [used.run.data.resultData.error!, used.traces[0]!.error!]) {
			expect(error.message).toMatch(message);
			expect(error.description).toMatch(nextStep);
			expect(JSON.stringify(error)).not.toContain(emulator.apiKey);
		}
	});

	test('an answer that is cut off comes with a warning at the sub-node, once', async () => {
		const tell = async (model: BaseChatModel) => (await model.invoke('Tell me a story')).text;
		const used = await useModel(async (model) => (await tell(model)) && (await tell(model)), {
			options: { maxTokens: 3 },
		});
		expect(used.result()).toBe('You wrote “Tell');
		expect(used.traces).toHaveLength(2);
		expect(used.traces.at(-1)!.hints).toEqual([
			{
				message:
					"The model reached its limit of 3 tokens, so its answer is cut off. Raise the option 'Max Tokens' of the chat model.",
				location: 'outputPane',
				type: 'warning',
			},
		]);
	});

	test('repeated requests are reported in a hint at the sub-node, with what may be billed twice', async () => {
		emulator.fault({ path: '/messages', status: 503 });
		emulator.fault({ path: '/messages', status: 504 });
		emulator.fault({ path: '/messages', cut: 'before-headers', skip: 1 });
		emulator.fault({ path: '/messages', status: 429, headers: { 'retry-after': '0' } });
		const twice = async (model: BaseChatModel) =>
			(await model.invoke('Hi')).text + (await model.invoke('Hi')).text;
		const used = await useModel(twice);
		expect(used.result()).toContain('Hi');
		expect(emulator.requests).toHaveLength(6);
		expect(used.traces.at(-1)!.hints).toEqual([
			{
				message: expect.stringMatching(
					/^Retries: 1 after HTTP status 503, 1 after HTTP status 504, 1 after a network failure\. 2 repeated requests may have reached the service before, and may be billed twice\. 1 request hit a rate limit\. /,
				),
				location: 'outputPane',
				type: 'info',
			},
		]);
	});

	test.each([false, true])('Stop ends a request (streamed: %s)', async (isStreamed) => {
		emulator.fault({ path: '/messages', stall: isStreamed ? 'mid-body' : 'before-headers' });
		const stop = new AbortController();
		const running = useModel(
			async (model) => {
				if (!isStreamed) return await model.invoke('Hi');
				for await (const _chunk of await model.stream('Hi'));
				return undefined;
			},
			{ signal: stop.signal },
		);
		await emulator.waitForRequests(1);
		stop.abort();
		expect((await running).run.status).toBe('canceled');
		await emulator.waitFor(() => emulator.inFlight === 0, 1000);
	});

	test('one model used by two agents at once keeps their requests, tools and answers apart', async () => {
		const agents = [lookUp, repeat].map((tool) => ({ tool, says: `I am ${tool.name}` }));
		const turns = [0, 1, 2, 3];
		for (const { tool, says } of agents) {
			for (const turn of turns) {
				const text = `${says}, turn ${turn}.`;
				const answer = messageOf(
					[
						{ type: 'text', text: `${tool.name} ${turn}` },
						{ type: 'tool_use', id: `${tool.name}_${turn}`, name: tool.name, input: { turn } },
					],
					'tool_use',
				);
				// The later ones are answered first.
				emulator.fault({ bodyIncludes: text, status: 200, body: answer, delayMs: 20 - 2 * turn });
			}
		}
		const used = await useModel(async (model) => {
			const bound = agents.map(({ tool, says }) => ({ says, bound: model.bindTools!([tool]) }));
			const asked = bound.flatMap(({ says, bound: agent }) =>
				turns.map(async (turn) => {
					const input = `${says}, turn ${turn}.`;
					const answer = turn % 2 === 0 ? await agent.invoke(input) : await gather(agent.stream(input));
					return [answer.text, (answer.tool_calls ?? []).map(({ name, id, args }) => [name, id, args])];
				}),
			);
			return await Promise.all(asked);
		});
		expect(used.result()).toEqual(
			agents.flatMap(({ tool: { name } }) =>
				turns.map((turn) => [`${name} ${turn}`, [[name, `${name}_${turn}`, { turn }]]]),
			),
		);
		expect(emulator.requests).toHaveLength(8);
		for (const { body } of emulator.requests) {
			const { messages, tools } = body as { messages: unknown; tools: Array<{ name: string }> };
			const [asking] = agents.filter(({ says }) => JSON.stringify(messages).includes(says));
			expect(tools.map(({ name }) => name)).toEqual([asking!.tool.name]);
		}
		expect(used.traces).toHaveLength(8);
	});

	test('requests still in flight end together with the node that uses the model', async () => {
		emulator.fault({ path: '/messages', stall: 'before-headers', bodyIncludes: 'slow' });
		emulator.fault({ path: '/messages', status: 401, bodyIncludes: 'wrong' });
		const used = await useModel(
			async (model) => await Promise.all([model.invoke('slow'), model.invoke('wrong')]),
		);
		expect(() => used.result()).toThrow();
		await emulator.waitFor(() => emulator.inFlight === 0, 1000);
	});

	test.each(['image_url', 'image', 'file'])('a message with a block "%s" is an error', async (type) => {
		const used = await useModel(
			async (model) =>
				await model.invoke([
					new HumanMessage({
						content: [
							{ type: 'text', text: 'What is this?' },
							{ type, mimeType: 'image/png', data: 'AAAA', image_url: { url: 'data:image/png;base64,AAAA' } },
						],
					}),
				]),
		);
		expect(() => used.result()).toThrow(/must not contain files/);
		expect(emulator.requests).toEqual([]);
	});
});

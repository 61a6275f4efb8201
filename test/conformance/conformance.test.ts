import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { FormData } from 'undici';

import type {
	Account,
	Batch,
	ChatChunk,
	ChatCompletion,
	ChoiceAnswer,
	DecisionResponse,
	Message,
	MessageStreamEvent,
	NoulAnswer,
	ScoreAnswer,
	ToolUseBlock,
	VoiceList,
	VoiceUploadResult,
} from '../../contract/types';
import { contract } from '../../emulator/ContractValidation';
import { ACCEPTED_MODELS, Emulator, RESTRICTED_MODEL } from '../../emulator/Emulator';
import { requestVariants } from '../support/requestVariants';
import { chatRequest, decisionRequest, messageRequest, voiceUpload } from '../support/validRequests';
import { ConformanceClient, eventsIn } from './ConformanceClient';

/*
 * These tests run on the emulator, or with LIVE_URL (the base URL, with /v1) and LIVE_KEY on the real service. There, some tests are
 * skipped unless these variables are set:
 * LIVE_MODEL                        a model that generates text
 * LIVE_VOICE_MODEL, LIVE_RECORDING  a voice model and an audio file, for a voice style that is deleted immediately
 * LIVE_BATCH                        a batch, which is cancelled
 */
const { LIVE_URL, LIVE_KEY, LIVE_MODEL, LIVE_VOICE_MODEL, LIVE_RECORDING, LIVE_BATCH } = process.env;
if (!LIVE_URL !== !LIVE_KEY) throw new Error('LIVE_URL and LIVE_KEY go together');
if (!LIVE_VOICE_MODEL !== !LIVE_RECORDING) throw new Error('LIVE_VOICE_MODEL and LIVE_RECORDING go together');
const IS_LIVE = Boolean(LIVE_URL);
const MODEL = (IS_LIVE ? LIVE_MODEL : ACCEPTED_MODELS[0]) ?? '';
const VOICE_MODEL = (IS_LIVE ? LIVE_VOICE_MODEL : 'voice-1') ?? '';
const BATCH_ID = (IS_LIVE ? LIVE_BATCH : 'batch_live') ?? '';
const onEmulator = IS_LIVE ? test.skip : test;
const withModel = MODEL === '' ? test.skip : test;
const withVoiceModel = VOICE_MODEL === '' ? test.skip : test;
const withBatch = BATCH_ID === '' ? test.skip : test;

let emulator: Emulator | undefined;
let service: ConformanceClient;

beforeAll(async () => {
	emulator = IS_LIVE ? undefined : await Emulator.start();
	service = new ConformanceClient(emulator?.url ?? LIVE_URL ?? '', emulator?.apiKey ?? LIVE_KEY ?? '');
});

afterAll(async () => {
	await service.close();
	await emulator?.close();
});

function form(parts: Record<string, string | Blob>): FormData {
	const data = new FormData();
	for (const [name, value] of Object.entries(parts)) data.append(name, value);
	return data;
}

describe('asked for decisions, the service', () => {
	test('answers each question under its key, with its type, and names the model, the tokens and the trace ID', async () => {
		const request = decisionRequest();
		const { status, body, headers } = await service.send('decide', { body: request });
		expect(status).toBe(200);
		const { answers, usage, model: answeredBy } = body as DecisionResponse;
		expect(Object.keys(answers).sort()).toEqual(Object.keys(request.questions).sort());
		expect(answers.urgent?.type).toBe('noul');
		expect((answers.urgent as NoulAnswer).noul).toBeGreaterThanOrEqual(0);
		const team = answers.team as ChoiceAnswer;
		expect(['cards', 'transfers']).toContain(team.choice);
		const sum = Object.values(team.probabilities ?? { all: 1 }).reduce((total, p) => total + p, 0);
		expect(sum).toBeCloseTo(1, 5);
		const upset = answers.upset as ScoreAnswer;
		expect(upset.score).toBeGreaterThanOrEqual(0);
		expect(upset.score).toBeLessThanOrEqual(2);
		expect(usage.input_tokens).toBeGreaterThan(0);
		expect(answeredBy).toBe('Kev-4B');
		expect(headers['x-service-trace-id']).toEqual(expect.any(String));
	});

	test.each([['a string'], [['a list', { of: 'things' }]], [{ a: { record: ['nested', 1, null] } }]])(
		'takes %j as a state',
		async (state) => {
			const { status } = await service.send('decide', { body: { ...decisionRequest(), state } });
			expect(status).toBe(200);
		},
	);

	test('takes any key and any option name', async () => {
		const keys = ['__proto__', 'constructor', '1', 'a.b', 'é', 'a/b', ' '];
		const criteria = Object.fromEntries(keys.map((key) => [key, 'an option']));
		const questions = Object.fromEntries(
			keys.map((key) => [key, { type: 'choice', instructions: 'Which one?', criteria }]),
		);
		const { body } = await service.send('decide', { body: { model: 'Kev-4B', state: 'x', questions } });
		const { answers } = body as DecisionResponse;
		expect(Object.keys(answers).sort()).toEqual([...keys].sort());
		for (const answer of Object.values(answers)) expect(keys).toContain((answer as ChoiceAnswer).choice);
	});

	test('echoes X-Trace-Id', async () => {
		const { headers } = await service.send('decide', {
			body: decisionRequest(),
			headers: { 'x-trace-id': 'conformance-1' },
		});
		expect(headers['x-service-trace-id']).toBe('conformance-1');
	});

	test('uses the trace-id of traceparent', async () => {
		const { headers } = await service.send('decide', {
			body: decisionRequest(),
			headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
		});
		expect(headers['x-service-trace-id']).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
	});
});

describe('asked for messages, the service', () => {
	withModel('answers with text', async () => {
		const { status, body } = await service.send('createMessage', { body: messageRequest(MODEL) });
		expect(status).toBe(200);
		const message = body as Message;
		expect(message.content[0]?.type).toBe('text');
		expect(message.usage.output_tokens).toBeGreaterThan(0);
	});

	withModel('stops at max_tokens', async () => {
		const { body } = await service.send('createMessage', {
			body: {
				model: MODEL,
				max_tokens: 2,
				messages: [{ role: 'user', content: 'Count from one to one hundred in words.' }],
			},
		});
		expect((body as Message).stop_reason).toBe('max_tokens');
	});

	withModel('ends a stream with [DONE] after a message_start without a stop_reason', async () => {
		const { mediaType, text } = await service.send('createMessage', {
			body: { ...messageRequest(MODEL), stream: true },
		});
		expect(mediaType).toBe('text/event-stream');
		const events = eventsIn(text);
		expect(events.at(-1)?.data).toBe('[DONE]');
		const start = events.find((event) => event.name === 'message_start');
		expect(JSON.parse(start?.data ?? 'null')).toMatchObject({ message: { stop_reason: null } });
	});

	onEmulator('ends at a stop sequence, and names it', async () => {
		const { body } = await service.send('createMessage', {
			body: { ...messageRequest(MODEL), stop_sequences: ['zzz', 'message of'] },
		});
		expect(body).toMatchObject({ stop_reason: 'end_turn', stop_sequence: 'message of' });
	});
});

withModel('asked for a chat as a stream, the service sends chunks and ends with [DONE]', async () => {
	const { mediaType, text } = await service.send('createChatCompletion', {
		body: { ...chatRequest(MODEL), stream: true },
	});
	expect(mediaType).toBe('text/event-stream');
	const events = eventsIn(text);
	expect(events.pop()?.data).toBe('[DONE]');
	const chunks = events.map(({ data }) => JSON.parse(data) as ChatChunk);
	for (const chunk of chunks) expect(contract().violationOfSchema('ChatChunk', chunk)).toBeUndefined();
	expect(chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('')).not.toBe('');
});

describe('asked for voice styles, the service', () => {
	test('lists them', async () => {
		const { status, body } = await service.send('listVoices');
		expect(status).toBe(200);
		expect(Array.isArray((body as VoiceList).results)).toBe(true);
	});

	onEmulator('uploads, lists and deletes one', async () => {
		const uploaded = await service.send('uploadVoice', { body: form({ ...voiceUpload() }) });
		const { uri } = uploaded.body as VoiceUploadResult;
		expect(uri).toMatch(/^speech:café:1:[^:]+:[^:]+$/);
		const listed = (await service.send('listVoices')).body as VoiceList;
		expect(listed.results).toContainEqual({ model: 'voice-1', customName: 'café:1', text: 'Hello.', uri });
		expect((await service.send('deleteVoice', { body: { uri } })).status).toBe(200);
		expect(((await service.send('listVoices')).body as VoiceList).results).toEqual([]);
		expect((await service.send('deleteVoice', { body: { uri } })).status).toBe(400);
	});
});

test('an account shows its balances as decimal strings', async () => {
	const { status, body } = await service.send('getAccount');
	expect(status).toBe(200);
	expect((body as Account).status).toBe(true);
});

onEmulator('a batch is cancelled although its ID needs percent-encoding', async () => {
	const { status, body } = await service.send('cancelBatch', { parameters: { batch_id: 'a/../b é?' } });
	expect(status).toBe(200);
	expect((body as Batch).id).toBe('a/../b é?');
});

describe('the service', () => {
	test.each(contract().operations.map(({ id }) => id))('refuses %s without a key with 401', async (id) => {
		const { status, body } = await service.send(id, {
			headers: { authorization: undefined },
			parameters: { batch_id: 'batch_1' },
		});
		expect(status).toBe(401);
		expect(typeof body).toBe('string');
	});

	test('refuses an unknown path with 404', async () => {
		const { status, body } = await service.sendTo('GET', '/unheard-of');
		expect(status).toBe(404);
		expect(typeof body).toBe('string');
	});

	test('refuses an unknown model with 400 and code 20012', async () => {
		const refusals = await Promise.all([
			service.send('decide', { body: { ...decisionRequest(), model: 'Unheard-1B' } }),
			service.send('createMessage', { body: messageRequest('unheard/of') }),
			service.send('createChatCompletion', { body: chatRequest('unheard/of') }),
		]);
		for (const { status, body } of refusals) {
			expect(status).toBe(400);
			expect(body).toMatchObject({ code: 20012 });
		}
	});

	onEmulator('refuses a model that needs verification with 403', async () => {
		const { status, body } = await service.send('createMessage', { body: messageRequest(RESTRICTED_MODEL) });
		expect(status).toBe(403);
		expect(typeof body).toBe('string');
	});

	test.each(
		requestVariants(contract(), 'DecisionRequest', decisionRequest())
			.filter(({ valid }) => !valid)
			.map((variant): [string, unknown] => [variant.name, variant.body]),
	)('refuses a decision request with %s', async (_name, body) => {
		const { status } = await service.send('decide', { body });
		expect(status).toBe(400);
	});

	(MODEL === '' ? test.skip : test).each(
		requestVariants(contract(), 'MessageRequest', messageRequest(MODEL))
			.filter(({ valid }) => !valid)
			.map((variant): [string, unknown] => [variant.name, variant.body]),
	)('refuses a message request with %s', async (_name, body) => {
		const { status } = await service.send('createMessage', { body });
		expect(status).toBe(400);
	});

	test('refuses a body that is not JSON', async () => {
		const { status } = await service.send('decide', { body: '{"model":' });
		expect(status).toBe(400);
	});

	onEmulator('answers the documented bodies of 429, 503 and 504', async () => {
		emulator?.setRateLimit({ perSecond: 0.001, burst: 1, limit: 'TPM' });
		await service.send('getAccount');
		const limited = await service.send('getAccount');
		emulator?.setRateLimit();
		expect(limited).toMatchObject({
			status: 429,
			body: { message: expect.stringContaining('TPM') as string },
		});
		for (const status of [503, 504, 500]) {
			emulator?.fault({ status });
			expect((await service.send('getAccount')).status).toBe(status);
		}
	});
});

describe('assumptions', () => {
	const tool = {
		name: 'lookup',
		input_schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
	};
	const asking = {
		model: '',
		max_tokens: 200,
		tools: [tool],
		messages: [{ role: 'user' as const, content: 'Use lookup for the weather in Paris.' }],
	};

	withModel.each<[name: string, operation: 'createMessage' | 'createChatCompletion', change: object]>([
		['max_tokens is at least 1', 'createMessage', { max_tokens: 0 }],
		['max_tokens of a chat is at least 1', 'createChatCompletion', { max_tokens: 0, tools: undefined }],
		['/messages knows no role system', 'createMessage', { messages: [{ role: 'system', content: 'Hi' }] }],
		['a chat needs messages', 'createChatCompletion', { messages: undefined, tools: undefined }],
		['a chat needs a model', 'createChatCompletion', { model: undefined, tools: undefined }],
	])('%s', async (_, operation, change) => {
		const { status } = await service.send(operation, { body: { ...asking, model: MODEL, ...change } });
		expect(status).toBe(400);
	});

	withModel.each([{ type: 'auto' }, { type: 'tool', name: 'lookup' }, { type: 'none' }])(
		'tool_choice is accepted as %j',
		async (tool_choice) => {
			const { status, body } = await service.send('createMessage', {
				body: { ...asking, model: MODEL, tool_choice },
			});
			expect(status).toBe(200);
			const calls = (body as Message).content.filter((block) => block.type === 'tool_use');
			if (tool_choice.type === 'tool') expect(calls).toHaveLength(1);
			if (tool_choice.type === 'none') expect(calls).toHaveLength(0);
		},
	);

	withModel.each([false, true])(
		'a tool result is accepted as a tool_result block with is_error %j',
		async (is_error) => {
			const first = (
				await service.send('createMessage', {
					body: { ...asking, model: MODEL, tool_choice: { type: 'tool', name: 'lookup' } },
				})
			).body as Message;
			const call = first.content.find((block): block is ToolUseBlock => block.type === 'tool_use');
			const second = await service.send('createMessage', {
				body: {
					...asking,
					model: MODEL,
					messages: [
						...asking.messages,
						{ role: 'assistant', content: first.content },
						{
							role: 'user',
							content: [{ type: 'tool_result', tool_use_id: call?.id, content: '18 degrees', is_error }],
						},
					],
				},
			});
			expect(second.status).toBe(200);
			const text = (second.body as Message).content.map((block) => (block.type === 'text' ? block.text : ''));
			expect(text.join('')).toContain('18');
		},
	);

	withModel('a message stream has the six events, in order', async () => {
		const { text } = await service.send('createMessage', {
			body: { ...asking, model: MODEL, stream: true, tool_choice: { type: 'tool', name: 'lookup' } },
		});
		const events = eventsIn(text).slice(0, -1);
		const parsed = events.map(({ data }) => JSON.parse(data) as MessageStreamEvent);
		for (const event of parsed) {
			expect(contract().violationOfSchema('MessageStreamEvent', event)).toBeUndefined();
		}
		expect(events.map(({ name }) => name)).toEqual(parsed.map(({ type }) => type));
		expect(parsed.map(({ type }) => type).join(' ')).toMatch(
			/^message_start( content_block_start( content_block_delta)* content_block_stop)+ message_delta message_stop$/,
		);
		const json = parsed
			.map((event) =>
				event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'
					? event.delta.partial_json
					: '',
			)
			.join('');
		expect(JSON.parse(json)).toHaveProperty('query');
		const begun = { id: expect.stringMatching(/./) as string, name: 'lookup', input: {} };
		expect(parsed).toContainEqual(
			expect.objectContaining({
				type: 'content_block_start',
				content_block: expect.objectContaining(begun) as object,
			}),
		);
		expect(parsed.at(-2)).toMatchObject({
			delta: { stop_reason: 'tool_use' },
			usage: { output_tokens: expect.any(Number) as number },
		});
	});

	describe('of what the chat model sends, the service accepts', () => {
		const calls = ['Paris', 'Rome'].map((query, index) => ({
			type: 'tool_use',
			id: `toolu_conformance_${index}`,
			name: 'lookup',
			input: { query },
		}));
		const results = calls.map(({ id }, index) => ({
			type: 'tool_result',
			tool_use_id: id,
			content: `${18 + index} degrees`,
		}));
		const told = (lastTurn: object[]) => ({
			...asking,
			model: MODEL,
			system: 'Answer with the degrees only.',
			messages: [
				...asking.messages,
				{ role: 'assistant', content: [{ type: 'text', text: 'I look both up.' }, ...calls] },
				{ role: 'user', content: lastTurn },
			],
		});

		withModel('parallel tool calls are in one turn, and their results in the next', async () => {
			const { status } = await service.send('createMessage', { body: told(results) });
			expect(status).toBe(200);
		});

		withModel('one of two tool results may be an error', async () => {
			const failed = { ...results[1], content: 'No such city', is_error: true };
			const { status } = await service.send('createMessage', { body: told([results[0]!, failed]) });
			expect(status).toBe(200);
		});

		withModel('text may follow the tool results in their turn', async () => {
			const { status } = await service.send('createMessage', {
				body: told([...results, { type: 'text', text: 'Which city is warmer?' }]),
			});
			expect(status).toBe(200);
		});

		withModel('earlier tool calls are accepted even if no tools are offered any more', async () => {
			const { tools: _tools, ...body } = told(results);
			expect((await service.send('createMessage', { body })).status).toBe(200);
		});
	});

	withModel('an unstreamed chat has text, finish_reason and usage', async () => {
		const { status, body } = await service.send('createChatCompletion', { body: chatRequest(MODEL) });
		expect(status).toBe(200);
		expect((body as ChatCompletion).choices[0]?.message.content).not.toBe('');
	});

	withModel('a chat may begin with a system message', async () => {
		const { status } = await service.send('createChatCompletion', {
			body: {
				...chatRequest(MODEL),
				messages: [
					{ role: 'system', content: 'Be brief.' },
					{ role: 'user', content: 'Say hello.' },
				],
			},
		});
		expect(status).toBe(200);
	});

	withVoiceModel('a voice style is created from a part audio, with model and customName', async () => {
		const customName = `conformance-${randomUUID()}`;
		const audio =
			IS_LIVE && LIVE_RECORDING
				? new File([readFileSync(LIVE_RECORDING)], basename(LIVE_RECORDING))
				: new File([new Uint8Array([1, 2, 3])], 'recording.mp3');
		const { status, body } = await service.send('uploadVoice', {
			body: form({ model: VOICE_MODEL, customName, text: 'Hello.', audio }),
		});
		expect(status).toBe(200);
		const { uri } = body as VoiceUploadResult;
		expect((await service.send('deleteVoice', { body: { uri } })).status).toBe(200);
		expect(uri).toContain(`speech:${customName}:`);
	});

	onEmulator('an upload has exactly the parts audio, model, customName and text', async () => {
		const parts = { model: 'voice-1', customName: 'a', text: 'Hello.' };
		const audio = new Blob([new Uint8Array([1, 2, 3])], { type: 'audio/mpeg' });
		const send = async (body: FormData): Promise<unknown> => {
			const response = await service.send('uploadVoice', { body });
			return response.status === 200
				? 200
				: (response.body as { message: string }).message.replace(/ .*/, '');
		};
		expect(await send(form({ ...parts, audio }))).toBe(200);
		expect(await send(form({ ...parts, file: audio }))).toBe('audio');
		expect(await send(form({ ...parts, audio, language: 'en' }))).toBe('language');
		expect(await send(form({ ...parts, audio: 'AAAA' }))).toBe('audio');
		expect(await send(form({ ...parts, text: audio, audio }))).toBe('text');
		expect(await send(form({ customName: 'a', text: 'Hello.', audio }))).toBe('model');
		expect(await send(form({ model: 'voice-1', text: 'Hello.', audio }))).toBe('customName');
		const twice = form({ ...parts, audio });
		twice.append('text', 'again');
		expect(await send(twice)).toBe('text');
	});

	withBatch('batch timestamps are Unix seconds', async () => {
		const { status, body } = await service.send('cancelBatch', { parameters: { batch_id: BATCH_ID } });
		expect(status).toBe(200);
		const { created_at, cancelling_at } = body as Batch;
		// In another unit, such as milliseconds, a time would be off by many years. A year leaves room for the clocks of both sides.
		const secondsOfYear = 365 * 24 * 60 * 60;
		for (const time of [created_at, cancelling_at ?? created_at]) {
			// eslint-disable-next-line no-restricted-syntax -- The service tells the time of day, so it is compared with the clock.
			expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(secondsOfYear);
		}
	});

	test('a plain string, such as the error for a wrong key, may be JSON in quotes or bare text', async () => {
		const refusal = await service.send('getAccount', { headers: { authorization: 'Bearer wrong' } });
		expect(refusal).toMatchObject({ status: 401, body: expect.any(String) as string });
	});
});

onEmulator('every operation of the contract has succeeded in a test above', () => {
	expect([...service.succeeded].sort()).toEqual(
		contract()
			.operations.map(({ id }) => id)
			.sort(),
	);
});

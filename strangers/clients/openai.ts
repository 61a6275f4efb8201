import assert from 'node:assert/strict';

import type { Emulator } from '../../emulator/Emulator';
import type { ClientTrial } from '../ClientTrial';
import { MODEL } from '../model';

const ASKING = {
	model: MODEL,
	messages: [{ role: 'user' as const, content: 'Say hello.' }],
	max_tokens: 64,
};

/** OpenAI's SDK on /chat/completions. */
export const OPENAI_TRIALS: ClientTrial[] = [
	{
		title: 'OpenAI SDK: a chat',
		run: async (emulator) => {
			const completion = await (await clientOf(emulator)).chat.completions.create(ASKING);
			assert.match(completion.choices[0]?.message.content ?? '', /hello/);
			assert.equal(completion.choices[0]?.finish_reason, 'stop');
			assert.ok((completion.usage?.completion_tokens ?? 0) > 0);
		},
	},
	{
		title: 'OpenAI SDK: a chat, chunk by chunk',
		run: async (emulator) => {
			const stream = await (await clientOf(emulator)).chat.completions.create({ ...ASKING, stream: true });
			let text = '';
			for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
			assert.match(text, /hello/);
		},
	},
	{
		title: 'OpenAI SDK: the stream helper',
		run: async (emulator) => {
			const stream = (await clientOf(emulator)).chat.completions.stream(ASKING);
			const completion = await stream.finalChatCompletion();
			assert.equal(completion.choices[0]?.message.role, 'assistant');
			assert.match(completion.choices[0]?.message.content ?? '', /hello/);
		},
	},
	{
		title: 'OpenAI SDK: the stream helper assembles tool calls',
		run: async (emulator) => {
			emulator.setScript([
				{
					toolCalls: [
						{ name: 'search', input: { query: 'parcel 7' } },
						{ name: 'lookup', input: { id: 7 } },
					],
				},
			]);
			const stream = (await clientOf(emulator)).chat.completions.stream(ASKING);
			const [choice] = (await stream.finalChatCompletion()).choices;
			assert.equal(choice?.finish_reason, 'tool_calls');
			const calls = choice?.message.tool_calls?.map((call) => call.type === 'function' && call.function);
			assert.deepEqual(
				calls?.map((call) => call && [call.name, JSON.parse(call.arguments)]),
				[
					['search', { query: 'parcel 7' }],
					['lookup', { id: 7 }],
				],
			);
		},
	},
	{
		title: 'OpenAI SDK: an error names its status',
		run: async (emulator) => {
			const client = await clientOf(emulator, 'wrong');
			await assert.rejects(client.chat.completions.create(ASKING), { status: 401 });
		},
	},
	{
		title: 'OpenAI SDK: waits out a rate limit',
		run: async (emulator) => {
			emulator.setRateLimit({
				kind: 'fixed-window',
				startsAt: 'first-request',
				max: 1,
				windowMs: 700,
				limit: 'RPM',
				retryAfter: true,
			});
			const client = await clientOf(emulator);
			await client.chat.completions.create(ASKING);
			await client.chat.completions.create(ASKING);
			assert.deepEqual(
				emulator.requests.map(({ status }) => status),
				[200, 429, 200],
			);
		},
	},
];

async function clientOf({ url, apiKey }: Emulator, key = apiKey) {
	const { OpenAI } = await import('openai');
	return new OpenAI({ baseURL: url, apiKey: key });
}

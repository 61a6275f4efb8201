import assert from 'node:assert/strict';

import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';

import { IN_STREAM_ERRORS, type Emulator } from '../../emulator/Emulator';
import type { ClientTrial } from '../ClientTrial';
import { MODEL } from '../model';

const ASKING = {
	model: MODEL,
	messages: [{ role: 'user' as const, content: 'Say hello.' }],
	max_tokens: 64,
};
const TOOL = {
	name: 'convert_money',
	description: 'Converts money',
	input_schema: { type: 'object' as const, properties: { amount: { type: 'number' } } },
};

/** Anthropic's SDK on /messages. */
export const ANTHROPIC_TRIALS: ClientTrial[] = [
	{
		title: 'Anthropic SDK: a message',
		run: async (emulator) => {
			const { content, stop_reason } = await (await clientOf(emulator)).messages.create(ASKING);
			assert.match(content[0]?.type === 'text' ? content[0].text : '', /hello/);
			assert.equal(stop_reason, 'end_turn');
		},
	},
	{
		title: 'Anthropic SDK: the stream helper',
		run: async (emulator) => {
			const stream = (await clientOf(emulator)).messages.stream(ASKING);
			let text = '';
			stream.on('text', (piece) => {
				text += piece;
			});
			const { content } = await stream.finalMessage();
			assert.equal(content[0]?.type === 'text' && content[0].text, text);
			assert.match(text, /hello/);
		},
	},
	...[false, true].map((stream): ClientTrial => ({
		title: `Anthropic SDK: a tool is called, and its result read${stream ? ', streamed' : ''}`,
		run: async (emulator) => {
			const client = await clientOf(emulator);
			const send = async (body: MessageCreateParamsNonStreaming) =>
				stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
			const question = { role: 'user' as const, content: 'Please convert_money {"amount": 7}' };
			const calling = await send({ ...ASKING, messages: [question], tools: [TOOL] });
			const call = calling.content.find((block) => block.type === 'tool_use');
			assert.deepEqual(call?.input, { amount: 7 });
			const result = { type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: '6.50 euros' };
			const answered = await send({
				...ASKING,
				tools: [TOOL],
				messages: [
					question,
					{ role: 'assistant', content: calling.content },
					{ role: 'user', content: [result] },
				],
			});
			assert.match(answered.content[0]?.type === 'text' ? answered.content[0].text : '', /6\.50 euros/);
		},
	})),
	{
		title: 'Anthropic SDK: thinking, citations and parallel calls in a stream',
		run: async (emulator) => {
			emulator.setScript([
				{
					thinking: 'Two questions at once.',
					signature: 'c2lnbmVk',
					text: 'Let me look.',
					citations: [{ type: 'page_location', cited_text: 'a', document_index: 0 }],
					toolCalls: [
						{ name: 'convert_money', input: { amount: 7 } },
						{ name: 'convert_money', input: { amount: 8 } },
					],
				},
			]);
			const { content } = await (await clientOf(emulator)).messages.stream(ASKING).finalMessage();
			const [thinking, text, ...calls] = content;
			assert.deepEqual(thinking, {
				type: 'thinking',
				thinking: 'Two questions at once.',
				signature: 'c2lnbmVk',
			});
			assert.equal(text?.type === 'text' && text.citations?.length, 1);
			assert.deepEqual(
				calls.map((call) => call.type === 'tool_use' && call.input),
				[{ amount: 7 }, { amount: 8 }],
			);
		},
	},
	{
		title: 'Anthropic SDK: an error in the middle of a stream',
		run: async (emulator) => {
			emulator.fault({ keep: 4, append: [IN_STREAM_ERRORS.namedEvent] });
			const stream = (await clientOf(emulator)).messages.stream(ASKING);
			await assert.rejects(stream.finalMessage(), /Overloaded/);
		},
	},
];

async function clientOf({ url, apiKey }: Emulator) {
	const { Anthropic } = await import('@anthropic-ai/sdk');
	return new Anthropic({ baseURL: new URL(url).origin, authToken: apiKey, apiKey: null });
}

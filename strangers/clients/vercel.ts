import assert from 'node:assert/strict';

import type { Emulator } from '../../emulator/Emulator';
import type { ClientTrial } from '../ClientTrial';
import { MODEL } from '../model';

const PROMPT = 'Say hello.';
const MAX_TOKENS = 64;

/** Vercel's ai on both endpoints, each through the provider for it. */
export const VERCEL_TRIALS: ClientTrial[] = [
	...(['chat', 'message'] as const).flatMap((endpoint): ClientTrial[] => [
		{
			title: `Vercel's ai: generateText by ${endpoint}`,
			run: async (emulator) => {
				const { generateText } = await import('ai');
				const model = await modelOf(emulator, endpoint);
				const { text, finishReason, usage } = await generateText({
					model,
					prompt: PROMPT,
					maxOutputTokens: MAX_TOKENS,
				});
				assert.match(text, /hello/);
				assert.equal(finishReason, 'stop');
				assert.ok((usage.outputTokens ?? 0) > 0);
			},
		},
		{
			title: `Vercel's ai: streamText by ${endpoint}`,
			run: async (emulator) => {
				const { streamText } = await import('ai');
				const model = await modelOf(emulator, endpoint);
				const { textStream } = streamText({ model, prompt: PROMPT, maxOutputTokens: MAX_TOKENS });
				let text = '';
				for await (const piece of textStream) text += piece;
				assert.match(text, /hello/);
			},
		},
	]),
	{
		title: "Vercel's ai: a tool is called and its result read, by message",
		run: async (emulator) => {
			const { generateText, jsonSchema, stepCountIs, tool } = await import('ai');
			const convert = tool({
				description: 'Converts money',
				inputSchema: jsonSchema<{ amount: number }>({
					type: 'object',
					properties: { amount: { type: 'number' } },
				}),
				execute: ({ amount }) => `${amount} euros`,
			});
			const { text } = await generateText({
				model: await modelOf(emulator, 'message'),
				maxOutputTokens: MAX_TOKENS,
				prompt: 'Please convert_money {"amount": 7}',
				tools: { convert_money: convert },
				stopWhen: stepCountIs(3),
			});
			assert.match(text, /7 euros/);
		},
	},
];

async function modelOf({ url, apiKey }: Emulator, endpoint: 'chat' | 'message') {
	if (endpoint === 'chat') {
		const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
		return createOpenAICompatible({ name: 'emulator', baseURL: url, apiKey })(MODEL);
	}
	const { createAnthropic } = await import('@ai-sdk/anthropic');
	return createAnthropic({ baseURL: url, authToken: apiKey })(MODEL);
}

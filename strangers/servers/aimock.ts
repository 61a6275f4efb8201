import { MODEL } from '../model';
import type { StrangeServer } from '../StrangeServer';

/** Plays the interfaces of Anthropic and OpenAI. */
export const AIMOCK: StrangeServer = {
	name: 'aimock',
	serves: { operations: 'generation', callsTools: true, streams: 'whole' },
	start: async () => {
		const { LLMock } = await import('@copilotkit/aimock');
		const mock = new LLMock({ port: 0, host: '127.0.0.1' });
		mock.onMessage(/convert_money/, { toolCalls: [{ name: 'convert_money', arguments: '{"amount":7}' }] });
		mock.onMessage(/hello/, { content: 'Hello to you.', model: MODEL });
		await mock.start();
		return { url: `${mock.url}/v1`, apiKey: 'any', stop: async () => await mock.stop() };
	},
};

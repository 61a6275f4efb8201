import type { Job } from '../Job';
import { countAtOnce } from './atOnce';
import { loadInstalled } from './installed';
import type { Peer } from './Peer';

interface Sdk {
	messages: { create(request: object): Promise<{ content: unknown }> };
}

/** Anthropic's SDK for Node, with its own retries. */
export function anthropicSdk({ concurrency }: Job): Peer {
	const { Anthropic } = loadInstalled<{ Anthropic: new (options: object) => Sdk }>('@anthropic-ai/sdk');
	return {
		run: async (items, { url, apiKey }) => {
			const sdk = new Anthropic({ apiKey: null, authToken: apiKey, baseURL: url.replace(/\/v1$/, '') });
			return await countAtOnce(items, concurrency, async ({ text }) => {
				const messages = [{ role: 'user', content: text }];
				return await sdk.messages.create({ model: 'acme/quick-1', max_tokens: 16, messages }).then(
					({ content }) => Array.isArray(content),
					() => false,
				);
			});
		},
	};
}

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { loadInstalled } from './installed';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

/** n8n's Anthropic node, which sends messages, one after the other. */
export function anthropicNode(): Peer {
	const { Anthropic } = loadInstalled<{ Anthropic: new () => INodeType }>(
		'@n8n/n8n-nodes-langchain/dist/nodes/vendors/Anthropic/Anthropic.node.js',
	);
	const { AnthropicApi } = loadInstalled<{ AnthropicApi: new () => ICredentialType }>(
		'@n8n/n8n-nodes-langchain/dist/credentials/AnthropicApi.credentials.js',
	);
	const nodeType = new Anthropic();
	const credentialType = new AnthropicApi();
	return {
		run: async (items, { url, apiKey }) =>
			await runOnEngine(items, {
				type: '@n8n/n8n-nodes-langchain.anthropic',
				nodeType,
				parameters: {
					resource: 'text',
					operation: 'message',
					modelId: { __rl: true, mode: 'id', value: 'acme/quick-1' },
					messages: { values: [{ content: '={{ $json.text }}', role: 'user' }] },
					options: { maxTokens: 16 },
				},
				credential: {
					type: credentialType,
					data: {
						apiKey,
						url: url.replace(/\/v1$/, ''),
						header: true,
						headerName: 'Authorization',
						headerValue: `Bearer ${apiKey}`,
					},
				},
				isAnswered: ({ content }) => Array.isArray(content),
			}),
	};
}

import type { INodeType } from 'n8n-workflow';

import type { Job } from '../Job';
import { loadBuilt, loadCredentialType } from './decision';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

/**
 * This package's Message node under a trigger that streams: each item in its own execution, all at once.
 * @param delaysMs receives the time from each chunk's writing at the service to `sendChunk`
 */
export function stream({ packageFolder }: Job, delaysMs: number[]): Peer {
	const { Message } = loadBuilt<{ Message: new () => INodeType }>(
		packageFolder,
		'nodes/Message/Message.node.js',
	);
	const nodeType = new Message();
	const credentialType = loadCredentialType(packageFolder);
	return {
		run: async (items, { url, apiKey }) => {
			const answered = await Promise.all(
				items.map(
					async (item) =>
						await runOnEngine([item], {
							type: 'n8n-nodes-inference-service.message',
							nodeType,
							parameters: {
								operation: 'create',
								model: 'acme/quick-1',
								messages: { message: [{ role: 'user', content: item.text as string }] },
							},
							credential: { type: credentialType, data: { baseUrl: url, apiKey } },
							onChunk: ({ type, content }) => {
								if (type !== 'item' || content === undefined) return;
								const now = process.hrtime.bigint();
								for (const writtenAt of content.split(' ').filter((word) => word !== '')) {
									delaysMs.push(Number(now - BigInt(writtenAt)) / 1e6);
								}
							},
							isAnswered: ({ text }) => typeof text === 'string',
						}),
				),
			);
			return answered.reduce((sum, count) => sum + count, 0);
		},
	};
}

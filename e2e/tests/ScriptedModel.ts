import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reply of the model: text, or a call of one of the tools that it is offered. */
export type ModelReply = { text: string } | { tool: string; arguments: object };

/** The part of a chat completion request that matters here. */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
}

/** A server with OpenAI's chat interface, which gives the test's replies, one for each request. */
export class ScriptedModel {
	readonly requests: ModelRequest[] = [];

	private constructor(
		/** The address, without a trailing slash. */
		readonly url: string,
		private readonly server: Server,
	) {}

	static async start(replies: ModelReply[]): Promise<ScriptedModel> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const model = new ScriptedModel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server);
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const reply = replies[model.requests.length];
				model.requests.push(JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest);
				response.writeHead(reply ? 200 : 400, { 'content-type': 'application/json' });
				response.end(JSON.stringify(reply ? toCompletion(reply) : { error: { message: 'No reply left' } }));
			});
		});
		return model;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await once(this.server.close(), 'close');
	}
}

function toCompletion(reply: ModelReply): object {
	const isText = 'text' in reply;
	return {
		id: 'completion-1',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				finish_reason: isText ? 'stop' : 'tool_calls',
				message: {
					role: 'assistant',
					...(isText
						? { content: reply.text }
						: {
								content: null,
								tool_calls: [
									{
										id: 'call-1',
										type: 'function',
										function: { name: reply.tool, arguments: JSON.stringify(reply.arguments) },
									},
								],
							}),
				},
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

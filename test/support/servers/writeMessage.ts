import type { ServerResponse } from 'node:http';

/*
 * Stands in for Ollama's endpoints for messages and chats. The shapes of its answers are assumed, and were not checked against a
 * source. Every answer is "Hello there".
 */

/** Answers a message or a chat. Returns false for any other path. */
export function writeMessage(path: string, text: string, response: ServerResponse): boolean {
	if (path !== 'POST /v1/messages' && path !== 'POST /v1/chat/completions') return false;
	const { model, stream } = JSON.parse(text) as { model: string; stream?: boolean };
	if (path === 'POST /v1/messages') {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				id: 'msg_1',
				type: 'message',
				role: 'assistant',
				model,
				content: [{ type: 'text', text: 'Hello there' }],
				stop_reason: 'end_turn',
				usage: { input_tokens: 9, output_tokens: 2 },
			}),
		);
		return true;
	}
	if (!stream) throw new Error('Only a streamed chat is known here');
	const chunk = (delta: object, finish_reason: string | null) => {
		const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason }];
		const event = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices };
		response.write(`data: ${JSON.stringify(event)}\n\n`);
	};
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	chunk({ content: 'Hello' }, null);
	chunk({ content: ' there' }, null);
	chunk({ content: '' }, 'stop');
	response.end('data: [DONE]\n\n');
	return true;
}

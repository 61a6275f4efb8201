import type { Emulator } from '../../../emulator/Emulator';

/** Describes the content of one message of the model: a text, tool calls, or both. */
export interface ScriptedMessage {
	text?: string;
	calls?: Array<{ name: string; input: object }>;
	stopReason?: string;
}

/**
 * Makes the emulator answer the next requests to `/messages` with these messages, one each, as a stream if the request asks for
 * one.
 */
export function scriptMessages(emulator: Emulator, messages: ScriptedMessage[]): void {
	messages.forEach((message, index) => {
		const whole = toMessage(message, index);
		emulator.fault({
			path: '/messages',
			respond: ({ body }) =>
				(body as { stream?: boolean }).stream === true
					? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: toStream(whole) }
					: { status: 200, body: whole },
		});
	});
}

function toMessage({ text, calls = [], stopReason }: ScriptedMessage, index: number): object {
	return {
		id: `msg_scripted_${index}`,
		type: 'message',
		role: 'assistant',
		model: 'acme/quick-1',
		content: [
			...(text === undefined ? [] : [{ type: 'text', text }]),
			...calls.map(({ name, input }, call) => ({
				type: 'tool_use',
				id: `toolu_${index}_${call}`,
				name,
				input,
			})),
		],
		stop_reason: stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
		stop_sequence: null,
		usage: { input_tokens: 100 + index, output_tokens: 10 + index },
	};
}

/** A whole message in one event is a stream too. */
function toStream(message: object): string {
	return `event: message\ndata: ${JSON.stringify(message)}\n\ndata: [DONE]\n\n`;
}

import type { ChatCompletion, Message, TextBlock, ToolUseBlock } from '../contract/types';

/** A message, with blocks that the service document does not show but similar services send. */
export interface EmulatedMessage extends Omit<Message, 'content'> {
	content: EmulatedBlock[];
}

export type EmulatedBlock = (TextBlock & { citations?: object[] }) | ThinkingBlock | ToolUseBlock;

interface ThinkingBlock {
	type: 'thinking';
	thinking: string;
	signature: string;
}

/** A chat completion of one choice, with fields that the document does not show but similar services send. */
export interface EmulatedCompletion extends Omit<ChatCompletion, 'choices'> {
	choices: [{ index: number; message: EmulatedChatMessage; finish_reason: string }];
}

/** The message of a chat completion. */
export interface EmulatedChatMessage {
	role: 'assistant';
	content: ChatContent | null;
	reasoning_content?: string;
	tool_calls?: ChatToolCall[];
}

/** The text of a chat, whole or in parts. */
export type ChatContent = string | { type: 'text'; text: string }[];

/** A call of a tool in a chat. */
export interface ChatToolCall {
	id: string;
	type: 'function';
	/** `arguments` is JSON text. */
	function: { name: string; arguments: string };
}

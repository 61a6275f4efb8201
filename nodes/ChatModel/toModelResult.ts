import type { FinishReason, GenerateResult, MessageContent, StreamChunk, TokenUsage } from '@n8n/ai-node-sdk';

import {
	isToolUse,
	type ContentBlock,
	type GeneratedMessage,
} from '../../client/generation/GeneratedMessage';
import { tokensOf } from '../shared/service/tokensOf';
import { keepTurn, isText } from './Turn';

const FINISH_REASONS: Record<string, FinishReason> = {
	end_turn: 'stop',
	max_tokens: 'length',
	tool_use: 'tool-calls',
	refusal: 'content-filter',
};

/** Converts a message of the service into the result that n8n's AI nodes expect. */
export function toModelResult(message: GeneratedMessage): GenerateResult {
	return {
		finishReason: finishReasonOf(message),
		usage: usageOf(message),
		message: { role: 'assistant', content: partsOf(message) },
	};
}

/**
 * The chunks that follow after a message's text has been streamed.
 * @param isTextSent false for a message that was not streamed; its text is then sent first
 */
export function* toStreamChunks(message: GeneratedMessage, isTextSent: boolean): Generator<StreamChunk> {
	for (const part of partsOf(message)) {
		if (part.type === 'tool-call') {
			// Each call is sent whole, with its ID: the SDK gives all tool calls the same index, and LangChain tells them
			// apart by their IDs.
			yield { type: 'tool-call-delta', id: part.toolCallId, name: part.toolName, argumentsDelta: part.input };
		} else if (part.type !== 'text') {
			yield { type: 'content', content: part };
		} else if (!isTextSent) {
			yield { type: 'text-delta', delta: part.text };
		}
	}
	// The adapter builds n8n's trace from this part, and completeAdapter.ts adds `factsOf` to it.
	yield { type: 'finish', finishReason: finishReasonOf(message), usage: usageOf(message) };
}

/** What the service reports about a message besides its content, for n8n's trace. */
export function factsOf({ stop_reason, stop_sequence, model, id }: GeneratedMessage) {
	return { stop_reason, stop_sequence, model, message_id: id };
}

function finishReasonOf({ stop_reason: stopReason }: GeneratedMessage): FinishReason {
	return FINISH_REASONS[String(stopReason)] ?? 'other';
}

/** Undefined if the service reports no tokens, so that n8n estimates them. */
function usageOf(message: GeneratedMessage): TokenUsage | undefined {
	const [input, output] = tokensOf(message);
	if (input === null && output === null) return undefined;
	const promptTokens = input ?? 0;
	const completionTokens = output ?? 0;
	return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/**
 * n8n has no place for other kinds of blocks. A turn that has such blocks and calls tools is kept as a whole next to its
 * parts, so that it can be sent back unchanged. At the end of a conversation, n8n would treat them as a part of the answer.
 */
function partsOf({ content }: GeneratedMessage): MessageContent[] {
	const parts = content.flatMap(toPart);
	const isWhole = content.every((block) => isText(block) || isToolUse(block));
	return isWhole || !content.some(isToolUse) ? parts : [...parts, keepTurn(content)];
}

function toPart(block: ContentBlock): MessageContent[] {
	if (isText(block)) return block.text === '' ? [] : [{ type: 'text', text: block.text }];
	if (!isToolUse(block)) return [];
	const { id, name, input } = block;
	return [
		{ type: 'tool-call', toolCallId: String(id), toolName: String(name), input: JSON.stringify(input ?? {}) },
	];
}

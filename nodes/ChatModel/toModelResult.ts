import type { FinishReason, GenerateResult, MessageContent, StreamChunk, TokenUsage } from '@n8n/ai-node-sdk';

import {
	cutOffBy,
	isToolUse,
	type ContentBlock,
	type GeneratedMessage,
} from '../../client/generation/GeneratedMessage';
import { responseFailure } from '../../client/ServiceError';
import { parseJson } from '../../client/values/parseJson';
import { isFilledText, isRecord } from '../../client/values/records';
import { holdsNumber, unsafeIntegersIn } from '../../client/values/unsafeIntegers';
import { tokensOf } from '../shared/service/tokensOf';
import { isText, keepTurn } from './Turn';

const FINISH_REASONS: Record<string, FinishReason> = {
	end_turn: 'stop',
	max_tokens: 'length',
	length: 'length',
	model_context_window_exceeded: 'length',
	tool_use: 'tool-calls',
};

/**
 * Returns the message with the input of each tool call as an object. Some servers give it as JSON text.
 * @throws CallFailure for an input that is no object, because LangChain would lose the call
 */
export function withObjectInputs(message: GeneratedMessage): GeneratedMessage {
	const content = message.content.map((block) =>
		isToolUse(block) ? { ...block, input: inputOf(block) } : block,
	);
	return { ...message, content };
}

function inputOf({ name, input = null }: ContentBlock): Record<string, unknown> {
	if (input === null) return {};
	const parsed = typeof input === 'string' ? parseJson(input) : { success: true as const, value: input };
	if (parsed.success && isRecord(parsed.value)) return parsed.value;
	throw responseFailure(
		`The service's response contains a call to "${String(name)}" whose input is not a JSON object`,
	);
}

/**
 * Returns whether the input of a tool call, as `withObjectInputs` gives it, holds a number that lost digits.
 * @param unsafeIntegers the numbers of the message that lost digits
 */
export function hasLostDigits({ input }: ContentBlock, unsafeIntegers: ReadonlySet<number>): boolean {
	return typeof input === 'string' ? unsafeIntegersIn(input).length > 0 : holdsNumber(input, unsafeIntegers);
}

/** Converts a message of the service into the result that n8n's AI nodes expect. */
export function toModelResult(message: GeneratedMessage): GenerateResult {
	return {
		finishReason: finishReasonOf(message),
		usage: usageOf(message),
		message: { role: 'assistant', content: partsOf(message) },
	};
}

/**
 * Makes the chunks of a message other than its streamed text.
 * @param isTextSent whether the text has been streamed; if not, it becomes chunks too
 */
export function* toStreamChunks(message: GeneratedMessage, isTextSent: boolean): Generator<StreamChunk> {
	for (const part of partsOf(message)) {
		if (part.type === 'tool-call') {
			// The SDK gives all tool calls the same index, so each is sent whole, and LangChain tells them apart by their IDs.
			yield { type: 'tool-call-delta', id: part.toolCallId, name: part.toolName, argumentsDelta: part.input };
		} else if (part.type !== 'text') {
			yield { type: 'content', content: part };
		} else if (!isTextSent) {
			yield { type: 'text-delta', delta: part.text };
		}
	}
	// The adapter builds n8n's trace from this part, and patchSdkAdapter.ts adds `factsOf` to it.
	yield { type: 'finish', finishReason: finishReasonOf(message), usage: usageOf(message) };
}

/** Returns the fields of a message that n8n's trace shows beside its content and tokens. */
export function factsOf({ stop_reason, stop_sequence, model, id }: GeneratedMessage) {
	return { stop_reason, stop_sequence, model, message_id: id };
}

function finishReasonOf({ content, stop_reason: stopReason }: GeneratedMessage): FinishReason {
	// Servers that translate other protocols give a reply with calls any stop reason, or none.
	if (content.some(isToolUse) && cutOffBy(stopReason) === undefined) return 'tool-calls';
	return FINISH_REASONS[String(stopReason)] ?? 'other';
}

/** Returns the token counts. It returns undefined if the service reports none, so that n8n estimates them. */
function usageOf(message: GeneratedMessage): TokenUsage | undefined {
	const [input, output] = tokensOf(message);
	if (input === null && output === null) return undefined;
	const promptTokens = input ?? 0;
	const completionTokens = output ?? 0;
	return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/**
 * Converts blocks into the SDK's message parts, which exist only for texts and tool calls. If a turn that calls tools has other
 * blocks too (such as thinking), the whole turn is added as one more part, so that it can be sent back unchanged. A turn without
 * tool calls may end the conversation, where n8n would show that part as a piece of the answer.
 */
function partsOf(message: GeneratedMessage): MessageContent[] {
	const content = withDistinctCalls(message.content);
	const parts = content.flatMap(toPart);
	const isWhole = content.every((block) => isText(block) || isToolUse(block));
	return isWhole || !content.some(isToolUse) ? parts : [...parts, keepTurn(content)];
}

/**
 * Gives a tool call whose ID is missing, blank or that of another call an ID of its own. LangChain tells the calls of a turn apart
 * by their IDs, and would lose all calls that share one.
 */
function withDistinctCalls(content: ContentBlock[]): ContentBlock[] {
	const given = new Set(content.map(({ id }) => id));
	let number = 0;
	const newId = () => {
		do number++;
		while (given.has(`call_${number}`));
		return `call_${number}`;
	};
	const used = new Set<unknown>();
	return content.map((block) => {
		if (!isToolUse(block)) return block;
		const isDistinct = isFilledText(block.id) && !used.has(block.id);
		used.add(block.id);
		return isDistinct ? block : { ...block, id: newId() };
	});
}

function toPart(block: ContentBlock): MessageContent[] {
	if (isText(block)) return block.text === '' ? [] : [{ type: 'text', text: block.text }];
	if (!isToolUse(block)) return [];
	const { id, name, input } = block;
	return [
		{ type: 'tool-call', toolCallId: String(id), toolName: String(name), input: JSON.stringify(input ?? {}) },
	];
}

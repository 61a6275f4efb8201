import type { MessageContent } from '@n8n/ai-node-sdk';

import { isToolUse, type ContentBlock } from '../../client/generation/GeneratedMessage';
import { isRecord } from '../../client/values/records';
import type { TextTurnBlock } from '../../contract/types';

/** Describes a message of a conversation in the service's format, always with blocks. Adjacent turns have different roles. */
export interface Turn {
	role: 'user' | 'assistant';
	content: ContentBlock[];
}

/** Joins consecutive turns of one role, and leaves out empty ones. */
export function joinTurns(turns: Turn[]): Turn[] {
	const joined: Turn[] = [];
	for (const { role, content } of turns) {
		if (content.length === 0) continue;
		const last = joined.at(-1);
		if (last?.role === role) last.content = [...last.content, ...content];
		else joined.push({ role, content });
	}
	return joined;
}

export function textBlock(text: string): TextTurnBlock & ContentBlock {
	return { type: 'text', text };
}

export function isText(block: ContentBlock): block is TextTurnBlock {
	return block.type === 'text' && typeof block.text === 'string';
}

export function isToolResult({ type }: ContentBlock): boolean {
	return type === 'tool_result';
}

/**
 * Drops tool calls without a result in the next turn, and results without a call in the previous turn, because n8n's memories may
 * cut a conversation between the two. Puts results first in their turn.
 */
export function pairToolCalls(turns: Turn[]): Turn[] {
	const calls = new Set<ContentBlock>();
	const results = callsOfResults(turns);
	for (const call of results.values()) calls.add(call);
	const paired = turns.map(({ role, content }) => {
		const kept = content.filter((block) =>
			isToolUse(block) ? calls.has(block) : !isToolResult(block) || results.has(block),
		);
		return { role, content: [...kept.filter(isToolResult), ...kept.filter((block) => !isToolResult(block))] };
	});
	return joinTurns(paired);
}

/**
 * Finds the tool call of each result. Some models reuse the same IDs in every turn, so only the previous turn is searched. Some
 * give two calls of a turn the same ID; then the first result belongs to the first call.
 */
export function callsOfResults(turns: Turn[]): Map<ContentBlock, ContentBlock> {
	const pairs = new Map<ContentBlock, ContentBlock>();
	turns.forEach(({ content }, index) => {
		const open = (turns[index - 1]?.content ?? []).filter(isToolUse);
		for (const result of content.filter(isToolResult)) {
			const place = open.findIndex(({ id }) => id === result.tool_use_id);
			if (place !== -1) pairs.set(result, open.splice(place, 1)[0]!);
		}
	});
	return pairs;
}

/** A message part of the SDK's type `provider` holds a turn's blocks in this field. */
const KEPT_TURN = 'inferenceServiceTurn';

/** Makes a message part that carries a whole turn of the assistant through n8n. */
export function keepTurn(content: ContentBlock[]): MessageContent {
	return { type: 'provider', value: { [KEPT_TURN]: content } };
}

/** Returns the turn that `keepTurn` put into the parts. It returns undefined if another chat model wrote them. */
export function keptTurn(parts: MessageContent[]): ContentBlock[] | undefined {
	for (const part of parts) {
		if (part.type !== 'provider') continue;
		const content = part.value[KEPT_TURN];
		if (Array.isArray(content) && content.every(isRecord)) return content;
	}
	return undefined;
}

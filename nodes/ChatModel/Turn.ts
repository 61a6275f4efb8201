import type { MessageContent } from '@n8n/ai-node-sdk';

import { isToolUse, type ContentBlock } from '../../client/generation/GeneratedMessage';
import { isRecord } from '../../client/response/records';
import type { TextTurnBlock } from '../../contract/types';

/** One message of a conversation in the service's format, always as blocks. Adjacent turns have different roles. */
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
 * Keeps only the calls of tools that the next turn answers, and only the results whose call the turn before made: n8n's
 * memories may cut between the two. Results come first in their turn.
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
 * The call that each result belongs to. Some models give the calls of every turn the same IDs, or two calls of a turn the same
 * one: then the first result is the first call's.
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

/** The field of a part of the SDK's kind `provider` that holds the blocks of a turn. */
const KEPT_TURN = 'inferenceServiceTurn';

/** A part of a message that carries a whole turn of the assistant through n8n. */
export function keepTurn(content: ContentBlock[]): MessageContent {
	return { type: 'provider', value: { [KEPT_TURN]: content } };
}

/** The turn that the parts carry; undefined if there is none, as with other chat models. */
export function keptTurn(parts: MessageContent[]): ContentBlock[] | undefined {
	for (const part of parts) {
		if (part.type !== 'provider') continue;
		const content = part.value[KEPT_TURN];
		if (Array.isArray(content) && content.every(isRecord)) return content;
	}
	return undefined;
}

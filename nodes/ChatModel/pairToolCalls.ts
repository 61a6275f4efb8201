import { isToolUse, type ContentBlock } from '../../client/GeneratedMessage';
import { isToolResult, joinTurns, type Turn } from './Turn';

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

import { isToolUse, type ContentBlock } from '../../client/GeneratedMessage';
import { isToolResult, joinTurns, type Turn } from './Turn';

/**
 * Keeps only the calls of tools that the next turn answers, and only the results whose call the turn before made: n8n's
 * memories may cut between the two. Results come first in their turn.
 */
export function pairToolCalls(turns: Turn[]): Turn[] {
	const paired = turns.map(({ role, content }, index) => {
		const called = idsIn(turns[index - 1], isToolUse, 'id');
		const answered = idsIn(turns[index + 1], isToolResult, 'tool_use_id');
		const kept = content.filter((block) => {
			if (isToolUse(block)) return answered.has(block.id);
			// Taken out of the set: a call has one result.
			return !isToolResult(block) || called.delete(block.tool_use_id);
		});
		return { role, content: [...kept.filter(isToolResult), ...kept.filter((block) => !isToolResult(block))] };
	});
	return joinTurns(paired);
}

function idsIn(
	turn: Turn | undefined,
	isWanted: (block: ContentBlock) => boolean,
	name: string,
): Set<unknown> {
	return new Set(turn?.content.filter(isWanted).map((block) => block[name]));
}

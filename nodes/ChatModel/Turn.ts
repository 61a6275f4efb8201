import type { ContentBlock } from '../../client/GeneratedMessage';
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

export function isText(block: ContentBlock): block is TextTurnBlock {
	return block.type === 'text' && typeof block.text === 'string';
}

export function isToolResult({ type }: ContentBlock): boolean {
	return type === 'tool_result';
}

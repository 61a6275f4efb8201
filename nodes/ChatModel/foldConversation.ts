import { isToolUse, type ContentBlock } from '../../client/generation/GeneratedMessage';
import { subjectOf } from '../shared/fields/Field';
import { MAX_MESSAGES } from '../shared/generation/generationFields';
import { ParameterError } from '../shared/fields/ParameterError';
import { longConversations as field, type LongConversations } from './fields';
import { callsOfResults, isText, isToolResult, joinTurns, textBlock, type Turn } from './Turn';

const TRANSCRIPT_HEADING = 'Earlier in this conversation:';

const TRANSCRIPT_END = 'The conversation continues:';

/**
 * Shortens a conversation to what the service accepts: at most `MAX_MESSAGES` turns. The first turn of a shortened conversation is
 * the user's. A tool call and its result stay together.
 * @param turns must have alternating roles, and a result for each tool call
 * @throws ParameterError for a conversation that is too long, when `longConversations` is `fail`
 */
export function foldConversation(turns: Turn[], longConversations: LongConversations): Turn[] {
	if (turns.length <= MAX_MESSAGES) return turns;
	if (longConversations === 'fail') throw tooLong(turns.length);
	const cut = findCut(turns);
	const older = turns.slice(0, cut);
	const newer = turns.slice(cut);
	const beginsWithUser = newer[0]?.role === 'user';
	const dropsOlder = longConversations === 'dropOldest';
	if (dropsOlder && beginsWithUser) return newer;
	// The first turn must be the user's. If no question of the user was dropped, the transcript is sent even with `dropOldest`.
	const question = dropsOlder ? older.map(questionIn).findLast((asked) => asked.length > 0) : undefined;
	const transcript = [transcriptOf(older), beginsWithUser ? TRANSCRIPT_END : []].flat().join('\n\n');
	return joinTurns([{ role: 'user', content: question ?? [textBlock(transcript)] }, ...newer]);
}

/**
 * Finds the first turn that is kept, so that as many turns as possible are. If it is the assistant's, one more turn is sent before it:
 * the transcript of the earlier turns, or with `dropOldest` the user's latest question.
 */
function findCut(turns: Turn[]): number {
	const cut = turns.findIndex((turn, index) => {
		if (turn.content.some(isToolResult)) return false;
		const sent = turns.length - index + (turn.role === 'user' ? 0 : 1);
		return sent <= MAX_MESSAGES;
	});
	// If no cut is possible, no turn is kept.
	return cut === -1 ? turns.length : cut;
}

/** Returns the blocks of a user's turn that are not tool results. */
function questionIn({ role, content }: Turn): ContentBlock[] {
	return role === 'user' ? content.filter((block) => !isToolResult(block)) : [];
}

function transcriptOf(turns: Turn[]): string {
	const calls = callsOfResults(turns);
	const entries = turns.flatMap(({ role, content }) =>
		content.flatMap((block) => describe(block, role, calls.get(block)?.name)),
	);
	return [TRANSCRIPT_HEADING, ...entries.map(quoteLines)].join('\n\n');
}

/** Quotes all lines but the first, because a line of a text could look like an entry, such as a tool call that never happened. */
function quoteLines(entry: string): string {
	return entry.replace(/\r\n|[\n\r\u2028\u2029]/g, '\n> ');
}

/**
 * Writes a block as one entry of the transcript that replaces folded messages.
 * @param toolName the name of the tool that returned the block, if the block is a result
 */
function describe(block: ContentBlock, role: Turn['role'], toolName: unknown): string[] {
	if (isText(block)) return [`${role === 'user' ? 'User' : 'Assistant'}: ${block.text}`];
	if (isToolUse(block)) {
		return [`Assistant called the tool ${String(block.name)} with ${JSON.stringify(block.input)}`];
	}
	if (!isToolResult(block)) return [];
	const outcome = block.is_error === true ? 'failed' : 'returned';
	return [`The tool ${String(toolName)} ${outcome}: ${String(block.content)}`];
}

function tooLong(count: number): ParameterError {
	return new ParameterError(
		subjectOf(field),
		`is set to fail, and the conversation has ${count} messages, but the service accepts ${MAX_MESSAGES}: choose another value, or let the memory keep fewer messages`,
		'',
	);
}

import type { MessageRequest, MessageTurn, Tool, ToolResultTurnBlock } from '../contract/types';
import type { Decider } from './Decider';
import { fillForm } from './fillForm';
import { objectsIn } from './objectsIn';

/** Describes the part of the conversation since the user's last text. */
interface Exchange {
	text: string;
	called: string[];
	results: ToolResultTurnBlock[];
}

/**
 * Returns the tools that the reply calls: the forced tool; else each tool that the user's last message names, or that a tool's
 * result says to call; else the first tool that the system prompt names and that has not been called yet.
 */
export function calledTools(request: MessageRequest): Tool[] {
	const { messages, tools = [], tool_choice: choice, system = '' } = request;
	if (choice?.type === 'none' || messages.at(-1)?.role === 'assistant') return [];
	if (choice?.type === 'tool') return tools.filter((tool) => tool.name === choice.name);
	const last = lastUserTurn(request);
	const results = toolResultsOf(last).map(({ content }) => content);
	const named = tools.filter(
		({ name }) =>
			positionOf(name, textOfTurn(last)) >= 0 || positionOf(`call ${name}`, results.join('\n')) >= 0,
	);
	if (named.length > 0) return named;
	const { called } = exchangeOf(messages);
	return tools
		.filter(({ name }) => !called.includes(name) && positionOf(name, system) >= 0)
		.sort((one, other) => positionOf(one.name, system) - positionOf(other.name, system))
		.slice(0, 1);
}

/** Makes the input of a call: the JSON object that the user wrote after the tool's name, else one that meets the tool's schema. */
export async function inputOf(
	{ name, input_schema: schema }: Tool,
	{ messages }: MessageRequest,
	decide: Decider,
): Promise<Record<string, unknown>> {
	const { text, results } = exchangeOf(messages);
	const at = positionOf(name, text);
	const [given] = at < 0 ? [] : objectsIn(text.slice(at + name.length));
	const known = results.flatMap(({ content }) => objectsIn(content));
	return given ?? (await fillForm(schema, { text, known, decide }));
}

export function lastUserTurn({ messages }: MessageRequest): MessageTurn | undefined {
	return messages.findLast((turn) => turn.role === 'user');
}

export function textOfTurn(turn: MessageTurn | undefined): string {
	if (turn === undefined) return '';
	if (typeof turn.content === 'string') return turn.content;
	return turn.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

export function toolResultsOf(turn: MessageTurn | undefined): ToolResultTurnBlock[] {
	if (turn === undefined || typeof turn.content === 'string') return [];
	return turn.content.filter((block) => block.type === 'tool_result');
}

function exchangeOf(messages: MessageTurn[]): Exchange {
	const start = messages.findLastIndex((turn) => turn.role === 'user' && textOfTurn(turn).trim() !== '');
	const since = messages.slice(start + 1);
	const blocks = since.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
	return {
		text: textOfTurn(messages[start]),
		called: blocks.flatMap((block) => (block.type === 'tool_use' ? block.name : [])),
		results: since.flatMap(toolResultsOf),
	};
}

/** Returns the position at which a text names a tool, with underscores or spaces; -1 if it does not. */
function positionOf(name: string, text: string): number {
	return plain(text).indexOf(plain(name));
}

function plain(text: string): string {
	return text.toLowerCase().replaceAll('_', ' ');
}

import type { MessageRequest, MessageTurn, Tool, ToolResultTurnBlock } from '../contract/types';
import { evidenceByWords } from './decideByWords';
import { countWords } from './tokens';

/*
 * When the emulator calls a tool that it is offered:
 *
 * - the one that is forced; each that the last user message names; after a tool's result, each of which that says
 *   "call <name>" or "use <name>";
 * - else one at a time, and each once for a message of the user's: those that the system prompt names, in the order in
 *   which it names them; else the one whose name and description have words of the message, if one has.
 *
 * A limit in the system prompt such as "team_confidence below 0.2" ends the calls once a tool's result is below it.
 * A message of three words or fewer, such as a greeting, does not cause a call.
 */

const MIN_WORDS = 4;

/** At or above this, the words of a message speak for a tool. */
const SPEAKS_FOR = 0.8;

/** What has been said since the user last wrote a text. */
interface Exchange {
	/** The user's text. */
	text: string;
	/** The names of the tools that have been called since then. */
	called: string[];
	/** What tools have returned since then. */
	results: ToolResultTurnBlock[];
}

/** The tools that the reply to a request calls. */
export function calledTools(request: MessageRequest): Tool[] {
	const { messages, tools = [], tool_choice: choice = { type: 'auto' } } = request;
	if (choice.type === 'none' || messages.at(-1)?.role === 'assistant') return [];
	if (choice.type === 'tool') return tools.filter((tool) => tool.name === choice.name);
	const lastUser = lastUserTurn(request);
	const text = textOfTurn(lastUser).toLowerCase();
	const results = toolResultsOf(lastUser)
		.map((result) => result.content)
		.join('\n')
		.toLowerCase();
	const named = tools.filter((tool) => {
		const name = tool.name.toLowerCase();
		return text.includes(name) || results.includes(`call ${name}`) || results.includes(`use ${name}`);
	});
	return named.length > 0 ? named : fittingTools(request, tools);
}

/** Whether a tool has returned a number below a limit that the system prompt sets for it. */
export function isHeldBack({ messages, system = '' }: MessageRequest): boolean {
	const returned = exchangeOf(messages).results.map(({ content }) => content);
	return [...system.matchAll(/(\w+) (?:is )?below (\d+(?:\.\d+)?)/g)].some(([, name, limit]) =>
		returned.some((content) => {
			const value = new RegExp(`"${name}\\\\?"\\s*:\\s*(\\d+(?:\\.\\d+)?)`).exec(content)?.[1];
			return value !== undefined && Number(value) < Number(limit);
		}),
	);
}

/** The last exchange of a conversation. */
export function exchangeOf(messages: MessageTurn[]): Exchange {
	const start = messages.findLastIndex((turn) => turn.role === 'user' && textOfTurn(turn).trim() !== '');
	const since = messages.slice(start + 1);
	return {
		text: textOfTurn(messages[start]),
		called: since.flatMap(({ content }) =>
			typeof content === 'string'
				? []
				: content.flatMap((block) => (block.type === 'tool_use' ? block.name : [])),
		),
		results: since.flatMap(toolResultsOf),
	};
}

/** The last turn of the user. */
export function lastUserTurn({ messages }: MessageRequest): MessageTurn | undefined {
	return messages.findLast((turn) => turn.role === 'user');
}

export function textOfTurn(turn: MessageTurn | undefined): string {
	if (turn === undefined) return '';
	if (typeof turn.content === 'string') return turn.content;
	return turn.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** The tools' results in a turn. */
export function toolResultsOf(turn: MessageTurn | undefined): ToolResultTurnBlock[] {
	if (turn === undefined || typeof turn.content === 'string') return [];
	return turn.content.filter((block) => block.type === 'tool_result');
}

function fittingTools(request: MessageRequest, tools: Tool[]): Tool[] {
	const { text, called } = exchangeOf(request.messages);
	if (countWords(text) < MIN_WORDS || isHeldBack(request)) return [];
	const system = plain(request.system ?? '');
	const open = tools.filter(({ name }) => !called.includes(name));
	const [next] = open
		.map((tool) => ({ tool, at: system.indexOf(plain(tool.name)) }))
		.filter(({ at }) => at >= 0)
		.sort((one, other) => one.at - other.at);
	if (next !== undefined) return [next.tool];
	if (called.length > 0) return [];
	const evidence = evidenceByWords(
		text,
		Object.fromEntries(open.map(({ name, description = '' }) => [plain(name), description])),
	);
	const strongest = Math.max(0, ...evidence);
	return strongest < SPEAKS_FOR ? [] : open.filter((_, index) => index === evidence.indexOf(strongest));
}

function plain(text: string): string {
	return text.toLowerCase().replaceAll('_', ' ');
}

import type {
	ChatCompletion,
	ChatRequest,
	ContentBlock,
	Message,
	MessageRequest,
	MessageTurn,
	Tool,
	ToolResultTurnBlock,
} from '../contract/types';
import { toolInput } from './toolInput';
import { excerpt, tokensIn } from './words';

/*
 * What the emulator writes:
 *
 * - an excerpt of the last user message, and its number of words;
 * - a JSON object with the same, when the system prompt or the last user message has the word JSON; between code
 *   fences when that message has the word fence;
 * - what a tool returned, after a tool_result;
 * - a call of each tool that the last user message names, or of the tool that is forced. JSON after the name becomes
 *   the input. A tool's result leads to another call only where it says "call <name>" or "use <name>";
 * - the rest of that text, when the assistant has the last turn and has begun it.
 *
 * A token is a word together with the white space before it.
 */

interface Text {
	text: string;
	tokens: number;
	stopReason: 'end_turn' | 'max_tokens';
	stopSequence: string | null;
}

/** Cuts a text into tokens: a word with the white space before it. */
export function tokensOf(text: string): string[] {
	return text.match(/\s*\S+|\s+$/g) ?? [];
}

function textOfTurn(turn: MessageTurn | undefined): string {
	if (turn === undefined) return '';
	if (typeof turn.content === 'string') return turn.content;
	return turn.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function toolResultsOf(turn: MessageTurn | undefined): ToolResultTurnBlock[] {
	if (turn === undefined || typeof turn.content === 'string') return [];
	return turn.content.filter((block) => block.type === 'tool_result');
}

function countWords(text: string): number {
	return text.split(/\s+/).filter((word) => word !== '').length;
}

function replyTo(text: string, system: string): string {
	const words = countWords(text);
	if (/\bjson\b/i.test(text) || /\bjson\b/i.test(system)) {
		const json = JSON.stringify({ summary: excerpt(text, 12), words });
		return /\bfences?\b/i.test(text) ? `\`\`\`json\n${json}\n\`\`\`` : json;
	}
	return `You wrote “${excerpt(text, 12)}”. That is a message of ${words} word${words === 1 ? '' : 's'}, and this is the answer to it.`;
}

function continuing(whole: string, begun: string): string {
	const start = begun.trimEnd();
	if (start === '') return whole;
	return whole.startsWith(start) ? whole.slice(start.length) : ` … ${whole}`;
}

function bounded(whole: string, maxTokens: number, stopSequences: string[]): Text {
	let text = whole;
	let stopSequence: string | null = null;
	for (const sequence of stopSequences) {
		const at = sequence === '' ? -1 : text.indexOf(sequence);
		if (at >= 0) {
			text = text.slice(0, at);
			stopSequence = sequence;
		}
	}
	const tokens = tokensOf(text);
	if (tokens.length <= maxTokens)
		return { text, tokens: tokens.length, stopReason: 'end_turn', stopSequence };
	const kept = tokens.slice(0, Math.max(0, maxTokens));
	return { text: kept.join(''), tokens: kept.length, stopReason: 'max_tokens', stopSequence: null };
}

function calledTools(request: MessageRequest, lastUser: MessageTurn | undefined): Tool[] {
	const tools = request.tools ?? [];
	const choice = request.tool_choice ?? { type: 'auto' };
	if (choice.type === 'none') return [];
	if (choice.type === 'tool') return tools.filter((tool) => tool.name === choice.name);
	const text = textOfTurn(lastUser).toLowerCase();
	const results = toolResultsOf(lastUser)
		.map((result) => result.content)
		.join('\n')
		.toLowerCase();
	return tools.filter((tool) => {
		const name = tool.name.toLowerCase();
		return text.includes(name) || results.includes(`call ${name}`) || results.includes(`use ${name}`);
	});
}

/**
 * What the schema of the contract cannot say about a message request: a tool result answers a call of the turn
 * before it, and a forced tool exists. Returns what is wrong.
 */
export function inconsistencyOf(request: MessageRequest): string | undefined {
	const choice = request.tool_choice;
	if (choice?.type === 'tool' && !request.tools?.some((tool) => tool.name === choice.name))
		return `tool_choice.name names no tool: ${choice.name}`;
	for (const [index, turn] of request.messages.entries()) {
		const before = request.messages[index - 1]?.content;
		const calls = typeof before === 'object' ? before.filter((block) => block.type === 'tool_use') : [];
		for (const result of toolResultsOf(turn))
			if (!calls.some((call) => call.id === result.tool_use_id))
				return `messages.${index}.content has a tool_result for ${result.tool_use_id}, which the turn before does not call`;
	}
	return undefined;
}

/** Answers a message request that has passed the contract. `nextId` makes identifiers with a prefix. */
export function generateMessage(request: MessageRequest, nextId: (prefix: string) => string): Message {
	const last = request.messages.at(-1);
	const begun = last?.role === 'assistant' ? textOfTurn(last) : '';
	const lastUser = request.messages.findLast((turn) => turn.role === 'user');
	const userText = textOfTurn(lastUser);
	const results = toolResultsOf(lastUser);
	const input_tokens = tokensIn(
		JSON.stringify(request.messages) + (request.system ?? '') + JSON.stringify(request.tools ?? ''),
	);
	const head = { id: nextId('msg'), type: 'message', role: 'assistant', model: request.model } as const;

	const tools = last?.role === 'assistant' ? [] : calledTools(request, lastUser);
	if (tools.length > 0) {
		const content: ContentBlock[] = [
			{ type: 'text', text: `Calling ${tools.map((tool) => tool.name).join(', ')}.` },
			...tools.map((tool): ContentBlock => ({
				type: 'tool_use',
				id: nextId('toolu'),
				name: tool.name,
				input: toolInput(tool.input_schema, tool.name, userText),
			})),
		];
		return {
			...head,
			content,
			stop_reason: 'tool_use',
			stop_sequence: null,
			usage: { input_tokens, output_tokens: tokensIn(JSON.stringify(content)) },
		};
	}

	const whole =
		results.length > 0
			? results
					.map((result) =>
						result.is_error === true
							? `The tool failed: ${excerpt(result.content, 40)}`
							: `The tool returned: ${excerpt(result.content, 40)}`,
					)
					.join('\n')
			: replyTo(userText, request.system ?? '');
	const reply = bounded(continuing(whole, begun), request.max_tokens, request.stop_sequences ?? []);
	return {
		...head,
		content: [{ type: 'text', text: reply.text }],
		stop_reason: reply.stopReason,
		stop_sequence: reply.stopSequence,
		usage: { input_tokens, output_tokens: reply.tokens },
	};
}

/** Answers a chat request that has passed the contract. `nextId` makes identifiers with a prefix. */
export function generateChatCompletion(
	request: ChatRequest,
	nextId: (prefix: string) => string,
): ChatCompletion {
	const last = request.messages.at(-1);
	const begun = last?.role === 'assistant' ? last.content : '';
	const userText = request.messages.findLast((turn) => turn.role === 'user')?.content ?? '';
	const system = request.messages
		.filter((turn) => turn.role === 'system')
		.map((turn) => turn.content)
		.join('\n');
	const reply = bounded(
		continuing(replyTo(userText, system), begun),
		request.max_tokens ?? Number.POSITIVE_INFINITY,
		[],
	);
	const reasoning = `Words in the last message: ${countWords(userText)}.`;
	return {
		id: nextId('chat'),
		model: request.model,
		choices: [
			{
				index: 0,
				message: { role: 'assistant', content: reply.text, reasoning_content: reasoning },
				finish_reason: reply.stopReason === 'max_tokens' ? 'length' : 'stop',
			},
		],
		usage: {
			prompt_tokens: tokensIn(JSON.stringify(request.messages)),
			completion_tokens: reply.tokens + tokensOf(reasoning).length,
		},
	};
}

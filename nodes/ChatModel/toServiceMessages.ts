import type { Message, MessageContent } from '@n8n/ai-node-sdk';

import { isFilledText, isRecord } from '../../client/values/records';
import type { ContentBlock } from '../../client/generation/GeneratedMessage';
import { parseJson } from '../../client/values/parseJson';
import type { ToolResultTurnBlock, ToolUseTurnBlock } from '../../contract/types';
import { ParameterError } from '../shared/fields/ParameterError';
import { keptTurn, pairToolCalls, isText, joinTurns, textBlock, type Turn } from './Turn';

/** Separates texts that were separate messages. */
const PARAGRAPH = '\n\n';

/** n8n turns LangChain's content blocks in a tool's result into parts of these types. */
const PARTS: ReadonlySet<unknown> = new Set<MessageContent['type']>(['text', 'file']);

/**
 * Converts the messages of n8n's AI nodes into the service's format. System messages are joined. The others become turns of
 * alternating roles, in which every tool call has its result.
 * @throws ParameterError for a file in a message, and if nothing is left after the model's last message that the model should reply to,
 * so that it would continue its own
 */
export function toServiceMessages(messages: Message[]): { system: string; turns: Turn[] } {
	const system = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => content);
	const turns = pairToolCalls(joinTurns(messages.filter(({ role }) => role !== 'system').map(toTurn)));
	if (messages.at(-1)?.role !== 'assistant' && turns.at(-1)?.role === 'assistant') {
		throw new ParameterError(
			'The conversation',
			'must end with a user message that has text, because otherwise the model would continue its last reply',
			'Give the AI node a text, or filter such items out. System messages, wherever they stand, become the system prompt.',
		);
	}
	return { system: textOf(system), turns };
}

/** A turn that is nothing but text is sent as one text, not as blocks, with its pieces as paragraphs. */
export function toRequestMessage({ role, content }: Turn): {
	role: Turn['role'];
	content: string | ContentBlock[];
} {
	const texts = content.filter(isText).map(({ text }) => text);
	return { role, content: texts.length === content.length ? texts.join(PARAGRAPH) : content };
}

function toTurn({ role, content }: Message): Turn {
	switch (role) {
		case 'assistant':
			return { role, content: (keptTurn(content) ?? toAssistantBlocks(content)).filter(isNotBlank) };
		case 'tool':
			return { role: 'user', content: content.flatMap(toResultBlock) };
		default:
			return { role: 'user', content: content.flatMap(toUserText) };
	}
}

/** Joins adjacent texts, because each piece of a streamed text is a separate part. */
function toAssistantBlocks(content: MessageContent[]): ContentBlock[] {
	const blocks: ContentBlock[] = [];
	for (const part of content) {
		const block = toAssistantBlock(part);
		const last = blocks.at(-1);
		if (block && last && isText(block) && isText(last)) {
			blocks[blocks.length - 1] = textBlock(last.text + block.text);
		} else if (block) blocks.push(block);
	}
	return blocks;
}

/**
 * Converts a part of the model's turn. It returns undefined for content that the service did not write, such as another model's
 * reasoning.
 * @throws ParameterError for a file
 */
function toAssistantBlock(part: MessageContent): ContentBlock | undefined {
	switch (part.type) {
		case 'text':
			return typeof part.text === 'string' ? textBlock(part.text) : undefined;
		case 'tool-call':
			return toolUseBlock(part.toolCallId ?? '', part.toolName, part.input);
		case 'file':
			throw filesRefused(part.mediaType);
		default:
			return undefined;
	}
}

function toolUseBlock(id: string, name: string, json: string): ContentBlock {
	const parsed = parseJson(json);
	const input = parsed.success && isRecord(parsed.value) ? { ...parsed.value } : {};
	// AI Agent 3 and later adds the call's ID to the arguments that it sends back.
	if (input.id === id) delete input.id;
	return { type: 'tool_use', id, name, input } satisfies ToolUseTurnBlock;
}

function toUserText(part: MessageContent): ContentBlock[] {
	if (part.type === 'file') throw filesRefused(part.mediaType);
	return part.type === 'text' && isFilledText(part.text) ? [textBlock(part.text)] : [];
}

function toResultBlock(part: MessageContent): ContentBlock[] {
	if (part.type !== 'tool-result') return [];
	const content = resultText(part.result);
	const isError = part.isError === true || reportsFailure(content);
	const block: ToolResultTurnBlock = { type: 'tool_result', tool_use_id: part.toolCallId, content };
	return [isError ? { ...block, is_error: true } : { ...block }];
}

function resultText(result: unknown): string {
	if (typeof result === 'string') return result;
	return isContent(result) ? textOf(result) : (JSON.stringify(result) ?? '');
}

/** AI Agent 3 and later reports a failed tool as an object with only these fields. A tool's real result is a list there. */
function reportsFailure(text: string): boolean {
	const parsed = parseJson(text);
	if (!parsed.success || !isRecord(parsed.value) || typeof parsed.value.error !== 'string') return false;
	return Object.keys(parsed.value).every((key) => key === 'error' || key === 'errorType');
}

function isContent(value: unknown): value is MessageContent[] {
	return (
		Array.isArray(value) && value.length > 0 && value.every((part) => isRecord(part) && PARTS.has(part.type))
	);
}

function textOf(content: MessageContent[]): string {
	return content
		.flatMap(toUserText)
		.filter(isText)
		.map(({ text }) => text)
		.join(PARAGRAPH);
}

/** A text block of LangChain may lack its text, although the types do not say so. */
function isNotBlank(block: ContentBlock): boolean {
	return !isText(block) || isFilledText(block.text);
}

export function filesRefused(kind: string | undefined): ParameterError {
	const what = kind === undefined ? 'files' : `files (${kind})`;
	return new ParameterError(
		'The conversation',
		`must not contain ${what}: this model reads text only. Convert the file to text before the AI node, or turn off the AI node's option that passes files to the model.`,
	);
}

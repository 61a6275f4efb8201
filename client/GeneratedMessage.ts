import { isRecord } from './isRecord';
import { numberOrNull } from './numberOrNull';

/** A message as the service sent it, undocumented fields included. */
export type GeneratedMessage = Record<string, unknown> & { content: ContentBlock[] };

export type ContentBlock = Record<string, unknown>;

/** The text blocks of a message, joined. */
export function textOf(content: ContentBlock[]): string {
	return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** The input and output tokens of a message, null if the service does not report them. */
export function tokensOf({ usage }: GeneratedMessage): [input: number | null, output: number | null] {
	const { input_tokens: input, output_tokens: output } = isRecord(usage) ? usage : {};
	return [numberOrNull(input), numberOrNull(output)];
}

export function isToolUse({ type }: ContentBlock): boolean {
	return type === 'tool_use';
}

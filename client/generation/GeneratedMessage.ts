import { CallFailure } from '../ServiceError';

/** A message in the service's format, undocumented fields included. */
export type GeneratedMessage = Record<string, unknown> & { content: ContentBlock[] };

export type ContentBlock = Record<string, unknown>;

/** Joins the text blocks of a message. */
export function textOf(content: ContentBlock[]): string {
	return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** Returns the part of a whole text after the pieces of it that came before, or all of it if it does not begin with them. */
export function addedTo(pieces: string, whole: string): string {
	return whole.startsWith(pieces) ? whole.slice(pieces.length) : whole;
}

export function isToolUse({ type }: ContentBlock): boolean {
	return type === 'tool_use';
}

/** Whether a stop reason says that the limit on tokens ended the reply. Gateways mix the values of the two operations. */
export function isTruncated(reason: unknown): boolean {
	return reason === 'max_tokens' || reason === 'length';
}

/**
 * Makes the error for a tool call whose arguments are incomplete.
 * @param truncated whether the limit on tokens cut the call off
 */
export function incompleteCall(name: unknown, truncated: boolean): CallFailure {
	const message = `The service's response contains an incomplete call to "${String(name)}"`;
	return new CallFailure({ kind: 'response', message, truncated });
}

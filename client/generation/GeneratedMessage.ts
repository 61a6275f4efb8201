import { CallFailure, type CutOff } from '../ServiceError';

/** Describes a message in the service's format, undocumented fields included. */
export type GeneratedMessage = Record<string, unknown> & { content: ContentBlock[] };

export type ContentBlock = Record<string, unknown>;

const BEGIN_OF_THINKING = '<think>';
const END_OF_THINKING = '</think>';

export function textOf(content: ContentBlock[]): string {
	return content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** Returns the part of a whole text after the pieces of it that came before, or all of it if it does not begin with them. */
export function addedTo(pieces: string, whole: string): string {
	return whole.startsWith(pieces) ? whole.slice(pieces.length) : whole;
}

/**
 * Returns the index after the thinking with which a text begins, or 0. Some servers do not keep it apart from the text. For some models,
 * the first tag is a part of the prompt, so that only the second is in the text, where it begins or ends a line.
 */
export function endOfThinking(text: string): number {
	const start = text.indexOf(END_OF_THINKING);
	if (start === -1) return 0;
	const end = start + END_OF_THINKING.length;
	const thinking = text.slice(0, start).trimStart();
	if (thinking.startsWith(BEGIN_OF_THINKING)) return end;
	const lineBefore = thinking.slice(thinking.lastIndexOf('\n') + 1);
	const isAtLine = lineBefore.trim() === '' || /^[ \t]*\r?\n/.test(text.slice(end));
	return isAtLine && !thinking.includes(BEGIN_OF_THINKING) ? end : 0;
}

export function isToolUse({ type }: ContentBlock): boolean {
	return type === 'tool_use';
}

/**
 * A reply with one of these stop reasons, here in lower case, was cut off. Gateways mix the values of the two operations, and pass on
 * those of Mistral (`model_length`), Gemini (`MAX_TOKENS`) and OpenAI's newer API (`max_output_tokens`).
 */
const CUT_OFF_REASONS: ReadonlyMap<unknown, CutOff> = new Map([
	['max_tokens', 'tokens'],
	['max_output_tokens', 'tokens'],
	['length', 'tokens'],
	['model_length', 'context'],
	['model_context_window_exceeded', 'context'],
]);

const REFUSAL_REASONS: ReadonlySet<unknown> = new Set(['refusal', 'content_filter', 'safety']);

/** These are the stop reasons of a reply that calls tools, in lower case. */
const CALL_REASONS = ['tool_use', 'tool_calls', 'function_call'];

/** A server that does not know how its model writes calls of tools gives them as text, which begins with one of these marks. */
const CALL_AS_TEXT = /^\s*(?:<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>)/;

/**
 * These are the stop reasons of a complete reply, in lower case: those of both operations, and what other servers say in their
 * place.
 */
const COMPLETE_REASONS: ReadonlySet<unknown> = new Set([
	...['end_turn', 'stop_sequence', 'stop'],
	...CALL_REASONS,
	...['eos', 'eos_token', 'complete', 'completed', 'end', 'done'],
]);

/** Returns what cut a reply off, by its stop reason. It returns undefined for a reply that was not. */
export function cutOffBy(reason: unknown): CutOff | undefined {
	return CUT_OFF_REASONS.get(lowerCase(reason));
}

/** Returns whether a reply tells of a call of a tool, by its stop reason or in its text. */
export function tellsOfCall(reason: unknown, text: string): boolean {
	return CALL_REASONS.includes(String(lowerCase(reason))) || CALL_AS_TEXT.test(text);
}

/** Returns whether a stop reason says that the service stopped the reply because of its content. */
export function isRefusal(reason: unknown): boolean {
	return REFUSAL_REASONS.has(lowerCase(reason));
}

/**
 * Returns whether a stop reason is none that a complete reply has, such as `error` or `pause_turn`. Many servers give none at
 * all.
 */
export function mayBeIncomplete(reason: unknown): boolean {
	return typeof reason === 'string' && reason.trim() !== '' && !COMPLETE_REASONS.has(lowerCase(reason));
}

function lowerCase(reason: unknown): unknown {
	return typeof reason === 'string' ? reason.toLowerCase() : reason;
}

/**
 * Makes the error for a refused reply that cannot be a result.
 * @param refusal the model's own words, where they are no part of the text
 */
export function refusedReply(text: string, refusal?: string): CallFailure {
	const message =
		refusal === undefined
			? 'The reply was blocked for a potential policy violation'
			: `The model refused: ${refusal}`;
	return new CallFailure({ kind: 'refusal', message, partialText: text });
}

/**
 * Makes the error for a tool call whose arguments are incomplete.
 * @param reason the stop reason of the reply
 */
export function incompleteCall(name: unknown, reason: unknown): CallFailure {
	const message = `The service's response contains an incomplete call to "${String(name)}"`;
	return new CallFailure({ kind: 'response', message, cutOffBy: cutOffBy(reason) });
}

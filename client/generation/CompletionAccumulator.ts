import type { ChatChunk, ChatCompletion } from '../../contract/types';
import type { Accumulator } from './decodeGenerated';
import { addedTo, cutOffBy, incompleteCall } from './GeneratedMessage';
import { growField, mergeField, mergeUsage } from './mergeField';
import { parseJson } from '../values/parseJson';
import { isMissing, isRecord, setField, type UnknownFields } from '../values/records';
import { responseFailure } from '../ServiceError';

/** Describes a chat completion in the service's format, undocumented fields included. */
export type Completion = Omit<UnknownFields<ChatCompletion>, 'choices'> & { choices: CompletionChoice[] };

type WireChoice = ChatCompletion['choices'][number];

type CompletionMessage = Record<string, unknown> & UnknownFields<WireChoice['message']>;

type CompletionChoice = Omit<UnknownFields<WireChoice>, 'message'> & { message: CompletionMessage };

/** Returns the text of a chat message's content, which may be a list of parts. It returns null if there is none. */
export function contentText(content: unknown): string | null {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return null;
	return content
		.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
		.join('');
}

/** Assembles a chat completion from the chunks of `/chat/completions`. If there are several choices, only the first is read. */
export class CompletionAccumulator implements Accumulator<Completion> {
	readonly endMark = '[DONE]';

	private received = '';

	private whole: Completion | undefined;

	/** Holds the fields of the chunks other than their choices. */
	private readonly head: Record<string, unknown> = {};

	/** Holds the fields of the choice other than its message, such as `logprobs`. */
	private readonly further: Record<string, unknown> = {};

	/** Holds the message so far. It is undefined as long as no choice has arrived. */
	private message: CompletionMessage | undefined;

	private readonly calls: Array<{ index: number; call: Record<string, unknown> }> = [];

	private finishReason: unknown = null;

	get text(): string {
		return this.received;
	}

	get usage(): unknown {
		return (this.whole ?? this.head).usage;
	}

	get isEnded(): boolean {
		return !isMissing(this.whole?.choices[0]?.finish_reason) || this.finishReason !== null;
	}

	push(chunk: Record<string, unknown>, name?: string): string {
		const isKnown = name === undefined || name === 'message';
		const added = isKnown ? this.pushChunk(chunk) : '';
		this.received += added;
		return added;
	}

	finish(): Completion {
		const completion = this.whole ?? this.assembled();
		const { message, finish_reason: reason } = completion.choices[0]!;
		const last: unknown = Array.isArray(message.tool_calls) ? message.tool_calls.at(-1) : undefined;
		// The reply was cut off in the last call, so its arguments may be incomplete even if they are valid JSON.
		if (cutOffBy(reason) && isRecord(last)) {
			throw incompleteCall(isRecord(last.function) ? last.function.name : last.name, reason);
		}
		return completion;
	}

	private assembled(): Completion {
		if (!this.message) {
			throw responseFailure("The service's response is not a chat completion: it has no choices");
		}
		const calls = this.calls.sort((a, b) => a.index - b.index).map(({ call }) => call);
		const message = { ...this.message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
		return {
			...this.head,
			choices: [{ ...this.further, index: 0, message, finish_reason: this.finishReason }],
		};
	}

	private pushChunk(chunk: Record<string, unknown> & UnknownFields<ChatChunk>): string {
		if (isCompletion(chunk)) {
			this.whole = isRecord(this.usage) ? { ...chunk, usage: mergeUsage(this.usage, chunk.usage) } : chunk;
			return addedTo(this.text, contentText(chunk.choices[0]?.message.content) ?? '');
		}
		// The `object` of a chunk is dropped: it names the type, which is not that of a completion.
		const { choices, object: _object, usage, ...head } = chunk;
		if (isRecord(usage)) setField(this.head, 'usage', mergeUsage(this.head.usage, usage));
		if (!Array.isArray(choices)) return '';
		for (const [name, value] of Object.entries(head)) {
			if (!isMissing(value)) setField(this.head, name, value);
		}
		const first = choices.filter(isRecord).find(({ index }) => typeof index !== 'number' || index === 0);
		return first ? this.pushChoice(first) : '';
	}

	private pushChoice({
		index: _index,
		delta,
		finish_reason: finishReason,
		...fields
	}: Record<string, unknown> & UnknownFields<ChatChunk['choices'][number]>): string {
		const message: CompletionMessage = this.message ?? { role: 'assistant', content: null };
		this.message = message;
		for (const [name, value] of Object.entries(fields)) mergeField(this.further, name, value);
		if (!isMissing(finishReason)) this.finishReason = finishReason;
		if (!isRecord(delta)) return '';
		const { role: _role, content, tool_calls: calls, ...further } = delta;
		for (const [name, value] of Object.entries(further)) growField(message, name, value);
		if (Array.isArray(calls)) calls.filter(isRecord).forEach((call) => this.pushToolCall(call));
		const text = contentText(content);
		growField(message, 'content', text);
		return text ?? '';
	}

	/** Adds a piece of a tool call. Only the first piece of a call needs to have an ID and a name. */
	private pushToolCall(piece: Record<string, unknown>): void {
		const { index: _index, function: named, ...head } = piece;
		const call = this.findOrBeginCall(piece);
		for (const [name, value] of Object.entries(head)) {
			// A call keeps its first ID, although a later piece of it may have another one.
			const isLaterId = name === 'id' && !isMissing(call.id);
			if (!isMissing(value) && !isLaterId) setField(call, name, value);
		}
		if (!isRecord(named)) return;
		const whole = isRecord(call.function) ? call.function : { name: '', arguments: '' };
		call.function = whole;
		for (const [name, value] of Object.entries(named)) {
			// Some gateways send the whole name again with each piece of the arguments.
			const isRepeated = name === 'name' && value === whole.name;
			if (!isRepeated) growField(whole, name, value);
		}
	}

	/** Some gateways give the pieces no index. Such a piece belongs to the latest call, or to the latest with the ID that it has. */
	private findOrBeginCall(piece: Record<string, unknown>): Record<string, unknown> {
		const { index, id } = piece;
		const latest = this.calls.findLast((one) =>
			typeof index === 'number' ? one.index === index : isMissing(id) || one.call.id === id,
		);
		if (latest && !beginsAnother(piece, latest.call)) return latest.call;
		const call = {};
		this.calls.push({ index: typeof index === 'number' ? index : this.calls.length, call });
		return call;
	}
}

/**
 * Returns whether a piece begins a new call although a call with its index exists. Ollama and some gateways give all calls the
 * index 0, and older ones give them no ID: https://github.com/vercel/ai/issues/14277.
 */
function beginsAnother(
	{ id, function: named }: Record<string, unknown>,
	call: Record<string, unknown>,
): boolean {
	if (!isRecord(named) || isMissing(named.name)) return false;
	if (!isMissing(id)) return !isMissing(call.id) && call.id !== id;
	const given = isRecord(call.function) ? call.function.arguments : undefined;
	const isWhole = typeof given === 'string' && parseJson(given).success;
	return isWhole && !isMissing(named.arguments);
}

function isCompletion(value: Record<string, unknown>): value is Record<string, unknown> & Completion {
	const first: unknown = Array.isArray(value.choices) ? value.choices[0] : undefined;
	return isRecord(first) && isRecord(first.message) && !isRecord(first.delta);
}

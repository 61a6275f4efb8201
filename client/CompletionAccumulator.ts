import type { ChatChunk, ChatCompletion } from '../contract/types';
import type { Accumulator } from './Accumulator';
import { appendText, mergeField, setField } from './growField';
import { isRecord } from './isRecord';
import { PartCount, partIndex } from './PartCount';
import type { Received } from './Received';
import { responseError } from './ServiceError';

/** A chat completion as the service sent it, undocumented fields included. */
export type Completion = Omit<Received<ChatCompletion>, 'choices'> & { choices: CompletionChoice[] };

type WireChoice = ChatCompletion['choices'][number];

type CompletionMessage = Record<string, unknown> & Received<WireChoice['message']>;

type CompletionChoice = Omit<Received<WireChoice>, 'message'> & { message: CompletionMessage };

interface Choice {
	/** The message so far, with its fields in the order in which they came. */
	message: CompletionMessage;
	/** The tool calls by their index. */
	toolCalls: Map<unknown, Record<string, unknown>>;
	finishReason: unknown;
	/** What else the choice has, such as `logprobs`. */
	further: Record<string, unknown>;
}

/** The text of a chat's content, which may come as parts. Null if there is none. */
export function contentText(content: unknown): string | null {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return null;
	return content
		.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
		.join('');
}

/** Assembles a chat completion from the chunks of `/chat/completions`. */
export class CompletionAccumulator implements Accumulator<Completion> {
	readonly eventNames = [];

	text = '';

	private whole: Completion | undefined;

	/** What chunks contain besides their choices. */
	private readonly head: Record<string, unknown> = {};

	private readonly choices = new Map<number, Choice>();

	private readonly parts = new PartCount();

	get isEnded(): boolean {
		if (this.whole) return true;
		const choices = [...this.choices.values()];
		return choices.length > 0 && choices.every(({ finishReason }) => finishReason !== null);
	}

	get gathered(): unknown {
		const choices = [...this.choices].map(([index, { toolCalls, ...choice }]) => [
			index,
			[...toolCalls],
			choice,
		]);
		return [this.whole, this.head, choices];
	}

	push(chunk: Record<string, unknown>, name?: string): string {
		const isKnown = name === undefined || name === 'message';
		const added = isKnown ? this.pushChunk(chunk) : '';
		this.text += added;
		return added;
	}

	finish(): Completion {
		if (this.whole) return this.whole;
		if (this.choices.size === 0) {
			throw responseError("The service's response is not a chat completion: it has no choices");
		}
		const indexes = [...this.choices.keys()].sort((a, b) => a - b);
		const choices = indexes.map((index) => {
			const { message, toolCalls, finishReason, further } = this.choices.get(index)!;
			const calls = [...toolCalls].sort(([a], [b]) => Number(a) - Number(b)).map(([, call]) => call);
			return {
				...further,
				index,
				message: { ...message, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
				finish_reason: finishReason,
			};
		});
		return { ...this.head, choices };
	}

	private pushChunk(chunk: Record<string, unknown> & Received<ChatChunk>): string {
		if (isCompletion(chunk)) {
			this.whole = chunk;
			const text = contentText(chunk.choices[0]?.message.content) ?? '';
			return text;
		}
		// A chunk's `object` is the name of its kind, which differs from a completion's.
		const { choices, object: _object, ...head } = chunk;
		if (!Array.isArray(choices)) {
			if (isRecord(chunk.usage)) setField(this.head, 'usage', chunk.usage);
			return '';
		}
		for (const [name, value] of Object.entries(head)) {
			if (value !== null) setField(this.head, name, value);
		}
		return choices
			.filter(isRecord)
			.map((choice) => this.pushChoice(choice))
			.join('');
	}

	private pushChoice({
		index,
		delta,
		finish_reason: finishReason,
		...fields
	}: Record<string, unknown> & Received<ChatChunk['choices'][number]>): string {
		const key = typeof index === 'number' ? index : 0;
		const choice = this.choices.get(key) ?? this.newChoice(key);
		for (const [name, value] of Object.entries(fields)) {
			mergeField(choice.further, name, value, this.parts);
		}
		if (finishReason !== undefined && finishReason !== null) choice.finishReason = finishReason;
		if (!isRecord(delta)) return '';
		const { message, toolCalls } = choice;
		const { role: _role, content, tool_calls: calls, ...further } = delta;
		for (const [name, value] of Object.entries(further)) {
			this.grow(message, name, value);
		}
		if (Array.isArray(calls)) calls.filter(isRecord).forEach((call) => this.pushToolCall(toolCalls, call));
		const text = contentText(content);
		this.grow(message, 'content', text);
		return key === 0 ? (text ?? '') : '';
	}

	private newChoice(key: number): Choice {
		this.parts.add();
		const choice: Choice = {
			message: { role: 'assistant', content: null },
			toolCalls: new Map(),
			finishReason: null,
			further: {},
		};
		this.choices.set(key, choice);
		return choice;
	}

	/** A call arrives in pieces. Only the first has an ID and a name. */
	private pushToolCall(
		calls: Choice['toolCalls'],
		{ index, function: named, ...head }: Record<string, unknown>,
	): void {
		const key = partIndex(index ?? calls.size);
		const call = calls.get(key) ?? this.newToolCall();
		calls.set(key, call);
		for (const [name, value] of Object.entries(head)) {
			if (value !== null && value !== '') setField(call, name, value);
		}
		if (!isRecord(named)) return;
		const whole = isRecord(call.function) ? call.function : { name: '', arguments: '' };
		call.function = whole;
		for (const [name, value] of Object.entries(named)) {
			this.grow(whole, name, value);
		}
	}

	private newToolCall(): Record<string, unknown> {
		this.parts.add();
		return {};
	}

	/** Texts arrive in pieces, other values whole. */
	private grow(record: Record<string, unknown>, name: string, value: unknown): void {
		if (typeof value === 'string') appendText(record, name, value);
		else if (value !== null) setField(record, name, value);
	}
}

function isCompletion(value: Record<string, unknown>): value is Record<string, unknown> & Completion {
	const { choices } = value;
	return (
		Array.isArray(choices) &&
		choices.length > 0 &&
		choices.every((choice) => isRecord(choice) && isRecord(choice.message))
	);
}

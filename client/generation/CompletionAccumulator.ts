import type { ChatChunk, ChatCompletion } from '../../contract/types';
import type { Accumulator } from './decodeCompletion';
import { Gathered } from './Gathered';
import { incompleteCall } from './incompleteCall';
import { isRecord } from '../response/isRecord';
import { presentOrNull } from '../response/presentOrNull';
import type { Received } from '../response/Received';
import { responseError } from '../ServiceError';

/** A chat completion as the service sent it, undocumented fields included. */
export type Completion = Omit<Received<ChatCompletion>, 'choices'> & { choices: CompletionChoice[] };

type WireChoice = ChatCompletion['choices'][number];

type CompletionMessage = Record<string, unknown> & Received<WireChoice['message']>;

type CompletionChoice = Omit<Received<WireChoice>, 'message'> & { message: CompletionMessage };

/** The text of a chat's content, which may come as parts. Null if there is none. */
export function contentText(content: unknown): string | null {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return null;
	return content
		.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
		.join('');
}

/** Assembles a chat completion from the chunks of `/chat/completions`. Of several choices, it reads the first. */
export class CompletionAccumulator implements Accumulator<Completion> {
	readonly gathered = new Gathered();

	text = '';

	private whole: Completion | undefined;

	/** What chunks contain besides their choices. */
	private readonly head: Record<string, unknown> = {};

	/** What the choice has besides its message, such as `logprobs`. */
	private readonly further: Record<string, unknown> = {};

	/** With its fields in the order in which they came. Undefined as long as there is no choice. */
	private message: CompletionMessage | undefined;

	private readonly callsByIndex = new Map<unknown, Record<string, unknown>>();

	private finishReason: unknown = null;

	get usage(): unknown {
		return (this.whole ?? this.head).usage;
	}

	get isEnded(): boolean {
		return this.whole !== undefined || this.finishReason !== null;
	}

	push(chunk: Record<string, unknown>, name?: string): string {
		const isKnown = name === undefined || name === 'message';
		const added = isKnown ? this.pushChunk(chunk) : '';
		this.text += added;
		return added;
	}

	finish(): Completion {
		if (this.whole) return withWholeCalls(this.whole);
		if (!this.message) {
			throw responseError("The service's response is not a chat completion: it has no choices");
		}
		const calls = [...this.callsByIndex].sort(([a], [b]) => Number(a) - Number(b)).map(([, call]) => call);
		const message = { ...this.message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
		return withWholeCalls({
			...this.head,
			choices: [{ ...this.further, index: 0, message, finish_reason: this.finishReason }],
		});
	}

	private pushChunk(chunk: Record<string, unknown> & Received<ChatChunk>): string {
		if (isCompletion(chunk)) {
			this.whole = chunk;
			return contentText(chunk.choices[0]?.message.content) ?? '';
		}
		// A chunk's `object` is the name of its kind, which differs from a completion's.
		const { choices, object: _object, ...head } = chunk;
		if (!Array.isArray(choices)) {
			if (isRecord(chunk.usage)) this.gathered.mergeUsage(this.head, chunk.usage);
			return '';
		}
		for (const [name, value] of Object.entries(head)) {
			if (name === 'usage' && isRecord(value)) this.gathered.mergeUsage(this.head, value);
			else if (value !== null) this.gathered.set(this.head, name, value);
		}
		const first = choices.filter(isRecord).find(({ index }) => typeof index !== 'number' || index === 0);
		return first ? this.pushChoice(first) : '';
	}

	private pushChoice({
		index: _index,
		delta,
		finish_reason: finishReason,
		...fields
	}: Record<string, unknown> & Received<ChatChunk['choices'][number]>): string {
		const message = (this.message ??= { role: 'assistant', content: null });
		for (const [name, value] of Object.entries(fields)) this.gathered.merge(this.further, name, value);
		this.finishReason = presentOrNull(finishReason) ?? this.finishReason;
		if (!isRecord(delta)) return '';
		const { role: _role, content, tool_calls: calls, ...further } = delta;
		for (const [name, value] of Object.entries(further)) this.gathered.grow(message, name, value);
		if (Array.isArray(calls)) calls.filter(isRecord).forEach((call) => this.pushToolCall(call));
		const text = contentText(content);
		this.gathered.grow(message, 'content', text);
		return text ?? '';
	}

	/** A call arrives in pieces. Some gateways repeat its ID and its name in each of them, or leave the index out. */
	private pushToolCall({ index, function: named, ...head }: Record<string, unknown>): void {
		const key = index ?? this.indexOfCall(head.id, isRecord(named) ? named.name : undefined);
		const call = this.callsByIndex.get(key) ?? {};
		if (!this.callsByIndex.has(key)) this.gathered.count(call);
		this.callsByIndex.set(key, call);
		for (const [name, value] of Object.entries(head)) {
			if (presentOrNull(value) !== null) this.gathered.set(call, name, value);
		}
		if (!isRecord(named)) return;
		const whole = isRecord(call.function) ? call.function : { name: '', arguments: '' };
		call.function = whole;
		for (const [name, value] of Object.entries(named)) {
			const isRepeated = name === 'name' && value === whole.name;
			if (!isRepeated) this.gathered.grow(whole, name, value);
		}
	}

	/** The index of the call that a piece without one belongs to: the latest with its ID, or a new one for a new ID or name. */
	private indexOfCall(id: unknown, name: unknown): unknown {
		const known = [...this.callsByIndex].reverse();
		const same = presentOrNull(id) === null ? known[0] : known.find(([, call]) => call.id === id);
		const begins = presentOrNull(id) === null && presentOrNull(name) !== null;
		return same && !begins ? same[0] : this.callsByIndex.size;
	}
}

/** Whatever its arguments look like, the last call of a reply that reached its token limit may lack some of them. */
function withWholeCalls(completion: Completion): Completion {
	const { message, finish_reason: reason } = completion.choices[0]!;
	const last: unknown = Array.isArray(message.tool_calls) ? message.tool_calls.at(-1) : undefined;
	if (reason !== 'length' || !isRecord(last)) return completion;
	throw incompleteCall(isRecord(last.function) ? last.function.name : undefined, reason);
}

function isCompletion(value: Record<string, unknown>): value is Record<string, unknown> & Completion {
	const { choices } = value;
	return (
		Array.isArray(choices) &&
		choices.length > 0 &&
		choices.every((choice) => isRecord(choice) && isRecord(choice.message))
	);
}

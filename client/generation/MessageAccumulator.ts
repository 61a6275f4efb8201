import type { Accumulator } from './decodeCompletion';
import { isToolUse, textOf, type ContentBlock, type GeneratedMessage } from './GeneratedMessage';
import { Gathered } from './Gathered';
import { incompleteCall } from './incompleteCall';
import { isRecord } from '../response/isRecord';
import { parseResponseJson } from '../response/parseResponseJson';
import { presentOrNull } from '../response/presentOrNull';
import { responseError } from '../ServiceError';

/** Assembles a message from the events of `/messages`. */
export class MessageAccumulator implements Accumulator<GeneratedMessage> {
	readonly gathered = new Gathered();

	text = '';

	isEnded = false;

	private whole: Record<string, unknown> | undefined;

	private message: Record<string, unknown> | undefined;

	private readonly blocks = new Map<unknown, ContentBlock>();

	/** The JSON text of tool inputs so far, by the index of their block. */
	private readonly inputs = new Map<unknown, string>();

	get usage(): unknown {
		return (this.whole ?? this.message)?.usage;
	}

	push(data: Record<string, unknown>, name?: string): string {
		const added = this.apply(data, data.type ?? typeOf(data, name));
		this.text += added;
		return added;
	}

	finish(): GeneratedMessage {
		if (this.whole) return withWholeCalls(withContent(this.whole));
		if (!this.message && this.blocks.size === 0) {
			throw responseError("The service's response is not a message: it is empty");
		}
		const indexes = [...this.blocks.keys()].sort((a, b) => Number(a) - Number(b));
		const content = indexes.map((index) => this.finishBlock(index));
		return withWholeCalls({ ...this.message, content });
	}

	private apply(data: Record<string, unknown>, type: unknown): string {
		switch (type) {
			case 'message':
				return this.applyWhole(data);
			case 'message_start':
				return this.applyStart(data.message);
			case 'content_block_start':
				return this.startBlock(data.index, data.content_block);
			case 'content_block_delta':
				return this.applyDelta(data.index, data.delta);
			case 'message_delta':
				this.applyChange(data);
				return '';
			case 'message_stop':
				this.isEnded = true;
				return '';
			default:
				return '';
		}
	}

	private applyWhole(message: Record<string, unknown>): string {
		this.whole = message;
		const text = textOf(withContent(message).content);
		this.isEnded = true;
		return text.startsWith(this.text) ? text.slice(this.text.length) : text;
	}

	private applyStart(message: unknown): string {
		if (!isRecord(message)) return '';
		this.gathered.count({ ...message, content: [] }, this.message);
		this.message = { ...message, content: [] };
		return [message.content]
			.flat()
			.map((block, index) => this.startBlock(index, block))
			.join('');
	}

	private startBlock(index: unknown, block: unknown): string {
		return isRecord(block) ? textOf([this.keepBlock(index, block)]) : '';
	}

	private keepBlock(index: unknown, block: ContentBlock): ContentBlock {
		this.gathered.count(block, this.blocks.get(index));
		this.blocks.set(index, block);
		return block;
	}

	private applyDelta(index: unknown, delta: unknown): string {
		if (!isRecord(delta)) return '';
		const { type, text, partial_json: json, ...further } = delta;
		if (type === 'text_delta' && typeof text === 'string') {
			const block = this.blocks.get(index) ?? this.keepBlock(index, { type: 'text', text: '' });
			this.gathered.append(block, 'text', text);
			return text;
		}
		if (typeof json === 'string') {
			if (!this.blocks.has(index)) {
				throw responseError("The service's response adds to a tool call that has not begun");
			}
			this.gathered.count(json);
			this.inputs.set(index, (this.inputs.get(index) ?? '') + json);
			return '';
		}
		const block = this.blocks.get(index);
		if (block) this.applyUnknown(block, text === undefined ? further : { text, ...further });
		return '';
	}

	/**
	 * A delta of a kind that is not documented, such as `thinking_delta`, `signature_delta` or `citations_delta`: a text
	 * of the block grows, and a `citation` goes to the list `citations`.
	 */
	private applyUnknown(block: ContentBlock, fields: Record<string, unknown>): void {
		for (const [name, value] of Object.entries(fields)) {
			if (isRecord(value)) this.gathered.push(block, `${name}s`, value);
			else this.gathered.grow(block, name, value);
		}
	}

	/** The event's other fields are about the message too, unless the message already has them. */
	private applyChange(event: Record<string, unknown>): void {
		const { type: _type, index: _index, delta, usage, ...further } = event;
		const message = (this.message ??= {});
		const added = Object.entries(further).filter(([name]) => !Object.hasOwn(message, name));
		const changed = isRecord(delta) ? Object.entries(delta) : [];
		for (const [name, value] of [...added, ...changed]) {
			const present = presentOrNull(value);
			if (present !== null || !Object.hasOwn(message, name)) this.gathered.set(message, name, present);
		}
		if (isRecord(usage)) this.gathered.mergeUsage(message, usage);
	}

	private finishBlock(index: unknown): ContentBlock {
		const block = this.blocks.get(index)!;
		const json = this.inputs.get(index) ?? '';
		if (json === '') return block;
		const parsed = parseResponseJson(json);
		if (parsed.success && isRecord(parsed.value)) return { ...block, input: parsed.value };
		throw incompleteCall(block.name, this.message?.stop_reason);
	}
}

/**
 * The service's document names an event, `message_start`, but shows no field `type`, so the name stands in for it. A message is
 * recognized even without either. Any other event without both is unknown.
 */
function typeOf(data: Record<string, unknown>, name: string | undefined): string | undefined {
	if (name !== undefined && name !== 'message') return name;
	return Array.isArray(data.content) ? 'message' : undefined;
}

/** Whatever its arguments look like, a call in which the reply reached its token limit may lack some of them. */
function withWholeCalls(message: GeneratedMessage): GeneratedMessage {
	const last = message.content.at(-1);
	if (last && isToolUse(last) && message.stop_reason === 'max_tokens') {
		throw incompleteCall(last.name, message.stop_reason);
	}
	return message;
}

function withContent(message: Record<string, unknown>): GeneratedMessage {
	const { content } = message;
	if (Array.isArray(content) && content.every(isRecord)) return message as GeneratedMessage;
	throw responseError("The service's response is not a message: it has no list of content blocks");
}

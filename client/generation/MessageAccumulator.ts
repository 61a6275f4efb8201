import type { Accumulator } from './decodeGenerated';
import {
	addedTo,
	cutOffBy,
	incompleteCall,
	isToolUse,
	textOf,
	type ContentBlock,
	type GeneratedMessage,
} from './GeneratedMessage';
import { growField, mergeUsage } from './mergeField';
import { givenOrNull, isMissing, isRecord, setField } from '../values/records';
import { parseJson } from '../values/parseJson';
import { responseFailure } from '../ServiceError';

/** Assembles a message from the events of `/messages`. */
export class MessageAccumulator implements Accumulator<GeneratedMessage> {
	readonly endMark = 'message_stop';

	private received = '';

	private hasStopped = false;

	private whole: Record<string, unknown> | undefined;

	private message: Record<string, unknown> | undefined;

	private readonly blocks = new Map<unknown, ContentBlock>();

	/** Holds the JSON text of each tool input so far, by the index of its block. */
	private readonly inputs = new Map<unknown, string>();

	get text(): string {
		return this.received;
	}

	get usage(): unknown {
		return (this.whole ?? this.message)?.usage;
	}

	get jsonTexts(): Iterable<string> {
		return this.inputs.values();
	}

	get isEnded(): boolean {
		return this.hasStopped || !isMissing(this.whole?.stop_reason);
	}

	push(data: Record<string, unknown>, name?: string): string {
		const added = this.apply(data, data.type ?? typeOf(data, name));
		this.received += added;
		return added;
	}

	finish(): GeneratedMessage {
		const message = this.whole ? withContent(this.whole) : this.assembled();
		const last = message.content.findLast((block) => block.type !== 'text' || block.text !== '');
		// The reply was cut off in the last block, so its arguments may be incomplete even if they are valid JSON.
		const isCut = cutOffBy(message.stop_reason) !== undefined && last !== undefined && isToolUse(last);
		if (isCut) throw incompleteCall(last.name, message.stop_reason);
		return message;
	}

	private assembled(): GeneratedMessage {
		if (!this.message && this.blocks.size === 0) {
			throw responseFailure("The service's response is not a message: it is empty");
		}
		const message = this.message ?? {};
		const reason = Object.hasOwn(message, 'stop_reason')
			? { stop_reason: givenOrNull(message.stop_reason) }
			: {};
		const indexes = [...this.blocks.keys()].sort((a, b) => Number(a) - Number(b));
		return { ...message, ...reason, content: indexes.map((index) => this.finishBlock(index)) };
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
				this.hasStopped = true;
				return '';
			default:
				return '';
		}
	}

	private applyWhole(message: Record<string, unknown>): string {
		this.whole = isRecord(this.usage)
			? { ...message, usage: mergeUsage(this.usage, message.usage) }
			: message;
		return addedTo(this.text, textOf(withContent(message).content));
	}

	private applyStart(message: unknown): string {
		if (!isRecord(message)) return '';
		this.update({ ...message, content: [] });
		return [message.content]
			.flat()
			.map((block, index) => this.startBlock(index, block))
			.join('');
	}

	private startBlock(index: unknown, block: unknown): string {
		if (!isRecord(block)) return '';
		const key = isMissing(index) ? this.blocks.size : index;
		const begun = this.blocks.get(key);
		// Some gateways repeat the start of a block before each of its pieces.
		if (begun && begun.type === block.type && begun.id === block.id) return '';
		this.blocks.set(key, block);
		return textOf([block]);
	}

	private applyDelta(givenIndex: unknown, delta: unknown): string {
		if (!isRecord(delta)) return '';
		const index = isMissing(givenIndex) ? ([...this.blocks.keys()].at(-1) ?? 0) : givenIndex;
		const { type, text, partial_json: json, ...further } = delta;
		const block = this.blocks.get(index);
		if (type === 'text_delta' && typeof text === 'string') {
			if (block) growField(block, 'text', text);
			else this.blocks.set(index, { type: 'text', text });
			return text;
		}
		if (typeof json === 'string') {
			if (!block) throw responseFailure("The service's response adds to a tool call that has not begun");
			this.inputs.set(index, (this.inputs.get(index) ?? '') + json);
		} else if (block) this.applyUnknown(block, text === undefined ? further : { text, ...further });
		return '';
	}

	/**
	 * Applies a delta of an undocumented kind, such as `thinking_delta`, `signature_delta` or `citations_delta`. Texts are appended
	 * to the block's field, and an object such as `citation` is appended to a list (`citations`).
	 */
	private applyUnknown(block: ContentBlock, fields: Record<string, unknown>): void {
		for (const [name, value] of Object.entries(fields)) {
			if (isRecord(value)) growField(block, `${name}s`, [value]);
			else growField(block, name, value);
		}
	}

	/** Applies a `message_delta`. Fields beside its `delta` and `usage` are added to the message, unless it already has them. */
	private applyChange(event: Record<string, unknown>): void {
		const { type: _type, index: _index, delta, usage, ...further } = event;
		const known = this.message ?? {};
		const added = Object.entries(further).filter(([name]) => !Object.hasOwn(known, name));
		this.update({
			...Object.fromEntries(added),
			...(isRecord(delta) ? delta : {}),
			...(isRecord(usage) ? { usage } : {}),
		});
	}

	/** Sets fields of the message. A field without a value replaces none: some gateways send the start of a message again at its end. */
	private update(fields: Record<string, unknown>): void {
		const message = this.message ?? {};
		this.message = message;
		for (const [name, value] of Object.entries(fields)) {
			if (name === 'usage') setField(message, name, mergeUsage(message.usage, value));
			else if (!isMissing(value) || isMissing(message[name])) setField(message, name, value);
		}
	}

	private finishBlock(index: unknown): ContentBlock {
		const block = this.blocks.get(index)!;
		const json = this.inputs.get(index) ?? '';
		if (json === '') return block;
		const parsed = parseJson(json);
		if (parsed.success && isRecord(parsed.value)) return { ...block, input: parsed.value };
		throw incompleteCall(block.name, this.message?.stop_reason);
	}
}

/**
 * Returns the type of an event that has no field `type`. The service's document gives an event a name (`message_start`) but shows
 * no such field, so the name is used. An event without a name is a whole message if it has a list `content`, else unknown.
 */
function typeOf(data: Record<string, unknown>, name: string | undefined): string | undefined {
	if (name !== undefined && name !== 'message') return name;
	return Array.isArray(data.content) ? 'message' : undefined;
}

function withContent(message: Record<string, unknown>): GeneratedMessage {
	const { content } = message;
	if (Array.isArray(content) && content.every(isRecord)) return message as GeneratedMessage;
	throw responseFailure("The service's response is not a message: it has no list of content blocks");
}

import type { Accumulator } from './Accumulator';
import { isRecord } from './isRecord';
import { responseError } from './ServiceError';

/** A chat completion as the service gave it, with fields that are not documented too. */
export type Completion = Record<string, unknown> & { choices: CompletionChoice[] };

type CompletionChoice = Record<string, unknown> & { message: Record<string, unknown> };

interface Choice {
	/** Null as long as there is none. */
	content: string | null;
	reasoning: string | null;
	finishReason: unknown;
}

/** Puts a chat completion together from the chunks of `/chat/completions`. */
export class CompletionAccumulator implements Accumulator<Completion> {
	readonly eventNames = [];

	text = '';

	private whole: Completion | undefined;

	/** What chunks hold beside their choices. */
	private readonly head: Record<string, unknown> = {};

	private readonly choices = new Map<number, Choice>();

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
			const { content, reasoning, finishReason } = this.choices.get(index)!;
			const message = {
				role: 'assistant',
				content,
				...(reasoning === null ? {} : { reasoning_content: reasoning }),
			};
			return { index, message, finish_reason: finishReason };
		});
		return { ...this.head, choices };
	}

	private pushChunk(chunk: Record<string, unknown>): string {
		if (isCompletion(chunk)) {
			this.whole = chunk;
			const content = chunk.choices[0]?.message.content;
			return typeof content === 'string' ? content : '';
		}
		// The name of a chunk's kind is not the name of a completion's.
		const { choices, object: _object, ...head } = chunk;
		if (!Array.isArray(choices)) {
			if (isRecord(chunk.usage)) this.head.usage = chunk.usage;
			return '';
		}
		for (const [name, value] of Object.entries(head)) {
			if (value !== undefined && value !== null) this.head[name] = value;
		}
		return choices
			.filter(isRecord)
			.map((choice) => this.pushChoice(choice))
			.join('');
	}

	private pushChoice({ index, delta, finish_reason: finishReason }: Record<string, unknown>): string {
		const key = typeof index === 'number' ? index : 0;
		const choice = this.choices.get(key) ?? { content: null, reasoning: null, finishReason: null };
		this.choices.set(key, choice);
		if (finishReason !== undefined && finishReason !== null) choice.finishReason = finishReason;
		const { content, reasoning_content: reasoning } = isRecord(delta) ? delta : {};
		if (typeof reasoning === 'string') choice.reasoning = (choice.reasoning ?? '') + reasoning;
		if (typeof content !== 'string') return '';
		choice.content = (choice.content ?? '') + content;
		return key === 0 ? content : '';
	}
}

function isCompletion(value: Record<string, unknown>): value is Completion {
	const { choices } = value;
	return (
		Array.isArray(choices) &&
		choices.length > 0 &&
		choices.every((choice) => isRecord(choice) && isRecord(choice.message))
	);
}

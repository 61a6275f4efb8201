import { countWords, draftObject } from './draftObject';
import { excerpt } from './excerpt';
import { splitIntoTokens } from './tokens';

/** A text as far as it may go. */
export interface BoundedReply {
	text: string;
	tokens: number;
	stopReason: 'end_turn' | 'max_tokens';
	stopSequence: string | null;
}

/** What the emulator writes to a text; JSON where the text or the system prompt asks for it. */
export function writeReply(text: string, system: string): string {
	const words = countWords(text);
	if (/\bjson\b/i.test(text) || /\bjson\b/i.test(system)) {
		const json = JSON.stringify(draftObject(`${system}\n${text}`, text));
		return /\bfences?\b/i.test(text) ? `\`\`\`json\n${json}\n\`\`\`` : json;
	}
	return `You wrote “${excerpt(text, 12)}”. That is a message of ${words} word${words === 1 ? '' : 's'}, and this is the answer to it.`;
}

/** The rest of a text that has been begun. */
export function continuationOf(whole: string, begun: string): string {
	const start = begun.trimEnd();
	if (start === '') return whole;
	return whole.startsWith(start) ? whole.slice(start.length) : ` … ${whole}`;
}

/** Ends a text before the first of the stop sequences, and after `maxTokens`. */
export function boundedReply(whole: string, maxTokens: number, stopSequences: string[]): BoundedReply {
	let text = whole;
	let stopSequence: string | null = null;
	for (const sequence of stopSequences) {
		const at = sequence === '' ? -1 : text.indexOf(sequence);
		if (at >= 0) {
			text = text.slice(0, at);
			stopSequence = sequence;
		}
	}
	const tokens = splitIntoTokens(text);
	if (tokens.length <= maxTokens) {
		return { text, tokens: tokens.length, stopReason: 'end_turn', stopSequence };
	}
	const kept = tokens.slice(0, Math.max(0, maxTokens));
	return { text: kept.join(''), tokens: kept.length, stopReason: 'max_tokens', stopSequence: null };
}

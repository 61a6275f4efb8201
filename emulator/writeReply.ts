import type { Decider } from './Decider';
import { fillForm, formIn } from './fillForm';
import { countWords, excerpt, splitIntoTokens } from './tokens';

/** Describes a text that ends at its limit. */
interface BoundedReply {
	text: string;
	tokens: number;
	stopReason: 'end_turn' | 'max_tokens';
	stopSequence: string | null;
}

/** Writes the reply to a text: a JSON object if the word JSON occurs, else the beginning of the text and its number of words. */
export async function writeReply(text: string, system: string, decide: Decider): Promise<string> {
	if (/\bjson\b/i.test(`${system} ${text}`)) {
		return JSON.stringify(await fillForm(formIn(`${system}\n${text}`), { text, decide }));
	}
	const words = countWords(text);
	return `You wrote “${excerpt(text, 12)}”. That is a message of ${words} word${words === 1 ? '' : 's'}, and this is the answer to it.`;
}

/** Returns the rest of a text whose beginning has already been written. */
export function continuationOf(whole: string, begun: string): string {
	const start = begun.trimEnd();
	if (start === '') return whole;
	return whole.startsWith(start) ? whole.slice(start.length) : ` … ${whole}`;
}

/** Cuts a text off before the first stop sequence, and after `maxTokens`. */
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

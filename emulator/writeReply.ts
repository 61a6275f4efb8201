import { chooseByWords } from './decideByWords';
import { draftObject } from './draftObject';
import { countWords, excerpt, splitIntoTokens } from './tokens';

/** A text that has been cut at its limit. */
export interface BoundedReply {
	text: string;
	tokens: number;
	stopReason: 'end_turn' | 'max_tokens';
	stopSequence: string | null;
}

/** How the libraries of n8n's AI nodes separate a person's text from the required form of the answer. */
const FORM_OF_ANSWER = /^.*(?:\bformat\b.*\bjson\b|\bjson\b.*\b(?:schema|format\w*)\b)/im;

const ONE_OF =
	/\b(?:one of(?: the following| these)?(?: \w+)?|exactly one \w+|one word|choose (?:from|between)|answer with|either)\b[^.:\n]{0,30}:\s*([^\n]+?)\.?\s*$/im;

/** The emulator's reply to a text: JSON or one of several labels if that is asked for. */
export function writeReply(text: string, system: string): string {
	if (/\bjson\b/i.test(text) || /\bjson\b/i.test(system)) {
		const json = JSON.stringify(draftObject(`${system}\n${text}`, ownPartOf(text)));
		return /\bfences?\b/i.test(text) ? `\`\`\`json\n${json}\n\`\`\`` : json;
	}
	const label = labelFor(text, system);
	if (label !== undefined) return label;
	const words = countWords(text);
	return `You wrote “${excerpt(text, 12)}”. That is a message of ${words} word${words === 1 ? '' : 's'}, and this is the answer to it.`;
}

/** The part of a text before it says which form the answer must have; the whole text if there is nothing else. */
function ownPartOf(text: string): string {
	const at = FORM_OF_ANSWER.exec(text)?.index ?? text.length;
	return text.slice(0, at).trim() || text;
}

/** The label that fits best, if the text or the system prompt lists two or more to choose from. */
function labelFor(text: string, system: string): string | undefined {
	for (const prompt of [text, system]) {
		const [sentence = '', list = ''] = ONE_OF.exec(prompt) ?? [];
		const labels = list
			.split(/\s*(?:,|;|\/|\bor\b)\s*/)
			.map((label) => label.replace(/^["'“]|["'”]$/g, ''))
			.filter((label) => label !== '' && countWords(label) < 5);
		if (labels.length > 1) return chooseByWords(text.replace(sentence, ''), labels).choice;
	}
	return undefined;
}

/** The rest of a text whose beginning has already been written. */
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

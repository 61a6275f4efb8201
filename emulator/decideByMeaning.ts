import { deciderOf, type Option } from './Decider';
import { SentenceEncoder, similarity } from './SentenceEncoder';

/*
 * Decides with a small real model instead of the service's. Sentences are compared by their meaning, and by the words that they
 * share. The answers are plausible, but say nothing about the quality of the service's answers.
 */

/** Shared words add up to this much to a similarity, because the comparison of meanings misses names and rare words. */
const WORD_WEIGHT = 0.2;

/** The temperature of the softmax over similarities was fitted to example messages of businesses. */
const CHOICE_TEMPERATURE = 0.08;

/**
 * The similarity of a text to a question is measured in standard deviations of the similarity that ordinary sentences have to it.
 * On 770 messages of BANKING77 and ten questions, the median was 5.5 for messages whose answer is yes, and 1.3 for the others.
 * Halfway between them, the probability of yes is 0.5; at the medians it is about 0.9 and 0.1.
 */
const YES_THRESHOLD = 3.5;
const YES_STEEPNESS = 1;

/** A text that has all words of the question gets this many standard deviations more. */
const YES_WORD_WEIGHT = 4;

/** Matches an option such as "Other", which is chosen if no other option stands out. */
const FALLBACK =
	/^(?:(?:any|every|some)thing else|others?|else|misc\w*|none|rest|unclear|unknown|fallback)\b/i;

/**
 * These are sentences that people write to businesses of any kind. They show the similarity that a text has to a question by
 * chance.
 */
const ORDINARY_SENTENCES = [
	'When are you open tomorrow?',
	'Thank you for your quick answer.',
	'I would like to know what it costs.',
	'It still does not work.',
	'Can you call me back this afternoon?',
	'I ordered two of them last week.',
	'Where can I find the instructions?',
	'We were very happy with the service.',
	'My name was spelled wrong in your letter.',
	'How do I change my address?',
	'The colour is not the one in the picture.',
	'Is there parking near your office?',
	'I have been waiting for an answer since Monday.',
	'Please send me the documents by mail.',
	'Do you also deliver on Saturdays?',
	'I cannot log in any more.',
];

const encoder = new SentenceEncoder();

/** Answers questions with a sentence encoder that runs in this process. Equal requests always get equal answers. */
export const decideByMeaning = deciderOf(async (text) => {
	const said = await readText(text);
	return {
		weigh: async (options) => await weigh(said, options),
		affirm: async (question) => await affirm(said, question),
	};
});

/** Describes a text's words, and the vectors of the text and of its sentences. */
interface Said {
	words: ReadonlySet<string>;
	vectors: number[][];
}

async function readText(text: string): Promise<Said> {
	const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.length > 8);
	const vectors = await encoder.encode(sentences.length > 1 ? [text, ...sentences] : [text]);
	return { words: await stemsOf(text), vectors };
}

async function affirm(said: Said, question: string): Promise<number> {
	const [[vector], ordinary, words] = await Promise.all([
		encoder.encode([statementOf(question)]),
		encoder.encode(ORDINARY_SENTENCES),
		stemsOf(question),
	]);
	const byChance = ordinary.map((one) => similarity(one, vector!));
	const mean = byChance.reduce((sum, value) => sum + value, 0) / byChance.length;
	const deviation = Math.hypot(...byChance.map((value) => value - mean)) / Math.sqrt(byChance.length);
	const nearest = Math.max(...said.vectors.map((one) => similarity(one, vector!)));
	const shared = [...words].filter((word) => said.words.has(word)).length / (words.size || 1);
	const beyondChance = (nearest - mean) / deviation + YES_WORD_WEIGHT * shared;
	return 1 / (1 + Math.exp(-YES_STEEPNESS * (beyondChance - YES_THRESHOLD)));
}

/** Weighs options by the similarity of the text to their names and descriptions, as a whole and in parts. */
async function weigh(said: Said, options: readonly Option[]): Promise<number[]> {
	const words = await Promise.all(
		options.map(async ([name, description]) => {
			const stems = await stemsOf(`${name} ${description}`);
			return [...stems].filter((stem) => said.words.has(stem)).length;
		}),
	);
	const allWords = words.reduce((sum, count) => sum + count, 0) || 1;
	const scores = await Promise.all(
		options.map(async ([name, description], index) => {
			const whole = name === '' ? description : `${name}: ${description}`;
			const [ofWhole = 0] = await nearest(said, [whole]);
			const [first = ofWhole, second = first] = await nearest(said, phrasesOf(name, description));
			return ofWhole + (first + second / 2) / 1.5 + (WORD_WEIGHT * words[index]!) / allWords;
		}),
	);
	const likely = withFallback(scores, options);
	const highest = Math.max(...likely);
	return likely.map((score) => Math.exp((score - highest) / CHOICE_TEMPERATURE));
}

/** Gives an option such as "Other" the mean score of the other options. */
function withFallback(scores: number[], options: readonly Option[]): number[] {
	const isFallback = options.map(([name, description]) => FALLBACK.test(name) || FALLBACK.test(description));
	const others = scores.filter((_, index) => !isFallback[index]);
	const mean = others.reduce((sum, score) => sum + score, 0) / (others.length || 1);
	return scores.map((score, index) => (isFallback[index] ? Math.max(score, mean) : score));
}

/** Returns the similarity of each text to the most similar part of what was said, the greatest first. */
async function nearest({ vectors }: Said, texts: readonly string[]): Promise<number[]> {
	const encoded = await encoder.encode(texts);
	return encoded
		.map((vector) => Math.max(...vectors.map((one) => similarity(one, vector))))
		.sort((one, other) => other - one);
}

function phrasesOf(name: string, description: string): string[] {
	const parts = [name, ...description.split(/[:,;]| and | or /)].map((part) => part.trim());
	return parts.filter((part) => part.length > 1);
}

/** Turns "Is it about a lost card?" into "it is about a lost card", because a statement is more similar to other statements. */
function statementOf(question: string): string {
	const [, verb, rest] =
		/^\s*(is|are|does|do|did|has|have|was|were|can|will)\s+(.*?)\??\s*$/is.exec(question) ?? [];
	if (verb === undefined || rest === undefined) return question.replace(/\?\s*$/, '');
	const [subject = '', ...others] = rest.split(' ');
	const isShort = /^(it|this|that|he|she|they|there)$/i.test(subject);
	return isShort ? [subject, /^d/i.test(verb) ? '' : verb, ...others].join(' ') : rest;
}

/** Returns the stems of a text's words, without stop words. */
async function stemsOf(text: string): Promise<Set<string>> {
	const [{ stemmer }, { removeStopwords, eng }] = await Promise.all([import('stemmer'), import('stopword')]);
	const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return new Set(removeStopwords(words, eng).flatMap((word) => (word.length > 2 ? stemmer(word) : [])));
}

import { deciderOf, type Option } from './Decider';

/** What the option that is named gets of the probability; the rest is shared by all. */
const SURE = 0.9;

/** How many words of a description count as much as the name. */
const WORDS_OF_NAME = 10;

/** Shorter words, such as "the", say nothing about an option. */
const MIN_LETTERS = 4;

/**
 * Reads the answers in the text, without a model, so that a test can foretell them:
 *
 * - A choice is the option whose name stands in the text, else the one with the most words of its description.
 * - A score is the level with the most words in the text.
 * - A yes or no question is answered with yes if its last word stands in the text.
 *
 * If the text has nothing of any option, all are equally likely.
 */
export const decideByName = deciderOf((text) => {
	const words = wordsOf(text);
	const line = ` ${words.join(' ')} `;
	const isSaid = (phrase: string) => phrase !== '' && line.includes(` ${phrase} `);
	const evidenceFor = ([name, description]: Option): number => {
		const said = new Set(wordsOf(description).filter((word) => word.length >= MIN_LETTERS && isSaid(word)));
		return (isSaid(wordsOf(name).join(' ')) ? WORDS_OF_NAME : 0) + said.size;
	};
	return {
		weigh: (options) => {
			const evidence = options.map(evidenceFor);
			const total = evidence.reduce((sum, one) => sum + one, 0) || 1;
			return evidence.map((one) => (SURE * one) / total + (1 - SURE) / options.length);
		},
		affirm: (question) => (isSaid(wordsOf(question).at(-1) ?? '') ? SURE : 1 - SURE),
	};
});

function wordsOf(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

import { deciderOf, type Option } from './Decider';

/** The options found in the text share this probability. The rest is shared equally by all options. */
const FOUND_PROBABILITY = 0.9;

/** The name of an option counts as much as this many words of its description. */
const NAME_WEIGHT = 10;

/** Shorter words, such as "the", say nothing about an option. */
const MIN_LETTERS = 4;

/**
 * Finds the answers in the text by simple rules, so that a test can predict them:
 *
 * - A choice is the option whose name occurs in the text, else the option with the most words of its description in it.
 * - A score is the level with the most words in the text.
 * - A yes or no question is answered with yes if its last word occurs in the text.
 *
 * If no word of any option occurs in the text, all are equally likely.
 */
export const decideByName = deciderOf((text) => {
	const words = wordsOf(text);
	const line = ` ${words.join(' ')} `;
	const isSaid = (phrase: string) => phrase !== '' && line.includes(` ${phrase} `);
	const evidenceFor = ([name, description]: Option): number => {
		const said = new Set(wordsOf(description).filter((word) => word.length >= MIN_LETTERS && isSaid(word)));
		return (isSaid(wordsOf(name).join(' ')) ? NAME_WEIGHT : 0) + said.size;
	};
	return {
		weigh: (options) => {
			const evidence = options.map(evidenceFor);
			const total = evidence.reduce((sum, one) => sum + one, 0) || 1;
			return evidence.map(
				(one) => (FOUND_PROBABILITY * one) / total + (1 - FOUND_PROBABILITY) / options.length,
			);
		},
		affirm: (question) =>
			isSaid(wordsOf(question).at(-1) ?? '') ? FOUND_PROBABILITY : 1 - FOUND_PROBABILITY,
	};
});

function wordsOf(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

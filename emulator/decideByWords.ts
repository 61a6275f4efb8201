import type { Answer, ChoiceQuestion, NoulQuestion, ScoreQuestion } from '../contract/types';
import { confidenceOfChoice, confidenceOfScore } from './confidence';
import type { Decider } from './Decider';
import { areRelated, FUNCTION_WORDS, negatedStemsOf, stemsOf } from './stemsOf';

/*
 * A stand-in for the service's model, about which nothing is known. It knows nothing of the world, only the words of the
 * request: an option is chosen if words of its name or description occur in the text. These answers say nothing about how
 * good the service's are. The same request always gets the same answer:
 *
 * - choice: if words of one option occur, it has a confidence of 0.9. If words of several do, they share it by the squares
 *   of what speaks for them, where a word of a name counts one and a half times. If no word occurs, an option such as "Other" is chosen
 *   with a low confidence, and without one all are equally likely.
 * - score: like a choice among the levels.
 * - noul: 0.3 if no word of the question occurs, up to 0.95 if all do, and 0.1 if one is negated (`not urgent`).
 *
 * Confidences are computed as Kev publishes it: of a choice the largest probability, scaled so that chance is 0; of a
 * score 1 minus the mean distance from the most likely level, relative to the length of the scale.
 */

const SURE = 0.9;
const SURE_OF_FALLBACK = 0.4;

const NAME_WEIGHT = 1.5;

const NO_WORD_OCCURS = 0.3;
const ALL_WORDS_OCCUR = 0.95;
const IS_NEGATED = 0.1;

/** The name of an option for whatever fits nowhere else. */
const FALLBACK =
	/^(?:(?:any|every|some)thing else|other|others|else|misc\w*|none|nothing|rest|unclear|unknown|fallback|not (?:for us|sure))\b/i;

/** Answers by the words that occur: fast, and easy to foretell in a test. */
export const decideByWords: Decider = ({ state, questions }) => {
	const text = textIn(state);
	const answers = Object.entries(questions).map(([id, question]): [string, Answer] => {
		switch (question.type) {
			case 'noul':
				return [id, answerNoul(text, question)];
			case 'choice':
				return [id, { type: 'choice', ...choiceOf(text, question.criteria) }];
			case 'score':
				return [id, answerScore(text, question)];
		}
	});
	return Object.fromEntries(answers);
};

/** All strings inside a JSON value (not the names of fields), one per line. */
function textIn(value: unknown): string {
	if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
	return value === null || value === undefined ? '' : String(value);
}

/** How likely the answer to a yes or no question about a text is yes, in hundredths. */
export function probabilityByWords(text: string, question: string): number {
	const words = [...stemsOf(question)];
	const said = [...stemsOf(text)];
	const occurring = words.filter((word) => said.some((stem) => areRelated(stem, word)));
	const negated = negatedStemsOf(text);
	if (occurring.some((word) => negated.has(word))) return IS_NEGATED;
	const evidence = occurring.length / Math.sqrt(words.length || 1);
	return hundredths(
		Math.min(ALL_WORDS_OCCUR, NO_WORD_OCCURS + (ALL_WORDS_OCCUR - NO_WORD_OCCURS) * evidence),
	);
}

/** How strongly a text speaks for each option, by name and description; 0 if no word of it occurs. */
export function evidenceByWords(text: string, options: Record<string, string>): number[] {
	const weights = Object.entries(options).map(([name, description]) => [
		...[...stemsOf(description)].map((stem): [string, number] => [stem, 1]),
		...[...stemsOf(name, FUNCTION_WORDS)].map((stem): [string, number] => [stem, NAME_WEIGHT]),
	]);
	const sums = weights.map(() => 0);
	for (const said of stemsOf(text, FUNCTION_WORDS)) {
		const ofOptions = weights.map((words) =>
			Math.max(0, ...words.map(([stem, weight]) => (areRelated(stem, said) ? weight : 0))),
		);
		const total = ofOptions.reduce((sum, weight) => sum + weight, 0);
		// A word of several options says little about each of them.
		ofOptions.forEach((weight, index) => (sums[index]! += total > 0 ? weight ** 2 / total : 0));
	}
	return sums;
}

/** The option that a text speaks for most, and how sure that is. */
export function chooseByWords(text: string, options: readonly string[]) {
	const { choice, confidence } = choiceOf(text, Object.fromEntries(options.map((option) => [option, ''])));
	return { choice, confidence };
}

function choiceOf(text: string, criteria: ChoiceQuestion['criteria']) {
	const options = Object.keys(criteria);
	let evidence = evidenceByWords(text, criteria);
	let sure = SURE;
	if (Math.max(...evidence) === 0) {
		evidence = options.map((option) => (FALLBACK.test(option) ? 1 : 0));
		sure = SURE_OF_FALLBACK;
	}
	const probabilities = probabilitiesOf(evidence, sure);
	return {
		choice: options[probabilities.indexOf(Math.max(...probabilities))] ?? '',
		probabilities: Object.fromEntries(options.map((option, index) => [option, probabilities[index] ?? 0])),
		confidence: hundredths(confidenceOfChoice(probabilities)),
	};
}

function answerScore(text: string, { criteria: levels }: ScoreQuestion): Answer {
	const described = Object.fromEntries(levels.map((level, index) => [`${index}`, level]));
	const probabilities = probabilitiesOf(evidenceByWords(text, described), SURE);
	return {
		type: 'score',
		score: hundredths(probabilities.reduce((sum, p, level) => sum + p * level, 0)),
		legend: described,
		probabilities: Object.fromEntries(probabilities.map((p, index) => [String(index), p])),
		confidence: hundredths(confidenceOfScore(probabilities)),
	};
}

function answerNoul(text: string, { instructions }: NoulQuestion): Answer {
	return { type: 'noul', noul: probabilityByWords(text, instructions) };
}

/**
 * Hundredths that add up to exactly one: of `sure` each option gets a share by the square of its evidence, and of the
 * rest all get the same. What rounding leaves over goes to the largest remainders, and of equal ones to the first.
 */
function probabilitiesOf(evidence: readonly number[], sure: number): number[] {
	const total = evidence.reduce((sum, one) => sum + one ** 2, 0);
	const exact = evidence.map((one) =>
		total === 0 ? 100 / evidence.length : 100 * ((sure * one ** 2) / total + (1 - sure) / evidence.length),
	);
	const shares = exact.map(Math.floor);
	const left = 100 - shares.reduce((sum, share) => sum + share, 0);
	const byRemainder = [...exact.keys()].sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
	for (const index of byRemainder.slice(0, left)) shares[index]! += 1;
	return shares.map((share) => share / 100);
}

function hundredths(value: number): number {
	return Math.round(value * 100) / 100;
}

import type {
	Answer,
	ChoiceQuestion,
	DecisionRequest,
	DecisionResponse,
	NoulQuestion,
	ScoreQuestion,
} from '../contract/types';
import { type Clues, cluesOfOption, cluesOfQuestion, subjectOfScale, sumOf } from './cluesOf';
import { KNOWN_TERMS } from './Subject';
import { stemsOf, termsOf } from './termsOf';
import { textIn } from './textIn';
import { countTokens } from './tokens';

/*
 * A stand-in for the service's model, about which nothing is known: it looks for words, so that a demo has plausible
 * answers and a test can tell two requests apart. These answers say nothing about how good the service's are.
 *
 * The same request always gets the same answer:
 *
 * 1. All strings of the state are cut into words without their endings (`termsOf.ts`).
 * 2. What speaks for an answer are the words of the question or option itself, and those of the subjects that it names
 *    (`everydayWords.yaml`). A word that speaks for several options counts less for each of them.
 * 3. choice: a softmax turns the sums into probabilities. noul: a logistic curve. score: the subject of the question sets
 *    a place on the scale, a bell curve around it the probabilities; words of a level pull towards it.
 * 4. Where no word speaks for anything, all options are equally likely, and a noul is near 0.3.
 *
 * Confidences are computed as Kev publishes it: of a choice the largest probability, scaled so that chance is 0; of a
 * score 1 minus the mean distance from the most likely level, relative to the length of the scale.
 */

const STEEPNESS = 1.1;

const MOST_EVIDENCE = 6;

const CACHED_CLUES = 2000;

/** Answers a decision request that meets the contract. */
export function decideByWords(request: DecisionRequest): DecisionResponse {
	const terms = knownTermsOf(textIn(request.state));
	let inputTokens = countTokens(
		typeof request.state === 'string' ? request.state : JSON.stringify(request.state),
	);
	const answers = Object.entries(request.questions).map(([id, question]): [string, Answer] => {
		inputTokens += countTokens(question.instructions);
		switch (question.type) {
			case 'noul':
				return [id, answerNoul(terms, question)];
			case 'choice':
				inputTokens += countTokens(Object.entries(question.criteria).flat().join(' '));
				return [id, { type: 'choice', ...choiceOf(terms, question.criteria) }];
			case 'score':
				inputTokens += countTokens(question.criteria.join(' '));
				return [id, answerScore(terms, question)];
		}
	});
	return {
		model: request.model,
		answers: Object.fromEntries(answers),
		usage: { input_tokens: inputTokens, output_tokens: answers.length },
	};
}

/** How likely the answer to a yes or no question about a text is yes, in hundredths. */
export function probabilityByWords(text: string, question: string): number {
	return hundredths(probabilityOf(knownTermsOf(text), question));
}

/** How strongly a text speaks for each option, by its name; 0 if nothing speaks for it. */
export function evidenceByWords(text: string, options: Record<string, string>): number[] {
	return evidenceOf(knownTermsOf(text), cluesOfOptions(options));
}

/** The option that a text speaks for most, and how sure that is. */
export function chooseByWords(
	text: string,
	options: readonly string[],
): { choice: string; confidence: number } {
	const criteria = Object.fromEntries(options.map((option) => [option, '']));
	const { choice, confidence } = choiceOf(knownTermsOf(text), criteria);
	return { choice, confidence };
}

type Terms = ReadonlySet<string>;

function knownTermsOf(text: string): Terms {
	return termsOf(stemsOf(text), KNOWN_TERMS);
}

const cached = new Map<string, Clues>();

/** Making clues takes longer than everything else, and a workflow asks the same questions about every item. */
function remembered(key: string, make: () => Clues): Clues {
	const known = cached.get(key);
	if (known !== undefined) return known;
	if (cached.size >= CACHED_CLUES) cached.clear();
	const made = make();
	cached.set(key, made);
	return made;
}

function cluesOfOptions(options: Record<string, string>): Clues[] {
	return Object.entries(options).map(([name, description]) =>
		remembered(`${name}\n${description}`, () => cluesOfOption(name, description)),
	);
}

function evidenceOf(terms: Terms, options: readonly Clues[]): number[] {
	const sums = options.map(({ otherwise }) => otherwise);
	for (const term of terms) {
		const weights = options.map((option) => option.weights.get(term) ?? 0);
		const total = weights.reduce((sum, weight) => sum + weight, 0);
		if (total === 0) continue;
		for (const [index, weight] of weights.entries()) {
			sums[index] = (sums[index] ?? 0) + (weight * weight) / total;
		}
	}
	return sums.map((sum) => Math.min(sum, MOST_EVIDENCE));
}

function probabilityOf(terms: Terms, question: string): number {
	const { weights } = remembered(question, () => cluesOfQuestion(question));
	const evidence = Math.max(-1, Math.min(4, sumOf(weights, terms)));
	return 1 / (1 + Math.exp(1 - 2.4 * evidence - 0.01 * Math.min(20, terms.size)));
}

function hundredths(value: number): number {
	return Math.round(value * 100) / 100;
}

/**
 * Hundredths that add up to exactly one, in the order of the weights. What rounding leaves over goes to the largest
 * remainders, and of equal ones to the first.
 */
function probabilitiesOf(weights: readonly number[]): number[] {
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const exact = weights.map((weight) => (100 * weight) / total);
	const shares = exact.map(Math.floor);
	const left = 100 - shares.reduce((sum, share) => sum + share, 0);
	const byRemainder = [...exact.keys()].sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
	for (const index of byRemainder.slice(0, left)) shares[index]! += 1;
	return shares.map((share) => share / 100);
}

/** The largest probability, where chance is 0 and certainty 1. */
export function confidenceOfChoice(probabilities: readonly number[]): number {
	const chance = 1 / probabilities.length;
	return chance === 1 ? 1 : Math.max(0, (Math.max(...probabilities) - chance) / (1 - chance));
}

/** 1 minus the mean distance from the most likely level, relative to the length of the scale. */
export function confidenceOfScore(probabilities: readonly number[]): number {
	const mode = probabilities.indexOf(Math.max(...probabilities));
	const distance = probabilities.reduce((sum, p, level) => sum + p * Math.abs(level - mode), 0);
	return 1 - distance / (probabilities.length - 1);
}

function answerNoul(terms: Terms, { instructions }: NoulQuestion): Answer {
	return { type: 'noul', noul: hundredths(probabilityOf(terms, instructions)) };
}

function choiceOf(terms: Terms, criteria: ChoiceQuestion['criteria']) {
	const options = Object.keys(criteria);
	const evidence = evidenceOf(terms, cluesOfOptions(criteria));
	const probabilities = probabilitiesOf(evidence.map((sum) => Math.exp(STEEPNESS * sum)));
	const best = evidence.indexOf(Math.max(...evidence));
	return {
		choice: options[best] ?? '',
		probabilities: Object.fromEntries(options.map((option, index) => [option, probabilities[index] ?? 0])),
		confidence: hundredths(confidenceOfChoice(probabilities)),
	};
}

function answerScore(terms: Terms, { instructions, criteria: levels }: ScoreQuestion): Answer {
	const place = placeOf(terms, instructions, levels);
	const width = place === undefined ? levels.length : Math.max(0.6, levels.length / 6);
	const centre = (place ?? 0.5) * (levels.length - 1);
	const evidence = evidenceOf(
		terms,
		levels.map((level) => remembered(`\n${level}`, () => cluesOfOption('', level))),
	);
	const probabilities = probabilitiesOf(
		evidence.map((sum, level) => Math.exp(STEEPNESS * sum - (level - centre) ** 2 / (2 * width ** 2))),
	);
	return {
		type: 'score',
		score: hundredths(probabilities.reduce((sum, p, level) => sum + p * level, 0)),
		legend: Object.fromEntries(levels.map((level, index) => [String(index), level])),
		probabilities: Object.fromEntries(probabilities.map((p, index) => [String(index), p])),
		confidence: hundredths(confidenceOfScore(probabilities)),
	};
}

/** The place of a text on a scale, from 0 to 1; undefined if the emulator does not know what the scale is about. */
function placeOf(terms: Terms, instructions: string, levels: readonly string[]): number | undefined {
	const subject = subjectOfScale(instructions, levels);
	if (subject === undefined) return undefined;
	const { weights, rest, opposite } = subject;
	const evidence = sumOf(weights, terms) - (opposite ? sumOf(opposite.weights, terms) : 0);
	return evidence > 0 ? 1 - (1 - rest) * Math.exp(-0.6 * evidence) : rest * Math.exp(0.6 * evidence);
}

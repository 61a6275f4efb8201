import type {
	Answer,
	ChoiceQuestion,
	DecisionRequest,
	DecisionResponse,
	NoulQuestion,
	ScoreQuestion,
} from '../contract/types';
import { stem, stemsOf } from './stemsOf';
import { textIn } from './textIn';
import { countTokens } from './tokens';

/*
 * A stand-in for the service's model, which nothing is known of: it counts words, so that a demo has answers that
 * make sense and a test can tell two requests apart. How good these answers are says nothing about the service's.
 *
 * The same request always gets the same answer, and the answer can be worked out by hand:
 *
 * 1. Of the state, all strings are taken, of a question its instructions and criteria. Both are cut into words, stop
 *    words are dropped, endings cut off (`stemsOf.ts`).
 * 2. A word of the question that occurs in the state counts 1; a word of the same family (below) counts 0.6.
 * 3. noul: the sum, and 0.015 for each word of the state, goes through a logistic curve: no match is about 0.2, one
 *    match of the very word, or two of its family, is above a half.
 *    choice: each option has the sum for its name and description, a word shared by several options counts less;
 *    a softmax makes probabilities of the sums. The name of an option counts 1.5 times.
 *    score: the noul value of the instructions and of the upper half of the scale sets a place on the scale, a bell
 *    curve around it the probabilities; a level whose own words occur in the state weighs more.
 * 4. Confidence is 1 minus the entropy of the probabilities, relative to that of a uniform distribution.
 */

const FAMILIES = [
	'urgent urgency urgently asap immediate immediately quick quickly soon now emergency stolen stole lost theft fraud fraudulent hacked compromised unauthorized recognize recognise help stuck swallowed missing blocked cancel broken problem disappeared desperate today tonight still waiting !',
	'upset angry annoyed annoying frustrated frustrating furious unhappy disappointed complaint complain ridiculous unacceptable terrible worst wrong incorrect why still again never no not nothing twice double fail failed declined rejected charged refund missing disappeared stolen waiting week problem !',
	'card visa mastercard pin atm contactless physical virtual disposable plastic',
	'transfer beneficiary recipient payee sent send receive received sender iban',
	'top topup reload deposit cheque load',
	'identity identification verify verification verifying passport proof kyc',
	'account passcode password login profile address name details age phone app',
	'exchange currency rate fiat foreign convert conversion gbp eur euro usd dollar pound',
	'fee charge cost price expensive extra',
	'payment pay paid merchant purchase debit refund',
	'cash withdrawal withdraw atm notes',
	'delivery arrive arrival ship track mail post',
].map((family) => new Set(family.split(' ').map(stem)));

const FAMILIES_OF_STEM = new Map<string, Set<string>[]>();
for (const family of FAMILIES) {
	for (const member of family) {
		FAMILIES_OF_STEM.set(member, [...(FAMILIES_OF_STEM.get(member) ?? []), family]);
	}
}

const CACHED_TEXTS = 2000;

/** Answers a decision request that has passed the contract. */
export function decideByWords(request: DecisionRequest): DecisionResponse {
	const stateText = textIn(request.state);
	const state = stemsOf(stateText);
	let inputTokens = countTokens(
		typeof request.state === 'string' ? request.state : JSON.stringify(request.state),
	);
	const answers = Object.entries(request.questions).map(([id, question]): [string, Answer] => {
		inputTokens += countTokens(question.instructions);
		switch (question.type) {
			case 'noul':
				return [id, answerNoul(state, question)];
			case 'choice':
				inputTokens += countTokens(Object.entries(question.criteria).flat().join(' '));
				return [id, answerChoice(state, question)];
			case 'score':
				inputTokens += countTokens(question.criteria.join(' '));
				return [id, answerScore(state, question)];
		}
	});
	return {
		model: request.model,
		answers: Object.fromEntries(answers),
		usage: { input_tokens: inputTokens, output_tokens: answers.length },
	};
}

type Weights = Map<string, number>;

const weightsOfText = new Map<string, Weights>();

function weightsOf(text: string): Weights {
	const cached = weightsOfText.get(text);
	if (cached !== undefined) return cached;
	const weights: Weights = new Map();
	const own = stemsOf(text);
	for (const word of own) {
		for (const family of FAMILIES_OF_STEM.get(word) ?? []) {
			for (const member of family) weights.set(member, 0.6);
		}
	}
	for (const word of own) weights.set(word, 1);
	if (weightsOfText.size >= CACHED_TEXTS) weightsOfText.clear();
	weightsOfText.set(text, weights);
	return weights;
}

function overlap(state: Set<string>, weights: Weights, divideBy?: Weights): number {
	let sum = 0;
	for (const word of state) {
		const weight = weights.get(word);
		if (weight !== undefined) sum += weight / (divideBy?.get(word) ?? 1);
	}
	return sum;
}

function probabilityOf(state: Set<string>, weights: Weights): number {
	const evidence = Math.min(4, overlap(state, weights)) + 0.015 * Math.min(20, state.size);
	return 1 / (1 + Math.exp(1.8 - 1.9 * evidence));
}

function rounded(value: number): number {
	return Math.round(value * 1e6) / 1e6;
}

function normalised(weights: number[]): number[] {
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const shares = weights.map((weight) => rounded(weight / total));
	const largest = shares.indexOf(Math.max(...shares));
	const rest = shares.reduce((sum, share, index) => (index === largest ? sum : sum + share), 0);
	shares[largest] = rounded(1 - rest);
	return shares;
}

function confidenceOf(probabilities: number[]): number {
	if (probabilities.length < 2) return 1;
	const entropy = probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
	return rounded(Math.min(1, Math.max(0, 1 - entropy / Math.log(probabilities.length))));
}

function answerNoul(state: Set<string>, question: NoulQuestion): Answer {
	return { type: 'noul', noul: rounded(probabilityOf(state, weightsOf(question.instructions))) };
}

function answerChoice(state: Set<string>, question: ChoiceQuestion): Answer {
	const options = Object.keys(question.criteria);
	const names = options.map((option) => weightsOf(option));
	const texts = options.map((option) => weightsOf(`${option}\n${question.criteria[option]}`));
	const sharedBy: Weights = new Map();
	for (const weights of texts) {
		for (const [word, weight] of weights) sharedBy.set(word, (sharedBy.get(word) ?? 0) + weight);
	}
	for (const [word, count] of sharedBy) sharedBy.set(word, Math.max(1, count));
	const probabilities = normalised(
		texts.map((weights, index) =>
			Math.exp(
				1.3 *
					Math.min(
						overlap(state, weights, sharedBy) +
							0.5 * overlap(state, names[index] ?? new Map<string, number>()),
						8,
					),
			),
		),
	);
	const best = probabilities.indexOf(Math.max(...probabilities));
	return {
		type: 'choice',
		choice: options[best] ?? '',
		probabilities: Object.fromEntries(options.map((option, index) => [option, probabilities[index] ?? 0])),
		confidence: confidenceOf(probabilities),
	};
}

function answerScore(state: Set<string>, question: ScoreQuestion): Answer {
	const levels = question.criteria;
	const upperHalf = levels.slice(Math.ceil(levels.length / 2)).join('\n');
	const place = probabilityOf(state, weightsOf(`${question.instructions}\n${upperHalf}`));
	const centre = Math.min(1, Math.max(0, (place - 0.1) / 0.8)) * (levels.length - 1);
	const width = Math.max(0.5, levels.length / 7);
	const probabilities = normalised(
		levels.map(
			(level, index) =>
				Math.exp(-((index - centre) ** 2) / (2 * width ** 2)) *
				(1 + 0.3 * Math.min(3, overlap(state, weightsOf(level)))),
		),
	);
	return {
		type: 'score',
		score: rounded(probabilities.reduce((sum, p, index) => sum + p * index, 0)),
		legend: Object.fromEntries(levels.map((level, index) => [String(index), level])),
		probabilities: Object.fromEntries(probabilities.map((p, index) => [String(index), p])),
		confidence: confidenceOf(probabilities),
	};
}

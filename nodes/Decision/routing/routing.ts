import { subjectOf, formatSubject } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import type { Answer } from '../answers/Answer';
import { questionError, type Question } from '../questions/Question';
import { routeQuestion, THRESHOLD_FIELDS, type Thresholds } from './routingFields';

/** An output of the node. */
export interface Route {
	output: number;
	label: string;
}

/** The output for items without a clear answer. */
export const UNCERTAIN: Route = { output: 0, label: 'Uncertain' };

/** Chooses an item's output by its answers. They are in the order of the questions, each undefined if it cannot be used. */
export interface Routing extends Advice {
	routeOf(answers: Array<Answer | undefined>): Route;
	/** Returns how close an uncertain answer was to a clear one. Returns undefined if it has no confidence or cannot be used. */
	nearMiss(answers: Array<Answer | undefined>): NearMiss | undefined;
}

/** Applies the thresholds to an answer to the question that chooses the output. */
interface AnswerRule extends Advice {
	/** Returns the position of an answer among the labels, or undefined if it is not clear. */
	positionOf(answer: Answer): number | undefined;
	nearMiss(answer: Answer): NearMiss | undefined;
}

/** Texts for a hint if many answers are uncertain. */
interface Advice {
	/** Whether the thresholds can make an answer uncertain. */
	canBeUncertain: boolean;
	/** The sentence that the value of the nearest answer completes. */
	nearestText: string;
	advice: string;
}

/** An uncertain answer, and how close it was to being clear. */
export interface NearMiss {
	/** The confidence, or the probability of yes. */
	value: number;
	/** The distance to the nearest threshold. */
	distance: number;
}

/**
 * Makes the routing for these questions.
 * @param id the ID of the question that chooses the output, empty for the first question
 * @throws ParameterError if the outputs would be ambiguous, or would differ from those that n8n has computed
 */
export function routingOf(questions: Question[], id: string, thresholds: Thresholds): Routing {
	const index = id === '' ? 0 : questions.findIndex((question) => question.id === id);
	const question = questions[index];
	if (!question) {
		const ids = questions.map((candidate) => `"${candidate.id}"`).join(', ');
		throw new ParameterError(subjectOf(routeQuestion), `must be the ID of a question (${ids}), not "${id}"`);
	}
	checkLabels(question);
	const isYesOrNo = question.type === 'noul';
	const labels = isYesOrNo ? ['Yes', 'No'] : question.labels;
	const rule = isYesOrNo ? yesOrNoRule(thresholds) : confidenceRule(question, thresholds);
	return {
		...rule,
		routeOf: (answers) => {
			// If one answer has an impossible value, the others are not trusted either.
			const areUsable = answers.every((answer) => answer !== undefined);
			const position = areUsable ? rule.positionOf(answers[index]!) : undefined;
			return position === undefined ? UNCERTAIN : { output: position + 1, label: labels[position]! };
		},
		nearMiss: (answers) => answers[index] && rule.nearMiss(answers[index]),
	};
}

function checkLabels({ id, type, labels }: Question): void {
	const duplicate = firstDuplicate(labels);
	if (duplicate !== undefined) {
		throw questionError(id, `must not have two levels "${duplicate}", because each is an output`);
	}
	if (labels.includes(UNCERTAIN.label)) {
		const what = type === 'choice' ? 'an option named' : 'a level';
		throw questionError(id, `has ${what} "${UNCERTAIN.label}", which is reserved: rename it`);
	}
}

function yesOrNoRule({ yesAtLeast, noBelow }: Thresholds): AnswerRule {
	if (noBelow > yesAtLeast) {
		const [no, yes] = (['noBelow', 'yesAtLeast'] as const).map((name) =>
			formatSubject(THRESHOLD_FIELDS[name].properties[0].displayName, `routing.${name}`),
		);
		throw new ParameterError(no!, `must not exceed ${yes}, but ${noBelow} is more than ${yesAtLeast}`);
	}
	return {
		positionOf: ({ number: probability }) => {
			if (probability! >= yesAtLeast) return 0;
			return probability! < noBelow ? 1 : undefined;
		},
		canBeUncertain: noBelow < yesAtLeast,
		nearMiss: ({ number: probability }) => ({
			value: probability!,
			distance: Math.min(Math.abs(probability! - yesAtLeast), Math.abs(probability! - noBelow)),
		}),
		nearestText: 'The probability nearest to a threshold was',
		advice:
			"Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
	};
}

function confidenceRule({ type, labels }: Question, { minConfidence }: Thresholds): AnswerRule {
	const isClear = (given: number | null) => minConfidence === 0 || (given !== null && given >= minConfidence);
	return {
		positionOf: (answer) => (isClear(answer.confidence) ? labels.indexOf(answer.label) : undefined),
		canBeUncertain: minConfidence > 0,
		nearMiss: ({ confidence: value }) =>
			value === null ? undefined : { value, distance: minConfidence - value },
		nearestText: 'The best confidence among them was',
		advice:
			type === 'choice'
				? "Describe the options in more detail, add one for everything else, or lower 'Minimum Confidence'."
				: "Describe the levels in more detail, or lower 'Minimum Confidence'.",
	};
}

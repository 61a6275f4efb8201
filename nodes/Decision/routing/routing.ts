import { named, subjectOf } from '../../shared/fields/Field';
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

/** The output of everything that is not a clear answer. */
export const UNCERTAIN: Route = { output: 0, label: 'Uncertain' };

/** How the answers to an item's questions choose its output. They come in the order of the questions, undefined for an unusable one. */
export interface Routing extends Advice {
	routeOf(answers: Array<Answer | undefined>): Route;
	/** How close an uncertain answer was to a clear one; undefined for one that has no confidence, or cannot be used. */
	nearness(answers: Array<Answer | undefined>): Nearness | undefined;
}

/** What the thresholds make of an answer to the question that is routed by. */
interface Rule extends Advice {
	/** The position of an answer among the labels, undefined if it is not clear. */
	positionOf(answer: Answer): number | undefined;
	nearness(answer: Answer): Nearness | undefined;
}

/** What a person should know if too much is uncertain. */
interface Advice {
	/** Whether the thresholds can make an answer uncertain. */
	hasDoubt: boolean;
	/** How the value of the nearest answer is told. */
	best: string;
	advice: string;
}

export interface Nearness {
	/** The confidence, or the probability of yes. */
	value: number;
	/** How far it is from a threshold. */
	distance: number;
}

/**
 * How the answers to these questions choose an item's output.
 * @param id of the question to route by, empty for the first
 * @throws ParameterError if the outputs would differ from those that n8n has computed, or be ambiguous
 */
export function routingOf(questions: Question[], id: string, thresholds: Thresholds): Routing {
	const index = id === '' ? 0 : questions.findIndex((question) => question.id === id);
	const question = questions[index];
	if (!question) {
		const ids = questions.map((candidate) => `"${candidate.id}"`).join(', ');
		throw new ParameterError(named(routeQuestion), `must be the ID of a question (${ids}), not "${id}"`);
	}
	checkLabels(question);
	const isYesOrNo = question.type === 'noul';
	const labels = isYesOrNo ? ['Yes', 'No'] : question.labels;
	const rule = isYesOrNo ? yesOrNo(thresholds) : confidence(question, thresholds);
	return {
		...rule,
		routeOf: (answers) => {
			// If one answer is impossible, the others are unreliable too.
			const areUsable = answers.every((answer) => answer !== undefined);
			const position = areUsable ? rule.positionOf(answers[index]!) : undefined;
			return position === undefined ? UNCERTAIN : { output: position + 1, label: labels[position]! };
		},
		nearness: (answers) => answers[index] && rule.nearness(answers[index]),
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

function yesOrNo({ yesAtLeast, noBelow }: Thresholds): Rule {
	if (noBelow > yesAtLeast) {
		const [no, yes] = (['noBelow', 'yesAtLeast'] as const).map((name) =>
			subjectOf(THRESHOLD_FIELDS[name].properties[0].displayName, `routing.${name}`),
		);
		throw new ParameterError(no!, `must not exceed ${yes}, but ${noBelow} is more than ${yesAtLeast}`);
	}
	return {
		positionOf: ({ number: probability }) => {
			if (probability! >= yesAtLeast) return 0;
			return probability! < noBelow ? 1 : undefined;
		},
		hasDoubt: noBelow < yesAtLeast,
		nearness: ({ number: probability }) => ({
			value: probability!,
			distance: Math.min(Math.abs(probability! - yesAtLeast), Math.abs(probability! - noBelow)),
		}),
		best: 'The probability nearest to a threshold was',
		advice:
			"Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
	};
}

function confidence({ type, labels }: Question, { minConfidence }: Thresholds): Rule {
	const isClear = (given: number | null) => minConfidence === 0 || (given !== null && given >= minConfidence);
	return {
		positionOf: (answer) => (isClear(answer.confidence) ? labels.indexOf(answer.label) : undefined),
		hasDoubt: minConfidence > 0,
		nearness: ({ confidence: value }) =>
			value === null ? undefined : { value, distance: minConfidence - value },
		best: 'The best confidence among them was',
		advice: `Describe the ${type === 'choice' ? 'options' : 'levels'} in more detail, or lower 'Minimum Confidence'.`,
	};
}

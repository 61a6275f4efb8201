import { subjectOf } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { labelKey } from '../../shared/text/composed';
import type { Answer } from '../answers/Answer';
import type { Question } from '../questions/Question';
import { countOf, hintValue } from '../../shared/text/wording';
import type { Advice, NearMiss } from './AnswerRule';
import { UNCERTAIN_LABEL } from './outputNames';
import { routeQuestion, type Thresholds } from './routingFields';

/** Describes an output of the node. */
export interface Route {
	output: number;
	label: string;
}

/** Items without a clear answer take this output. */
export const UNCERTAIN: Route = { output: 0, label: UNCERTAIN_LABEL };

/** Chooses an item's outputs by its answers. They are in the order of the questions, each undefined if it cannot be used. */
export interface Routing extends Advice {
	/** Says which thresholds of the node have no effect on these answers. */
	idleThresholds: string[];
	/** Says whether an item's confidence is compared with a threshold although it is above 1. */
	isBeyondScale(answers: Array<Answer | undefined>): boolean;
	/** Returns the outputs that an item takes: "Uncertain" alone, or those of its answer. */
	routesOf(answers: Array<Answer | undefined>): Route[];
	/** Returns whether an item takes the output for an answer that names nothing, such as "None" of tags. */
	isNone(routes: Route[]): boolean;
	/** Returns what the column "route" says of these outputs. */
	columnOf(routes: Route[]): string | string[];
	/** Returns how close an uncertain answer was to a clear one. Returns undefined if it has no confidence or cannot be used. */
	nearMiss(answers: Array<Answer | undefined>): NearMiss | undefined;
}

/**
 * Makes the routing for these questions.
 * @param id the ID of the question that chooses the output, empty for the first question
 * @throws ParameterError if the outputs would be ambiguous, or would differ from those that n8n has computed
 */
export function routingOf(questions: Question[], id: string, thresholds: Thresholds): Routing {
	const index =
		id.trim() === '' ? 0 : questions.findIndex((question) => labelKey(question.id) === labelKey(id));
	const question = questions[index];
	if (!question) {
		const ids = questions.map((candidate) => `"${candidate.id}"`).join(', ');
		throw new ParameterError(subjectOf(routeQuestion), `must be the ID of a question (${ids}), not "${id}"`);
	}
	const { outputs, mayTakeSeveral } = question;
	const rule = question.ruleOf(thresholds);
	const others = questions.filter((other) => other !== question);
	return {
		...rule,
		routesOf: (answers) => {
			// If one answer has an impossible value, the others are not trusted either.
			const areUsable = answers.every((answer) => answer !== undefined);
			const positions = areUsable ? rule.positionsOf(answers[index]!) : [];
			if (positions.length === 0) return [UNCERTAIN];
			return positions.map((position) => ({ output: position + 1, label: outputs[position]! }));
		},
		idleThresholds: [
			...describeIdle(question, others, thresholds),
			...describeIdleOptions(others, question.id),
		],
		isBeyondScale: (answers) =>
			question.comparedNumber === 'confidence' &&
			rule.canBeUncertain &&
			(answers[index]?.confidence ?? 0) > 1,
		isNone: (routes) => !routes.includes(UNCERTAIN) && rule.isNone?.(positionsIn(routes)) === true,
		columnOf: (routes) => {
			const labels = routes.map(({ label }) => label);
			return mayTakeSeveral ? labels : labels[0]!;
		},
		nearMiss: (answers) => answers[index] && rule.nearMiss(answers[index]),
	};
}

/** Returns the positions among the outputs of the question. The node's first output is "Uncertain". */
function positionsIn(routes: Route[]): number[] {
	return routes.map(({ output }) => output - 1);
}

/** Tells of a threshold that was set for the other kind of answer, as when the type of the question was changed afterwards. */
function describeIdle({ comparedNumber, id }: Question, others: Question[], { isSet }: Thresholds): string[] {
	const isByProbability = comparedNumber === 'probability';
	if (!(isByProbability ? isSet.confidence : isSet.probability)) return [];
	const isForAnother = others.some((other) => other.comparedNumber !== comparedNumber);
	const found = isByProbability
		? `'Minimum Confidence' has no effect on "${hintValue(id)}", whose answer is a probability: set 'Yes at or Above' and 'No Below' instead`
		: `'Yes at or Above' and 'No Below' have no effect on "${hintValue(id)}", whose answer has a confidence: set 'Minimum Confidence' instead`;
	return [isForAnother ? `${found}, or choose another question under 'Route by Question'.` : `${found}.`];
}

/** Tells of options with a threshold of their own in questions that do not choose the output. */
function describeIdleOptions(others: Question[], routedId: string): string[] {
	return others.flatMap(({ id, ownThresholds = 0 }) => {
		if (ownThresholds === 0) return [];
		const where = `${countOf(ownThresholds, 'option')} of "${hintValue(id)}"`;
		return `'Minimum Confidence' of ${where} has no effect, because "${hintValue(routedId)}" chooses the output: clear it, or choose "${hintValue(id)}" under 'Route by Question'.`;
	});
}

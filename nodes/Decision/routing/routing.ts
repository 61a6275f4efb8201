import type { Execution } from '../../shared/run/Execution';
import {
	collectionField,
	named,
	numberField,
	orDefault,
	refine,
	subjectOf,
	textField,
	type ValuesOf,
} from '../../shared/fields/Field';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import { ParameterError } from '../../shared/fields/ParameterError';
import { levelIndex, type Answer } from '../answers/answers';
import { questionError, typedQuestions, type Question } from '../questions/questions';
import { readStored } from '../editor/storedDecision';

interface Route {
	output: number;
	label: string;
}

/** Chooses an item's output by the answers, which come in the order of the questions, undefined for an unusable one. */
type RouteBy = (answers: Array<Answer | undefined>) => Route;

/** When an answer is uncertain, in words. */
export interface Doubt {
	/** Such as "a confidence below 0.7". */
	means: string;
	/** How close an uncertain answer was to a clear one; undefined for one that has no confidence, or cannot be used. */
	nearness(answers: Array<Answer | undefined>): Nearness | undefined;
	/** How the value of the nearest answer is told. */
	best: string;
	/** What to do if too much is uncertain. */
	advice: string;
}

export interface Nearness {
	/** The confidence, or the probability of yes. */
	value: number;
	/** How far it is from a threshold. */
	distance: number;
}

/** How the answers to a run's questions choose outputs. */
export interface Routing {
	routeBy: RouteBy;
	/** Only if an answer can be uncertain. */
	doubt?: Doubt;
	/** If every answer is clear: suggested thresholds, as on the screen, and the outputs that they would give. */
	suggestion?: { thresholds: string; routeBy: RouteBy };
}

/** The output of everything that is not a clear answer. */
export const UNCERTAIN: Route = { output: 0, label: 'Uncertain' };

const YES = 0;
const NO = 1;

const FIXED =
	'must be a fixed value without "{{", because n8n computes the outputs of the node before it runs';

const PROBABILITY = { minValue: 0, maxValue: 1, numberPrecision: 2 };

/** The editor stores 0 for a number out of range, or with a decimal comma. */
const FROM_0_TO_1 = 'From 0 to 1: for 70%, type 0.7';

/** In the editor, a list is loaded again when one of these values changes; an object would always be "[object Object]". */
const MOST_IDS = 30;

/**
 * Separate from the property, because n8n's linter requires that the description of a loaded list offers an expression.
 * Expressions are not allowed here: the outputs are computed from the stored values.
 */
const LOADS_QUESTIONS = {
	loadOptionsMethod: 'questionChoices',
	loadOptionsDependsOn: Array.from({ length: MOST_IDS }, (_, index) => `questions.question[${index}].id`),
};

/** The ID of a question, empty for the first. */
export const routeQuestion = textField({
	displayName: 'Route by Question',
	name: 'routeQuestion',
	type: 'options',
	typeOptions: LOADS_QUESTIONS,
	noDataExpression: true,
	default: '',
	description:
		"The question whose answer chooses the output. The first output is 'Uncertain'. The others follow the order of the question's options or levels. After reordering or deleting, check all connections.",
	hint: 'Add options at the end: all connections stay, except that of the error output, which is always last',
});

const THRESHOLD_FIELDS = {
	// If absent, it has no effect. The default is what the editor suggests when a person adds it.
	minConfidence: refine(
		numberField({
			displayName: 'Minimum Confidence',
			name: 'minConfidence',
			typeOptions: PROBABILITY,
			default: 0.7,
			description:
				'For a choice or a score: an answer with less confidence, or with none, is uncertain. At 0, or if not added, it has no effect.',
			hint: FROM_0_TO_1,
		}),
		(value = 0) => value,
	),
	noBelow: orDefault(
		numberField({
			displayName: 'No Below (Yes or No)',
			name: 'noBelow',
			typeOptions: PROBABILITY,
			default: 0.5,
			description: 'For yes or no: a probability below this counts as a no',
			hint: FROM_0_TO_1,
		}),
	),
	yesAtLeast: orDefault(
		numberField({
			displayName: 'Yes at or Above (Yes or No)',
			name: 'yesAtLeast',
			typeOptions: PROBABILITY,
			default: 0.5,
			description:
				'For yes or no: a probability at or above this counts as a yes. Probabilities between the two are uncertain.',
			hint: FROM_0_TO_1,
		}),
	),
};

type Thresholds = ValuesOf<typeof THRESHOLD_FIELDS>;

export const thresholds = collectionField(
	{
		displayName: 'Thresholds',
		name: 'routing',
		placeholder: 'Add Threshold',
		default: {},
		description: "How clear an answer must be. Everything else goes to the 'Uncertain' output.",
	},
	THRESHOLD_FIELDS,
);

export interface RoutingRules {
	questions: Question[];
	/** The ID of the question to route by, empty for the first. */
	id: string;
	thresholds: Thresholds;
}

/**
 * How the answers to these questions choose an item's output.
 * @throws ParameterError if the outputs would differ from those that n8n has computed, or be ambiguous
 */
export function routingOf({ questions, id, thresholds: given }: RoutingRules): Routing {
	const index = id === '' ? 0 : questions.findIndex((question) => question.id === id);
	const question = questions[index];
	if (!question) {
		const ids = questions.map((candidate) => `"${candidate.id}"`).join(', ');
		throw new ParameterError(named(routeQuestion), `must be the ID of a question (${ids}), not "${id}"`);
	}
	const labels = question.type === 'noul' ? ['Yes', 'No'] : question.labels;
	checkLabels(question);
	const routeByRule =
		(positionOf: Rule): RouteBy =>
		(answers) => {
			const usable = answers.filter((answer) => answer !== undefined);
			// If one answer is impossible, the others are unreliable too.
			const position = usable.length === answers.length ? positionOf(usable[index]!) : undefined;
			return position === undefined ? UNCERTAIN : { output: position + 1, label: labels[position]! };
		};
	const routeBy = routeByRule(ruleOf(question, given));
	const doubt = doubtOf(question, index, given);
	if (doubt) return { routeBy, doubt };
	const suggested: Thresholds = {
		minConfidence: 0.7,
		yesAtLeast: Math.max(0.7, given.yesAtLeast),
		noBelow: Math.min(0.3, given.noBelow),
	};
	const thresholds =
		question.type === 'noul'
			? `'Yes at or Above' ${suggested.yesAtLeast} and 'No Below' ${suggested.noBelow}`
			: `'Minimum Confidence' ${suggested.minConfidence}`;
	return { routeBy, suggestion: { thresholds, routeBy: routeByRule(ruleOf(question, suggested)) } };
}

/** Undefined if the thresholds leave no answer uncertain. */
function doubtOf(
	{ type }: Question,
	index: number,
	{ yesAtLeast, noBelow, minConfidence }: Thresholds,
): Doubt | undefined {
	if (type === 'noul') {
		if (noBelow >= yesAtLeast) return undefined;
		return {
			means: `a probability from ${noBelow} to below ${yesAtLeast}`,
			nearness: (answers) => {
				const answer = answers[index];
				if (answer?.type !== 'noul') return undefined;
				const value = answer.noul;
				return { value, distance: Math.min(Math.abs(value - yesAtLeast), Math.abs(value - noBelow)) };
			},
			best: 'The probability nearest to a threshold was',
			advice:
				"Say in the question what counts as a yes, or move 'Yes at or Above' and 'No Below' closer together.",
		};
	}
	if (minConfidence === 0) return undefined;
	const labels = type === 'choice' ? 'options' : 'levels';
	return {
		means: `a confidence below ${minConfidence}, or none`,
		nearness: (answers) => {
			const answer = answers[index];
			const value = answer && answer.type !== 'noul' ? answer.confidence : null;
			return value === null ? undefined : { value, distance: minConfidence - value };
		},
		best: 'The best confidence among them was',
		advice: `Describe the ${labels} in more detail, or lower 'Minimum Confidence'.`,
	};
}

/**
 * n8n computes the outputs from the stored parameters, so nothing that they depend on may be an expression.
 * @throws ParameterError
 */
export function checkNothingIsExpression({ parameters, context }: Execution): void {
	if (isExpression(parameters.stored(routeQuestion))) throw new ParameterError(named(routeQuestion), FIXED);
	const { questions, hasOpenQuestions } = readStored(context.getNode().parameters);
	if (hasOpenQuestions) throw new ParameterError(named(typedQuestions), FIXED);
	questions.forEach(({ id, type, entries, hasOpenEntries }, index) => {
		const position = `${named(typedQuestions)}: question ${index + 1}`;
		if (isExpression(id)) throw new ParameterError(`${position}: id`, FIXED);
		const error = (what: string) =>
			new ParameterError(
				id ? `question "${id}"` : position,
				`has ${what} given by an expression: it ${FIXED}`,
			);
		if (isExpression(type)) throw error('a type');
		const isChoice = type === 'choice';
		if (!isChoice && type !== 'score') return;
		if (hasOpenEntries) throw error(isChoice ? 'options' : 'levels');
		if (entries.some(isExpression)) throw error(isChoice ? 'the name of an option' : 'a level');
	});
}

/** In a parameter with `noDataExpression`, n8n removes the equals sign before the node sees it. */
function isExpression(value: unknown): boolean {
	return typeof value === 'string' && (value.startsWith('=') || value.includes('{{'));
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

/** The position of an answer among the labels, or undefined when it is not clear. */
type Rule = (answer: Answer) => number | undefined;

function ruleOf({ type, labels }: Question, { yesAtLeast, noBelow, minConfidence }: Thresholds): Rule {
	if (type === 'noul') {
		if (noBelow > yesAtLeast) {
			throw new ParameterError(
				subjectOf(THRESHOLD_FIELDS.noBelow.properties[0].displayName, 'routing.noBelow'),
				`must not exceed ${subjectOf(THRESHOLD_FIELDS.yesAtLeast.properties[0].displayName, 'routing.yesAtLeast')}, but ${noBelow} is more than ${yesAtLeast}`,
			);
		}
		return (answer) => {
			if (answer.type !== 'noul') return undefined;
			if (answer.noul >= yesAtLeast) return YES;
			return answer.noul < noBelow ? NO : undefined;
		};
	}
	return (answer) => {
		if (answer.type === 'noul') return undefined;
		if (minConfidence > 0 && (answer.confidence === null || answer.confidence < minConfidence)) {
			return undefined;
		}
		return answer.type === 'choice' ? labels.indexOf(answer.choice) : levelIndex(answer.score);
	};
}

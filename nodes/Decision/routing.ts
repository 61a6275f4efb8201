import type { INodeProperties } from 'n8n-workflow';

import { firstDuplicate, readList } from '../shared/fieldValues';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';
import type { Answer } from './answers';
import type { Route } from './decide';
import { questionError, type Question } from './questions';

const UNCERTAIN: Route = { output: 0, label: 'Uncertain' };

const YES = 0;
const NO = 1;

/** Both for "yes at least" and for "no below": then no probability is uncertain. */
const DEFAULT_BORDER = 0.5;

const PROBABILITY = { minValue: 0, maxValue: 1, numberPrecision: 2 };

/** What chooses the output, beside the questions. */
export const routingFields: INodeProperties[] = [
	{
		displayName: 'Route by Question',
		name: 'routeQuestion',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. team',
		description: 'ID of the question whose answer chooses the output. Leave empty for the first.',
		hint: "The first output is 'Uncertain', the others follow the order above. n8n keeps wires by position: adding at the end moves none, but after reordering or deleting check them all.",
	},
	{
		displayName: 'Thresholds',
		name: 'routing',
		type: 'collection',
		placeholder: 'Add threshold',
		default: {},
		description: "How clear an answer must be. Everything else leaves by 'Uncertain'.",
		options: [
			{
				displayName: 'Minimum Confidence',
				name: 'minConfidence',
				type: 'number',
				typeOptions: PROBABILITY,
				default: 0,
				description:
					'For a choice or a score: an answer with less confidence, or with none, is uncertain. 0 switches this off.',
			},
			{
				displayName: 'No Below',
				name: 'noBelow',
				type: 'number',
				typeOptions: PROBABILITY,
				default: DEFAULT_BORDER,
				description: 'For yes or no: a probability below this is a no',
			},
			{
				displayName: 'Yes at Least',
				name: 'yesAtLeast',
				type: 'number',
				typeOptions: PROBABILITY,
				default: DEFAULT_BORDER,
				description:
					'For yes or no: a probability from here on is a yes. What lies between the two is uncertain.',
			},
		],
	},
];

/**
 * How the answers to these questions choose an item's output.
 * @throws ParameterError for what would make the outputs differ from those that n8n has computed, or be ambiguous
 */
export function readRouting(item: ItemCall, questions: Question[]): (answers: Answer[]) => Route {
	const id = item.text('routeQuestion');
	const index = id === '' ? 0 : questions.findIndex((question) => question.id === id);
	const question = questions[index];
	if (!question) {
		const ids = questions.map((candidate) => `"${candidate.id}"`).join(', ');
		throw new ParameterError('routeQuestion', `must be the ID of a question (${ids}), not "${id}"`);
	}
	const labels = question.type === 'noul' ? ['Yes', 'No'] : question.labels;
	checkLabels(question);
	const positionOf = readRule(item, question);
	return (answers) => {
		const position = positionOf(answers[index]!);
		const label = position === undefined ? undefined : labels[position];
		return position === undefined || label === undefined ? UNCERTAIN : { output: position + 1, label };
	};
}

/**
 * n8n computes the outputs from the parameters as stored, so whatever they depend on must not be an expression.
 * @throws ParameterError
 */
export function checkNothingIsExpression(item: ItemCall): void {
	const questions = item.parameters.raw('questions');
	if (isExpression(item.parameters.raw('routeQuestion'))) throw new ParameterError('routeQuestion', FIXED);
	const list = readAsStored(questions, 'question', () => new ParameterError('questions', FIXED));
	list.forEach((question, index) => {
		const position = `questions: question ${index + 1}`;
		if (isExpression(question.id)) throw new ParameterError(`${position}: id`, FIXED);
		const error = (what: string) =>
			new ParameterError(
				question.id ? `question "${String(question.id)}"` : position,
				`has ${what} given by an expression: it ${FIXED}`,
			);
		if (isExpression(question.type)) throw error('a type');
		const isChoice = question.type === 'choice';
		if (!isChoice && question.type !== 'score') return;
		const entries = isChoice
			? readAsStored(question.options, 'option', () => error('options'))
			: readAsStored(question.levels, 'level', () => error('levels'));
		if (entries.some((entry) => isExpression(isChoice ? entry.name : entry.description))) {
			throw error(isChoice ? 'the name of an option' : 'a level');
		}
	});
}

const FIXED =
	'must not be an expression, nor hold "{{", because the outputs of the node follow from it before it runs';

/** The entries of a fixed collection; it, its list or an entry may be an expression too. */
function readAsStored(
	collection: unknown,
	name: string,
	error: () => ParameterError,
): Array<Record<string, unknown>> {
	if (isExpression(collection)) throw error();
	const list =
		typeof collection === 'object' && collection !== null && name in collection
			? (collection as Record<string, unknown>)[name]
			: [];
	if (isExpression(list) || (Array.isArray(list) && list.some(isExpression))) throw error();
	return readList(list);
}

/** From a parameter with `noDataExpression`, n8n takes the equals sign away before the node sees it. */
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
		throw questionError(
			id,
			`must not have ${what} "${UNCERTAIN.label}", which is the output for answers that are not clear`,
		);
	}
}

/** The position of an answer among the labels, or undefined when it is not clear. */
type Rule = (answer: Answer) => number | undefined;

function readRule(item: ItemCall, { type, labels }: Question): Rule {
	if (type === 'noul') {
		const yesAtLeast = item.number('routing.yesAtLeast', { min: 0, max: 1 }, DEFAULT_BORDER);
		const noBelow = item.number('routing.noBelow', { min: 0, max: 1 }, DEFAULT_BORDER);
		if (noBelow > yesAtLeast) {
			throw new ParameterError(
				'routing.noBelow',
				`must not exceed routing.yesAtLeast, but ${noBelow} is more than ${yesAtLeast}`,
			);
		}
		return (answer) => {
			if (answer.type !== 'noul' || answer.noul < 0 || answer.noul > 1) return undefined;
			if (answer.noul >= yesAtLeast) return YES;
			return answer.noul < noBelow ? NO : undefined;
		};
	}
	const minConfidence = item.number('routing.minConfidence', { min: 0, max: 1 }, 0);
	return (answer) => {
		if (answer.type === 'noul') return undefined;
		if (minConfidence > 0 && (answer.confidence === null || answer.confidence < minConfidence))
			return undefined;
		const position = answer.type === 'choice' ? labels.indexOf(answer.choice) : Math.round(answer.score);
		return position < 0 || position >= labels.length ? undefined : position;
	};
}

import {
	collectionField,
	numberField,
	orDefault,
	refine,
	textField,
	type ValuesOf,
} from '../../shared/fields/Field';

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
	hint: "Add options at the end: all connections stay, except the error output's, which is always last",
});

export const THRESHOLD_FIELDS = {
	// If absent, it has no effect. The default is what the editor suggests when a person adds it.
	minConfidence: refine(
		numberField({
			displayName: 'Minimum Confidence',
			name: 'minConfidence',
			typeOptions: PROBABILITY,
			default: 0.7,
			description:
				'For a choice or a score: an answer with lower confidence, or with none, is uncertain. At 0, or if not added, it has no effect.',
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
				'For yes or no: a probability at or above this counts as a yes. Probabilities between the two thresholds are uncertain.',
			hint: FROM_0_TO_1,
		}),
	),
};

export type Thresholds = ValuesOf<typeof THRESHOLD_FIELDS>;

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

import { collectionField, refine, textField } from '../../shared/fields/Field';
import { shareField } from '../../shared/fields/shareField';
import type { ComparedNumber } from './AnswerRule';

/** The dropdown follows the IDs of this many questions. */
const MAX_WATCHED_IDS = 30;

/**
 * Makes the editor load the dropdown again when one of these IDs changes. The whole list cannot be named here, because the editor
 * compares values as text, and an object is always "[object Object]". This is not written inside the property, because n8n's
 * linter would then require a description that offers an expression, and the outputs do not allow one.
 */
const QUESTION_LIST_OPTIONS = {
	loadOptionsMethod: 'questionChoices',
	loadOptionsDependsOn: Array.from(
		{ length: MAX_WATCHED_IDS },
		(_, index) => `questions.question[${index}].id`,
	),
};

/** The value is the ID of a question, or empty for the first question. */
export const routeQuestion = textField({
	displayName: 'Route by Question',
	name: 'routeQuestion',
	type: 'options',
	typeOptions: QUESTION_LIST_OPTIONS,
	noDataExpression: true,
	default: '',
	description:
		"The question whose answer chooses the output. The first output is 'Uncertain'. The others follow the order of the question's options or levels. After reordering or deleting, check all connections.",
	hint: 'Add options at the end, and then reconnect the error output. After deleting or moving one, check every connection.',
});

export const THRESHOLD_FIELDS = {
	// Unless a person adds this threshold, it has no effect. The default is only the value that the editor suggests.
	minConfidence: refine(
		shareField({
			displayName: 'Minimum Confidence',
			name: 'minConfidence',
			default: 0.7,
			description:
				'For a choice or a score: an answer with lower confidence, or with none, is uncertain. At 0, or if not added, it has no effect.',
		}),
		(value = 0) => value,
	),
	noBelow: shareField({
		displayName: 'No Below (Yes or No, Tags)',
		name: 'noBelow',
		default: 0.5,
		description: 'For yes or no, and for each tag: a probability below this counts as a no',
	}),
	yesAtLeast: shareField({
		displayName: 'Yes at or Above (Yes or No, Tags)',
		name: 'yesAtLeast',
		default: 0.5,
		description:
			'For yes or no, and for each tag: a probability at or above this counts as a yes. Probabilities between the two thresholds are uncertain.',
	}),
};

/** A probability of this is halfway between a certain no and a certain yes. */
const HALF = 0.5;

/** Describes the thresholds of Route, each from 0 to 1. */
export interface Thresholds {
	minConfidence: number;
	noBelow: number;
	yesAtLeast: number;
	/** Says for each kind of answer whether a person has set a threshold. */
	isSet: Record<ComparedNumber, boolean>;
}

export const thresholds = refine(
	collectionField(
		{
			displayName: 'Thresholds',
			name: 'routing',
			placeholder: 'Add Threshold',
			default: {},
			description: "How clear an answer must be. Everything else goes to the 'Uncertain' output.",
		},
		THRESHOLD_FIELDS,
	),
	// A person who adds only 'Yes at or Above', with 0.3, means that everything below it is a no.
	({ minConfidence, noBelow, yesAtLeast }): Thresholds => ({
		minConfidence,
		noBelow: noBelow ?? Math.min(HALF, yesAtLeast ?? HALF),
		yesAtLeast: yesAtLeast ?? Math.max(HALF, noBelow ?? HALF),
		isSet: {
			confidence: minConfidence > 0,
			probability: noBelow !== undefined || yesAtLeast !== undefined,
		},
	}),
);

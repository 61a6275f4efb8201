import { decisive } from '../../shared/fields/expressionRules';
import {
	booleanField,
	option,
	optionsField,
	orDefault,
	required,
	shownIf,
	textField,
	trimmed,
	type ValuesOf,
} from '../../shared/fields/Field';

/** Makes an input field that is dropped on the parameter insert its name instead of an expression. */
const FIELD_NAME_INPUT = { requiresDataPath: 'single' } as const;

/** Describes the values that a person filled in. A field's name may be a path, as the editor inserts it. */
export type EvaluatedFields = ValuesOf<typeof evaluatedFields>;

/** For `choice`, an answer is a text. For `noul`, it is the probability of yes. For `tags`, it is a list. */
export type AnswerType = EvaluatedFields['answerType'];

/** Describes the types whose answers come with a confidence. */
export type CertainType = Exclude<AnswerType, 'tags'>;

const answerType = orDefault(
	optionsField({
		displayName: 'Answer Type',
		name: 'answerType',
		noDataExpression: true,
		options: [
			{
				name: 'Choice or Level',
				value: 'choice',
				description: 'The answers are text: the chosen option, or the level of a score',
			},
			{
				name: 'Tags',
				value: 'tags',
				description: 'The answers are lists, or text with commas between the tags',
			},
			{ name: 'Yes or No', value: 'noul', description: 'The answers are probabilities from 0 to 1' },
		],
		default: 'choice',
		description: 'What kind of answers to evaluate',
	}),
);

export const evaluatedFields = {
	answerType,
	answerField: fieldName({
		displayName: 'Answer Field',
		name: 'answerField',
		...FIELD_NAME_INPUT,
		placeholder: 'e.g. team',
		description: "Name of the input field with the service's answer",
	}),
	expectedField: fieldName({
		displayName: 'Expected Field',
		name: 'expectedField',
		...FIELD_NAME_INPUT,
		placeholder: 'e.g. expected_team',
		description: 'Name of the input field with the expected answer, given by a person',
	}),
	confidenceField: shownIf(
		trimmed(
			decisive(
				textField({
					displayName: 'Confidence Field',
					name: 'confidenceField',
					...FIELD_NAME_INPUT,
					placeholder: 'e.g. team_confidence',
					description:
						"Name of the input field with the confidence. Leave empty for the one that 'Answer Questions' adds.",
				}),
			),
		),
		[answerType, 'choice'],
	),
	ignoreCase: option(
		decisive(
			booleanField({
				displayName: 'Ignore Case',
				name: 'ignoreCase',
				default: true,
				description: 'Whether to ignore case and surrounding spaces when comparing labels',
			}),
		),
	),
	compareField: option(
		trimmed(
			decisive(
				textField({
					displayName: 'Compare with Field',
					name: 'compareField',
					...FIELD_NAME_INPUT,
					placeholder: 'e.g. team_before',
					description:
						"Name of an input field with a second set of answers, such as those of an earlier wording. The report 'Summary' then says which set is better.",
				}),
			),
		),
	),
};

function fieldName(property: Parameters<typeof textField>[0]) {
	return trimmed(required(textField(property)));
}

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

/** A field dropped here from the input becomes its name. */
const FIELD_NAME = { requiresDataPath: 'single' } as const;

/** What a person fills in; names of fields may be the editor's paths. */
export type EvaluatedFields = ValuesOf<typeof evaluatedFields>;

/** `choice`: the answer is a text. `noul`: the answer is the probability of yes. */
export type AnswerType = EvaluatedFields['answerType'];

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
		...FIELD_NAME,
		placeholder: 'e.g. team',
		description: "Name of the input field with the service's answer",
	}),
	expectedField: fieldName({
		displayName: 'Expected Field',
		name: 'expectedField',
		...FIELD_NAME,
		placeholder: 'e.g. expected_team',
		description: 'Name of the input field with the expected answer, given by a person',
	}),
	confidenceField: shownIf(
		trimmed(
			textField({
				displayName: 'Confidence Field',
				name: 'confidenceField',
				...FIELD_NAME,
				placeholder: 'e.g. team_confidence',
				description:
					"Name of the input field with the confidence. Leave empty for the one that 'Answer Questions' adds.",
			}),
		),
		[answerType, 'choice'],
	),
	ignoreCase: option(
		booleanField({
			displayName: 'Ignore Case',
			name: 'ignoreCase',
			default: true,
			description: 'Whether to ignore case and surrounding spaces when comparing labels',
		}),
	),
	compareField: option(
		trimmed(
			textField({
				displayName: 'Compare with Field',
				name: 'compareField',
				...FIELD_NAME,
				placeholder: 'e.g. team_before',
				description:
					"Name of an input field with a second set of answers, such as those of an earlier wording. The report 'Summary' then says which set is better.",
			}),
		),
	),
};

function fieldName(property: Parameters<typeof textField>[0]) {
	return trimmed(required(textField(property)));
}

import type { INodeProperties } from 'n8n-workflow';

export const MIN_LEVELS = 2;
export const MAX_LEVELS = 10;

export const questionsSource: INodeProperties = {
	displayName: 'Questions From',
	name: 'questionsSource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fields Below', value: 'fields' },
		{ name: 'JSON', value: 'json', description: "The service's own map of questions" },
	],
	default: 'fields',
	description: 'Where the questions come from',
};

export const questionsJson: INodeProperties = {
	displayName: 'Questions (JSON)',
	name: 'questionsJson',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }',
	description: 'A map of question IDs to questions, as the service takes it',
	displayOptions: { show: { questionsSource: ['json'] } },
};

const typeField: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Choice', value: 'choice', description: 'One of several options' },
		{ name: 'Score', value: 'score', description: 'A rating on a scale of levels' },
		{ name: 'Yes or No', value: 'noul', description: 'A probability from 0 (no) to 1 (yes)' },
	],
	default: 'noul',
	description: 'What kind of answer the question has',
};

const instructionsField: INodeProperties = {
	displayName: 'Instructions',
	name: 'instructions',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Does the customer need an answer today?',
	description: 'The question itself, as put to the model. It may name fields of the input item.',
};

/** The editor shows a title that is not empty, and else counts: "Question 1". */
const QUESTION_TITLE =
	"={{ $collection.item.value.id && $collection.item.value.id + ' · ' + $collection.item.properties.find(p => p.name === 'type').options.find(o => o.value === $collection.item.value.type).name }}";

export const questionsBuilder: INodeProperties = {
	...builder({ asOutputs: false }),
	description: 'What to find out. All questions are answered in one request.',
	displayOptions: { show: { questionsSource: ['fields'] } },
};

/** The same, for `route`: the outputs are computed from what is stored, so nothing they depend on may be an expression. */
export const routedQuestionsBuilder: INodeProperties = {
	...builder({ asOutputs: true }),
	description:
		'What to find out. All questions are answered in one request, and one of them chooses the output.',
};

function builder({ asOutputs }: { asOutputs: boolean }): INodeProperties {
	const fixed = asOutputs ? { noDataExpression: true } : {};
	const idField: INodeProperties = {
		displayName: 'ID',
		name: 'id',
		type: 'string',
		...fixed,
		default: '',
		placeholder: 'e.g. urgent',
		description: "Names the answer's column in the output. It is not shown to the model.",
	};
	const optionsField: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Option',
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
		},
		placeholder: 'Add Option',
		default: {},
		description: 'What the model may choose from',
		displayOptions: { show: { type: ['choice'] } },
		options: [
			{
				displayName: 'Option',
				name: 'option',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						...fixed,
						default: '',
						placeholder: 'e.g. billing',
						description: asOutputs
							? 'The answer when this option is chosen, and the label of its output'
							: 'The answer when this option is chosen',
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						default: '',
						placeholder: 'e.g. Invoices, charges and refunds',
						description: 'When to choose this option',
					},
				],
			},
		],
	};
	const levelsField: INodeProperties = {
		displayName: 'Levels',
		name: 'levels',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Level',
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.description }}' },
		},
		placeholder: 'Add Level',
		default: {},
		description: `${MIN_LEVELS} to ${MAX_LEVELS} levels of the scale, the lowest first`,
		displayOptions: { show: { type: ['score'] } },
		options: [
			{
				displayName: 'Level',
				name: 'level',
				values: [
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						...fixed,
						default: '',
						placeholder: 'e.g. Slightly annoyed',
						description: asOutputs
							? 'What this level of the scale means, and the label of its output'
							: 'What this level of the scale means',
					},
				],
			},
		],
	};
	return {
		displayName: 'Questions',
		name: 'questions',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Question',
			sortable: true,
			fixedCollection: { itemTitle: QUESTION_TITLE },
		},
		placeholder: 'Add Question',
		default: { question: [{ id: 'answer', type: 'noul', instructions: '' }] },
		options: [
			{
				displayName: 'Question',
				name: 'question',
				values: [idField, typeField, instructionsField, optionsField, levelsField],
			},
		],
	};
}

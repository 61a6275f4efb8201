import {
	entriesField,
	optionsField,
	orDefault,
	refine,
	textField,
	type ValuesOf,
} from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import { checkQuestion, MAX_LEVELS, MIN_LEVELS, questionError, type Question } from './Question';

/** When outputs are reordered, the editor moves their connections along only for n8n's own Switch node. */
const ROUTE_HINT =
	"With 'Route', each is an output. Renaming one keeps it connected; after deleting or moving one, check all connections.";

const options = entriesField(
	{
		displayName: 'Answer Options',
		name: 'options',
		...sortableList('Add Answer Option', 'name'),
		default: {},
		description: 'The options that the model may choose from',
		hint: ROUTE_HINT,
		displayOptions: { show: { type: ['choice'] } },
	},
	{
		displayName: 'Answer Option',
		name: 'option',
		fields: {
			name: textField({
				displayName: 'Name',
				name: 'name',
				placeholder: 'e.g. billing',
				description: 'The answer if the model chooses this option',
			}),
			description: textField({
				displayName: 'Description',
				name: 'description',
				typeOptions: { rows: 2 },
				placeholder: 'e.g. Invoices and refunds',
				description:
					'When this option fits, in words that your items use. Helps the model tell similar options apart.',
			}),
		},
		nameOf: (_, position, { subject }) => `${subject}: option ${position}`,
	},
);

const levels = entriesField(
	{
		displayName: 'Levels',
		name: 'levels',
		...sortableList('Add Level', 'description'),
		default: {},
		description: `${MIN_LEVELS} to ${MAX_LEVELS} levels of the scale, the lowest first`,
		hint: ROUTE_HINT,
		displayOptions: { show: { type: ['score'] } },
	},
	{
		displayName: 'Level',
		name: 'level',
		fields: {
			description: textField({
				displayName: 'Level',
				name: 'description',
				placeholder: 'e.g. Slightly annoyed',
				description: 'What this level of the scale means',
			}),
		},
		nameOf: (_, position, { subject }) => `${subject}: level ${position}`,
	},
);

/** `storedDecision.ts` reads the stored values by these names, for example to compute the outputs. */
const QUESTION_FIELDS = {
	id: textField({
		displayName: 'ID',
		name: 'id',
		placeholder: 'e.g. urgent',
		description: "Names the answer's column in the output. It is not shown to the model.",
	}),
	type: orDefault(
		optionsField({
			displayName: 'Type',
			name: 'type',
			noDataExpression: true,
			options: [
				// n8n deletes the values of fields that it hides.
				{
					name: 'Choice',
					value: 'choice',
					description: "One of several options. Switching deletes a score's levels.",
				},
				{
					name: 'Score',
					value: 'score',
					description: "A rating on a scale of levels. Switching deletes a choice's options.",
				},
				{
					name: 'Yes or No',
					value: 'noul',
					description: 'A probability from 0 (no) to 1 (yes). Switching deletes options and levels.',
				},
			],
			default: 'noul',
			description: 'The kind of answer',
		}),
	),
	instructions: textField({
		displayName: 'Question',
		name: 'instructions',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Is it urgent? (For a choice: Which team?)',
		description: 'What the model should find out. It may refer to fields of the input item by name.',
	}),
	options,
	levels,
};

const entries = entriesField(
	{
		displayName: 'Questions',
		name: 'questions',
		...sortableList('Add Question', 'id'),
		default: { question: [{ id: 'answer', type: 'noul', instructions: '' }] },
		description:
			"What to find out. All questions are answered in one request. With 'Route', one of them chooses the output.",
		displayOptions: { hide: { questionsSource: ['json'] } },
	},
	{
		displayName: 'Question',
		name: 'question',
		fields: QUESTION_FIELDS,
		nameOf: ({ id }, position, { subject }) =>
			['string', 'number'].includes(typeof id) && id !== ''
				? `question "${String(id)}"`
				: `${subject}: question ${position}`,
	},
);

export const typedQuestions = refine(entries, (typed, { subject }): Question[] => {
	if (typed.length === 0) throw new ParameterError(subject, 'must have at least one question');
	const nameless = typed.findIndex(({ id }) => id.trim() === '');
	if (nameless !== -1) throw new ParameterError(`${subject}: question ${nameless + 1}`, 'must have an ID');
	const duplicate = firstDuplicate(typed.map(({ id }) => id));
	if (duplicate !== undefined) {
		throw questionError(duplicate, 'shares its ID with another question: IDs must be unique');
	}
	return typed.map((question) => checkQuestion(toQuestion(question)));
});

function toQuestion(typed: ValuesOf<typeof QUESTION_FIELDS>): Question {
	const { id, type, instructions } = typed;
	switch (type) {
		case 'noul':
			return { id, type, labels: [], wire: { type, instructions } };
		case 'choice': {
			// The keys of the criteria cannot be used: JavaScript moves keys that look like integers to the front.
			const labels = typed.options.map(({ name }) => name);
			const duplicate = firstDuplicate(labels);
			if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
			const criteria = Object.fromEntries(typed.options.map(({ name, description }) => [name, description]));
			return { id, type, labels, wire: { type, instructions, criteria } };
		}
		case 'score': {
			const labels = typed.levels.map(({ description }) => description);
			if (labels.some((level) => level.trim() === '')) {
				throw questionError(id, 'must have a description for every level');
			}
			return { id, type, labels, wire: { type, instructions, criteria: labels } };
		}
	}
}

/** Makes a list whose entries can be reordered. An entry's title is its field `title`, or a number while that field is empty. */
function sortableList(add: string, title: string) {
	return {
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: add,
			sortable: true,
			fixedCollection: { itemTitle: `={{ $collection.item.value.${title} }}` },
		},
		placeholder: add,
	};
}

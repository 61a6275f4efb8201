import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import type { Question as WireQuestion } from '../../contract/types';
import {
	entriesField,
	jsonField,
	optionsField,
	orDefault,
	refine,
	textField,
	type Field,
	type ValuesOf,
} from '../shared/fields/Field';
import { firstDuplicate } from '../shared/text/firstDuplicate';
import type { ItemContext } from '../shared/run/ItemContext';
import { ParameterError } from '../shared/fields/ParameterError';

/** A question as the caller asked it. */
export interface Question {
	/** Labels its answer. */
	id: string;
	type: WireQuestion['type'];
	/** The names of a choice's options, or the levels of a score from low to high, as given; none for yes or no. */
	labels: string[];
	/** What the service gets. */
	wire: WireQuestion;
}

const MIN_LEVELS = 2;
const MAX_LEVELS = 10;

/** The editor keeps wires on moved outputs for its own Switch node only. */
const WIRES_MOVE =
	'Each is an output. After deleting or moving one, check all wires; adding at the end moves none.';

const OPTIONS_IN_TWO_PLACES =
	'must have its options in one place: in "Answer Options" (optionNames) or in "Answer Options with Descriptions" (options)';

/** The editor shows a title that is not empty, and else counts: "Question 1". */
const QUESTION_TITLE =
	"={{ $collection.item.value.id && $collection.item.value.id + ' · ' + $collection.item.properties.find(p => p.name === 'type').options.find(o => o.value === $collection.item.value.type).name }}";

export const questionsSource = orDefault(
	optionsField(
		{
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
			// n8n deletes the values of fields that it hides.
			hint: 'Changing it deletes the questions below: copy them first',
		},
		'fields',
		'json',
	),
);

export const questionsJson: Field<Question[]> = refine(
	jsonField({
		displayName: 'Questions (JSON)',
		name: 'questionsJson',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }',
		description:
			'A map of question IDs to questions, such as <code>{ "urgent": { "type": "noul", "instructions": "Is it urgent?" }, "team": { "type": "choice", "instructions": "Which team?", "criteria": { "billing": "Charges, refunds", "other": "Anything else" } } }</code>',
		hint: 'Each question has a type, instructions and, unless it is yes or no, criteria',
		displayOptions: { show: { questionsSource: ['json'] } },
	}),
	(map, { subject }) => {
		if (map === undefined) throw new ParameterError(subject, 'must not be empty');
		if (!isRecord(map)) {
			throw new ParameterError(subject, 'must be an object whose field names are question IDs');
		}
		const entries = Object.entries(map);
		if (entries.length === 0) throw new ParameterError(subject, 'must have at least one question');
		if (entries.some(([id]) => id.trim() === '')) {
			throw new ParameterError(subject, 'must give every question an ID');
		}
		return entries.map(([id, question]) => checked(fromJson(id, question)));
	},
);

export const typedQuestions = questionsField({
	description: 'What to find out. All questions are answered in one request.',
	displayOptions: { show: { questionsSource: ['fields'] } },
});

/** The same, for `route`: the outputs are computed from what is stored, so nothing they depend on may be an expression. */
export const routedQuestions = questionsField({
	description:
		'What to find out. All questions are answered in one request, and one of them chooses the output.',
	asOutputs: true,
});

/**
 * The questions of a request, checked against every rule of the service.
 * @throws ParameterError that names the question
 */
export function readQuestions(item: ItemContext): Question[] {
	return item.read(item.read(questionsSource) === 'json' ? questionsJson : typedQuestions);
}

/** The map that goes over the wire. IDs are data: even `__proto__` becomes an ordinary key. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.map(({ id, wire }) => [id, wire]));
}

export function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}

function questionsField({
	asOutputs = false,
	...texts
}: Pick<INodeProperties, 'description' | 'displayOptions'> & { asOutputs?: boolean }): Field<Question[]> {
	const builder = entriesField(
		{
			displayName: 'Questions',
			name: 'questions',
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add Question',
				sortable: true,
				fixedCollection: { itemTitle: QUESTION_TITLE },
			},
			placeholder: 'Add Question',
			default: { question: [{ id: 'answer', type: 'noul', instructions: '' }] },
			...texts,
		},
		{
			displayName: 'Question',
			name: 'question',
			fields: questionFields(asOutputs),
			nameOf: ({ id }, position, { subject }) =>
				typeof id === 'string' && id !== '' ? `question "${id}"` : `${subject}: question ${position}`,
		},
	);
	return refine(builder, (entries, { subject }) => {
		if (entries.length === 0) throw new ParameterError(subject, 'must have at least one question');
		const nameless = entries.findIndex(({ id }) => id.trim() === '');
		if (nameless !== -1) throw new ParameterError(`${subject}: question ${nameless + 1}`, 'must have an ID');
		const duplicate = firstDuplicate(entries.map(({ id }) => id));
		if (duplicate !== undefined) {
			throw questionError(duplicate, 'shares its ID with another question: IDs must be unique');
		}
		return entries.map((entry) => checked(fromEntry(entry)));
	});
}

/** `storedDecision.ts` and the outputs of saved workflows read what is stored under these names. */
function questionFields(asOutputs: boolean) {
	const fixed = asOutputs ? { noDataExpression: true } : {};
	const described = entriesField(
		{
			displayName: 'Answer Options with Descriptions',
			name: 'options',
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add Answer Option',
				sortable: true,
				fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
			},
			placeholder: 'Add Answer Option',
			default: {},
			description: 'What the model may choose from, and when. Use this or the names above, not both.',
			...(asOutputs ? { hint: WIRES_MOVE } : {}),
			displayOptions: { show: { type: ['choice'] } },
		},
		{
			displayName: 'Answer Option',
			name: 'option',
			fields: {
				name: textField({
					displayName: 'Name',
					name: 'name',
					type: 'string',
					...fixed,
					default: '',
					placeholder: 'e.g. billing',
					description: asOutputs
						? 'The answer when this option is chosen, and the label of its output'
						: 'The answer when this option is chosen',
				}),
				description: textField({
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					placeholder: 'e.g. Invoices, charges and refunds',
					description: 'When to choose this option',
				}),
			},
			nameOf: (_, position, { subject }) => `${subject}: option ${position}`,
		},
	);
	const levels = entriesField(
		{
			displayName: 'Levels',
			name: 'levels',
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add Level',
				sortable: true,
				fixedCollection: { itemTitle: '={{ $collection.item.value.description }}' },
			},
			placeholder: 'Add Level',
			default: {},
			description: `${MIN_LEVELS} to ${MAX_LEVELS} levels of the scale, the lowest first`,
			...(asOutputs ? { hint: WIRES_MOVE } : {}),
			displayOptions: { show: { type: ['score'] } },
		},
		{
			displayName: 'Level',
			name: 'level',
			fields: {
				description: textField({
					displayName: 'Description',
					name: 'description',
					type: 'string',
					...fixed,
					default: '',
					placeholder: 'e.g. Slightly annoyed',
					description: asOutputs
						? 'What this level of the scale means, and the label of its output'
						: 'What this level of the scale means',
				}),
			},
			nameOf: (_, position, { subject }) => `${subject}: level ${position}`,
		},
	);
	return {
		id: textField({
			displayName: 'ID',
			name: 'id',
			type: 'string',
			...fixed,
			default: '',
			placeholder: 'e.g. urgent',
			description: "Names the answer's column in the output. It is not shown to the model.",
		}),
		type: orDefault(
			optionsField(
				{
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
					// n8n deletes the values of fields that it hides.
					hint: 'Changing it deletes the answer options or levels below',
				},
				'choice',
				'score',
				'noul',
			),
		),
		instructions: textField({
			displayName: 'Question',
			name: 'instructions',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Does the customer need an answer today?',
			description: 'What the model should find out. It may name fields of the input item.',
		}),
		optionNames: refine(
			textField({
				displayName: 'Answer Options',
				name: 'optionNames',
				type: 'string',
				...fixed,
				default: '',
				placeholder: 'e.g. billing, technical, other',
				description:
					'The names to choose from, separated by commas. Leave this empty to describe the options below, or if a name contains a comma.',
				hint: asOutputs ? WIRES_MOVE : 'Separated by commas. Leave this empty to describe the options below.',
				displayOptions: { show: { type: ['choice'] } },
			}),
			namesIn,
		),
		options: described,
		levels,
	};
}

function namesIn(line: string): string[] {
	return line
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

function fromEntry({
	id,
	type,
	instructions,
	optionNames,
	options,
	levels,
}: ValuesOf<ReturnType<typeof questionFields>>): Question {
	switch (type) {
		case 'noul':
			return { id, type, labels: [], wire: { type, instructions } };
		case 'choice': {
			if (optionNames.length > 0 && options.length > 0) throw questionError(id, OPTIONS_IN_TWO_PLACES);
			const offered =
				optionNames.length > 0 ? optionNames.map((name) => ({ name, description: '' })) : options;
			// Not the keys of the criteria: JavaScript moves those that look like integers to the front.
			const labels = offered.map(({ name }) => name);
			const duplicate = firstDuplicate(labels);
			if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
			const criteria = Object.fromEntries(offered.map(({ name, description }) => [name, description]));
			return { id, type, labels, wire: { type, instructions, criteria } };
		}
		case 'score': {
			const labels = levels.map(({ description }) => description);
			return { id, type, labels, wire: { type, instructions, criteria: labels } };
		}
	}
}

function fromJson(id: string, question: unknown): Question {
	if (!isRecord(question)) throw questionError(id, 'must be an object');
	const { type, instructions, criteria } = question;
	if (type !== 'noul' && type !== 'choice' && type !== 'score') {
		throw questionError(id, 'must be of type noul, choice or score');
	}
	if (typeof instructions !== 'string') throw questionError(id, 'must have instructions: a text');
	if (type === 'choice' && !(isRecord(criteria) && Object.values(criteria).every(isString))) {
		throw questionError(id, 'must have criteria: an object with a description for each option');
	}
	if (type === 'score' && !(Array.isArray(criteria) && criteria.every(isString))) {
		throw questionError(id, 'must have criteria: a list with a description for each level');
	}
	return { id, type, labels: labelsOf(question as WireQuestion), wire: question as WireQuestion };
}

function labelsOf(question: WireQuestion): string[] {
	if (question.type === 'choice') return Object.keys(question.criteria);
	return question.type === 'score' ? question.criteria : [];
}

/** The question itself, if it keeps the rules of the service. */
function checked(question: Question): Question {
	const { id, type, labels, wire } = question;
	if (wire.instructions.trim() === '') throw questionError(id, 'must have instructions');
	if (type === 'choice') {
		if (labels.length === 0) throw questionError(id, 'must have at least one option');
		if (labels.some((name) => name.trim() === '')) {
			throw questionError(id, 'must have a name for every option');
		}
	}
	if (type === 'score') {
		if (labels.length < MIN_LEVELS || labels.length > MAX_LEVELS) {
			throw questionError(id, `must have ${MIN_LEVELS} to ${MAX_LEVELS} levels, but has ${labels.length}`);
		}
		if (labels.some((level) => level.trim() === '')) {
			throw questionError(id, 'must have a description for every level');
		}
	}
	return question;
}

function isString(value: unknown): value is string {
	return typeof value === 'string';
}

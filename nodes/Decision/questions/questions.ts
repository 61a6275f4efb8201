import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../client/isRecord';
import type { Question as WireQuestion } from '../../../contract/types';
import {
	entriesField,
	jsonField,
	optionsField,
	orDefault,
	refine,
	textField,
	type Field,
	type ValuesOf,
} from '../../shared/fields/Field';
import { firstDuplicate } from '../../shared/text/firstDuplicate';
import type { ItemContext } from '../../shared/run/ItemContext';
import { ParameterError } from '../../shared/fields/ParameterError';

/** A question as the user wrote it. */
export interface Question {
	id: string;
	type: WireQuestion['type'];
	/** The names of a choice's options, or the levels of a score from low to high, as given; none for yes or no. */
	labels: string[];
	wire: WireQuestion;
}

const MIN_LEVELS = 2;
const MAX_LEVELS = 10;

/** The editor keeps connections on moved outputs for its own Switch node only. */
const IN_A_ROUTE =
	"With 'Route', each is an output. Renaming one keeps it connected; after deleting or moving one, check all connections.";

/** If this title is empty, the editor counts: "Question 1". */
const QUESTION_TITLE =
	"={{ $collection.item.value.id && $collection.item.value.id + ' · ' + $collection.item.properties.find(p => p.name === 'type').options.find(o => o.value === $collection.item.value.type).name }}";

/**
 * If two properties have the same name, n8n ignores the value of a hidden one. Without this second property, which is never
 * shown, a leftover value would hide the questions of a route, and n8n deletes hidden values.
 */
const NEVER_SHOWN: INodeProperties = {
	displayName: 'Questions From',
	name: 'questionsSource',
	type: 'hidden',
	default: 'fields',
	displayOptions: { show: { '@version': [0] } },
};

const source = orDefault(
	optionsField({
		displayName: 'Questions From',
		name: 'questionsSource',
		noDataExpression: true,
		options: [
			// n8n deletes the values of fields that it hides.
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Questions that you type. Switching clears the JSON.',
			},
			{
				name: 'JSON',
				value: 'json',
				description:
					"The service's own map of questions. Switching clears the questions in the fields: copy them first.",
			},
		],
		default: 'fields',
		description: 'Where the questions come from',
	}),
);

export const questionsSource: Field<'fields' | 'json'> = {
	...source,
	properties: [...source.properties, NEVER_SHOWN],
};

export const questionsJson: Field<Question[]> = refine(
	jsonField({
		displayName: 'Questions (JSON)',
		name: 'questionsJson',
		placeholder: 'e.g. { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }',
		description:
			'A map of question IDs to questions, such as { "urgent": { "type": "noul", "instructions": "Is it urgent?" }, "team": { "type": "choice", "instructions": "Which team?", "criteria": { "billing": "Charges, refunds", "other": "Anything else" } } }',
		hint: 'Each question has a type and instructions; choice and score need criteria',
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

export const typedQuestions = questionsField();

/**
 * The questions of a request, checked against every rule of the service.
 * @throws ParameterError that names the question
 */
export function readQuestions(item: ItemContext): Question[] {
	return item.read(item.read(questionsSource) === 'json' ? questionsJson : typedQuestions);
}

/** The map that is sent. Every ID becomes an ordinary key, even `__proto__`. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.map(({ id, wire }) => [id, wire]));
}

export function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}

function questionsField(): Field<Question[]> {
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
			description:
				"What to find out. All questions are answered in one request. With 'Route', one of them chooses the output.",
			displayOptions: { hide: { questionsSource: ['json'] } },
		},
		{
			displayName: 'Question',
			name: 'question',
			fields: questionFields(),
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
function questionFields() {
	const described = entriesField(
		{
			displayName: 'Answer Options',
			name: 'options',
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add Answer Option',
				sortable: true,
				fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
			},
			placeholder: 'Add Answer Option',
			default: {},
			description: 'The options that the model may choose from',
			hint: IN_A_ROUTE,
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
					placeholder: 'e.g. Invoices and refunds',
					description:
						'When to choose this option, in the words of your items. It makes similar options easier to tell apart.',
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
				fixedCollection: { itemTitle: '={{ $collection.item.value.description }}', layout: 'inline' },
			},
			placeholder: 'Add Level',
			default: {},
			description: `${MIN_LEVELS} to ${MAX_LEVELS} levels of the scale, the lowest first`,
			hint: IN_A_ROUTE,
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
	return {
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
						description: 'One of several options. Deletes the levels of a score.',
					},
					{
						name: 'Score',
						value: 'score',
						description: 'A rating on a scale of levels. Deletes the options of a choice.',
					},
					{
						name: 'Yes or No',
						value: 'noul',
						description: 'A probability from 0 (no) to 1 (yes). Deletes options and levels.',
					},
				],
				default: 'noul',
				description: 'What kind of answer the question has',
			}),
		),
		instructions: textField({
			displayName: 'Question',
			name: 'instructions',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Is it urgent? (For a choice: Which team?)',
			description: 'What the model should find out. It may name fields of the input item.',
		}),
		options: described,
		levels,
	};
}

function fromEntry({
	id,
	type,
	instructions,
	options,
	levels,
}: ValuesOf<ReturnType<typeof questionFields>>): Question {
	switch (type) {
		case 'noul':
			return { id, type, labels: [], wire: { type, instructions } };
		case 'choice': {
			// The keys of the criteria cannot be used: JavaScript moves keys that look like integers to the front.
			const labels = options.map(({ name }) => name);
			const duplicate = firstDuplicate(labels);
			if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
			const criteria = Object.fromEntries(options.map(({ name, description }) => [name, description]));
			return { id, type, labels, wire: { type, instructions, criteria } };
		}
		case 'score': {
			const labels = levels.map(({ description }) => description);
			if (labels.some((level) => level.trim() === '')) {
				throw questionError(id, 'must have a description for every level');
			}
			return { id, type, labels, wire: { type, instructions, criteria: labels } };
		}
	}
}

function fromJson(id: string, question: unknown): Question {
	if (!isRecord(question)) throw questionError(id, 'must be an object');
	const { type, instructions } = question;
	if (type !== 'noul' && type !== 'choice' && type !== 'score') {
		throw questionError(id, 'must be of type noul, choice or score');
	}
	if (typeof instructions !== 'string') throw questionError(id, 'must have instructions, as text');
	if (type === 'noul') return { id, type, labels: [], wire: question as WireQuestion };
	const criteria = withTexts(question.criteria);
	if (type === 'choice' && !(isRecord(criteria) && Object.values(criteria).every(isString))) {
		throw questionError(id, 'must have criteria: an object with a description for each option');
	}
	if (type === 'score' && !(Array.isArray(criteria) && criteria.every(isString))) {
		throw questionError(id, 'must have criteria: a list with a description for each level');
	}
	const labels = Array.isArray(criteria) ? criteria : Object.keys(criteria as object);
	return { id, type, labels, wire: { ...question, criteria } as WireQuestion };
}

/** Other services with this endpoint accept null for a criterion without a description. This service accepts only texts. */
function withTexts(criteria: unknown): unknown {
	if (Array.isArray(criteria)) return criteria.map((text: unknown) => text ?? '');
	if (!isRecord(criteria)) return criteria;
	return Object.fromEntries(Object.entries(criteria).map(([name, text]) => [name, text ?? '']));
}

/** Returns the question if it follows the rules of the service. */
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
	}
	return question;
}

function isString(value: unknown): value is string {
	return typeof value === 'string';
}

import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../client/isRecord';
import { parseJson } from '../../client/parseJson';
import type { Question as WireQuestion } from '../../contract/types';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';

/** A question as the caller asked it; `id` labels its answer. */
export type Question = { id: string } & WireQuestion;

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

const idField: INodeProperties = {
	displayName: 'ID',
	name: 'id',
	type: 'string',
	default: '',
	placeholder: 'e.g. urgent',
	description: "Names the answer's column in the output. It is not shown to the model.",
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
	description: 'The question itself, as put to the model',
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
					default: '',
					placeholder: 'e.g. billing',
					description: 'The answer when this option is chosen',
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
					default: '',
					placeholder: 'e.g. Slightly annoyed',
					description: 'What this level of the scale means',
				},
			],
		},
	],
};

export const questionsBuilder: INodeProperties = {
	displayName: 'Questions',
	name: 'questions',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		multipleValueButtonText: 'Add Question',
		sortable: true,
		fixedCollection: { itemTitle: '={{ $collection.item.value.id }} ({{ $collection.item.value.type }})' },
	},
	placeholder: 'Add Question',
	default: { question: [{ id: 'answer', type: 'noul', instructions: '' }] },
	description: 'What to find out. All questions are answered in one request.',
	options: [
		{
			displayName: 'Question',
			name: 'question',
			values: [idField, typeField, instructionsField, optionsField, levelsField],
		},
	],
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

/**
 * The questions of a request, checked against every rule of the service.
 * @throws ParameterError that names the question
 */
export function readQuestions(item: ItemCall): Question[] {
	const questions =
		item.parameter('questionsSource') === 'json'
			? readJson(item.parameter('questionsJson'))
			: readFields(item);
	questions.forEach(check);
	return questions;
}

/** The map that goes over the wire. IDs are data: even `__proto__` becomes an ordinary key. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.map(({ id, ...question }) => [id, question]));
}

/** The names of a choice's options, or the levels of a score from low to high; none for yes or no. */
export function labelsOf(question: Question): string[] {
	if (question.type === 'choice') return Object.keys(question.criteria);
	return question.type === 'score' ? question.criteria : [];
}

function readFields(item: ItemCall): Question[] {
	const entries = readList(item.parameter('questions.question'));
	if (entries.length === 0) throw new ParameterError('questions', 'must hold at least one question');
	const questions = entries.map(readEntry);
	const duplicate = firstDuplicate(questions.map(({ id }) => id));
	if (duplicate !== undefined)
		throw questionError(duplicate, 'must have an ID of its own, but two questions have this ID');
	return questions;
}

function readEntry(entry: Record<string, unknown>, index: number): Question {
	const id = asText(entry.id);
	if (id.trim() === '') throw new ParameterError(`questions: question ${index + 1}`, 'must have an ID');
	const type = entry.type ?? 'noul';
	const instructions = asText(entry.instructions);
	if (type === 'noul') return { id, type, instructions };
	if (type === 'choice') return { id, type, instructions, criteria: readOptions(id, entry.options) };
	if (type === 'score') return { id, type, instructions, criteria: readLevels(entry.levels) };
	throw questionError(id, `must be of type noul, choice or score, not "${asText(type)}"`);
}

function readOptions(id: string, options: unknown): Record<string, string> {
	const list = readList(isRecord(options) ? options.option : undefined);
	const named = list.map((option) => [asText(option.name), asText(option.description)] as const);
	const duplicate = firstDuplicate(named.map(([name]) => name));
	if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
	return Object.fromEntries(named);
}

function readLevels(levels: unknown): string[] {
	return readList(isRecord(levels) ? levels.level : undefined).map((level) => asText(level.description));
}

function readJson(value: unknown): Question[] {
	const map = typeof value === 'string' ? parseMap(value) : value;
	if (!isRecord(map))
		throw new ParameterError('questionsJson', 'must be an object of questions by their IDs');
	const entries = Object.entries(map);
	if (entries.length === 0) throw new ParameterError('questionsJson', 'must hold at least one question');
	return entries.map(([id, question]) => {
		if (id.trim() === '') throw new ParameterError('questionsJson', 'must give every question an ID');
		if (!isRecord(question)) throw questionError(id, 'must be an object');
		const { type, instructions, criteria } = question;
		if (type !== 'noul' && type !== 'choice' && type !== 'score') {
			throw questionError(id, 'must be of type noul, choice or score');
		}
		if (typeof instructions !== 'string') throw questionError(id, 'must have instructions, a string');
		if (type === 'choice' && !(isRecord(criteria) && Object.values(criteria).every(isString))) {
			throw questionError(id, 'must have criteria, an object of descriptions by option name');
		}
		if (type === 'score' && !(Array.isArray(criteria) && criteria.every(isString))) {
			throw questionError(id, 'must have criteria, an array of level descriptions');
		}
		return { ...question, id } as Question;
	});
}

function parseMap(text: string): unknown {
	if (text.trim() === '') throw new ParameterError('questionsJson', 'must not be empty');
	const parsed = parseJson(text);
	if (parsed.problem === undefined) return parsed.value;
	throw new ParameterError('questionsJson', `must be valid JSON (${parsed.problem})`);
}

function check(question: Question): void {
	const { id } = question;
	if (question.instructions.trim() === '') throw questionError(id, 'must have instructions');
	const labels = labelsOf(question);
	if (question.type === 'choice') {
		if (labels.length === 0) throw questionError(id, 'must have at least one option');
		if (labels.some((name) => name.trim() === ''))
			throw questionError(id, 'must have a name for every option');
	}
	if (question.type === 'score') {
		if (labels.length < MIN_LEVELS || labels.length > MAX_LEVELS) {
			throw questionError(id, `must have ${MIN_LEVELS} to ${MAX_LEVELS} levels, but has ${labels.length}`);
		}
		if (labels.some((level) => level.trim() === ''))
			throw questionError(id, 'must have a description for every level');
	}
}

function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}

function firstDuplicate(values: string[]): string | undefined {
	return values.find((value, index) => values.indexOf(value) !== index);
}

function readList(value: unknown): Array<Record<string, unknown>> {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

function asText(value: unknown): string {
	return value === undefined || value === null ? '' : String(value);
}

function isString(value: unknown): value is string {
	return typeof value === 'string';
}

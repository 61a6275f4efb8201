import { isRecord } from '../../client/isRecord';
import { parseJson } from '../../client/parseJson';
import type { Question as WireQuestion } from '../../contract/types';
import { asText, firstDuplicate, readList } from '../shared/fieldValues';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';
import { MAX_LEVELS, MIN_LEVELS } from './questionFields';

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

/**
 * The questions of a request, checked against every rule of the service.
 * @throws ParameterError that names the question
 */
export function readQuestions(item: ItemCall): Question[] {
	return item.parameters.derive(QUESTION_PARAMETERS, () => readAndCheck(item));
}

/** What the questions are read from. */
export const QUESTION_PARAMETERS = ['questionsSource', 'questions.question', 'questionsJson'];

function readAndCheck(item: ItemCall): Question[] {
	const questions =
		item.parameter('questionsSource') === 'json'
			? readJson(item.parameter('questionsJson'))
			: readFields(item);
	questions.forEach(check);
	return questions;
}

/**
 * The same, for an operation that takes its questions from the fields only.
 * @throws ParameterError that names the question
 */
export function readQuestionsOfFields(item: ItemCall): Question[] {
	const questions = readFields(item);
	questions.forEach(check);
	return questions;
}

/** The map that goes over the wire. IDs are data: even `__proto__` becomes an ordinary key. */
export function toWire(questions: Question[]): Record<string, WireQuestion> {
	return Object.fromEntries(questions.map(({ id, wire }) => [id, wire]));
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
	if (type === 'noul') return { id, type, labels: [], wire: { type, instructions } };
	if (type === 'choice') {
		const named = readOptions(id, entry.options);
		// Not the keys of the criteria: JavaScript moves those that look like integers to the front.
		const labels = named.map(([name]) => name);
		return { id, type, labels, wire: { type, instructions, criteria: Object.fromEntries(named) } };
	}
	if (type === 'score') {
		const levels = readLevels(entry.levels);
		return { id, type, labels: levels, wire: { type, instructions, criteria: levels } };
	}
	throw questionError(id, `must be of type noul, choice or score, not "${asText(type)}"`);
}

function readOptions(id: string, options: unknown): Array<readonly [name: string, description: string]> {
	const list = readList(isRecord(options) ? options.option : undefined);
	const named = list.map((option) => [asText(option.name), asText(option.description)] as const);
	const duplicate = firstDuplicate(named.map(([name]) => name));
	if (duplicate !== undefined) throw questionError(id, `must not have two options named "${duplicate}"`);
	return named;
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
		return { id, type, labels: labelsOf(question as WireQuestion), wire: question as WireQuestion };
	});
}

function labelsOf(question: WireQuestion): string[] {
	if (question.type === 'choice') return Object.keys(question.criteria);
	return question.type === 'score' ? question.criteria : [];
}

function parseMap(text: string): unknown {
	if (text.trim() === '') throw new ParameterError('questionsJson', 'must not be empty');
	const parsed = parseJson(text);
	if (parsed.success) return parsed.value;
	throw new ParameterError('questionsJson', `must be valid JSON (${parsed.problem})`);
}

function check({ id, type, labels, wire }: Question): void {
	if (wire.instructions.trim() === '') throw questionError(id, 'must have instructions');
	if (type === 'choice') {
		if (labels.length === 0) throw questionError(id, 'must have at least one option');
		if (labels.some((name) => name.trim() === ''))
			throw questionError(id, 'must have a name for every option');
	}
	if (type === 'score') {
		if (labels.length < MIN_LEVELS || labels.length > MAX_LEVELS) {
			throw questionError(id, `must have ${MIN_LEVELS} to ${MAX_LEVELS} levels, but has ${labels.length}`);
		}
		if (labels.some((level) => level.trim() === ''))
			throw questionError(id, 'must have a description for every level');
	}
}

export function questionError(id: string, rule: string): ParameterError {
	return new ParameterError(`question "${id}"`, rule);
}

function isString(value: unknown): value is string {
	return typeof value === 'string';
}

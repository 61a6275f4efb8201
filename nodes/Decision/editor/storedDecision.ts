import type { INodeParameters } from 'n8n-workflow';

import { storedTypes, type StoredType } from './storedTypes';

/**
 * Describes the parameters of a Decision node as the workflow stores them: expressions are not resolved, and missing or blank
 * texts are empty.
 */
export interface StoredDecision {
	operation: string;
	stateSource: string;
	/** Says whether the questions come from `questionsJson`. */
	isJson: boolean;
	questionsJson: string;
	questions: StoredQuestion[];
	/** Says whether an expression gives all questions at once, or a whole question. */
	hasOpenQuestions: boolean;
	/** Holds the ID of the question that chooses the output. It is empty for the first question. */
	routeQuestion: string;
	/** Holds the thresholds of Route, each a number or an expression for one. */
	thresholds: Record<'yesAtLeast' | 'noBelow' | 'minConfidence', unknown>;
	/** Holds the percentage of spot checks: a number, or an expression for one. */
	spotCheck: unknown;
	/** A value that no type has, such as an expression, gives a type without outputs. */
	typeOf(value: unknown): StoredType;
}

export interface StoredQuestion {
	id: string;
	type: StoredType;
	/** Holds the type as it is stored, which may be an expression. */
	storedType: string;
	instructions: string;
	/** Holds the names of the options of a choice or of tags, or the levels of a score. */
	entries: string[];
	/** Holds the description of each entry. That of a level is empty, because the entry itself describes it. */
	descriptions: string[];
	/**
	 * Holds the Minimum Confidence of each entry as it is stored, a number or an expression for one. It is undefined for an entry
	 * without one of its own.
	 */
	minConfidences: unknown[];
	/** Says whether an expression gives all entries at once, or a whole entry. */
	hasOpenEntries: boolean;
}

/**
 * Reads the stored parameters, with what is known of the types.
 *
 * n8n computes outputs, hints and the subtitle before a run by expressions, in the server and in the editor. The source text of
 * this function is a part of those expressions. So it must use nothing outside itself, and must not contain two closing braces in
 * a row, which would end the expression. These rules also apply to the functions that are passed to `callOf`. It must not throw,
 * or the node would have no outputs at all. Reading a parameter that is an expression may throw here, because there is no item.
 */
function readWith(types: StoredType[], parameters: INodeParameters): StoredDecision {
	const read = (source: unknown, name: string): unknown => {
		try {
			return (source as Record<string, unknown>)[name];
		} catch {
			return undefined;
		}
	};
	const textOf = (value: unknown): string => {
		const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
		return /^=?$/.test(text.trim()) ? '' : text.trim();
	};
	const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from(value) : []);
	const isOpen = (collection: unknown, list: unknown): boolean =>
		[collection, list].concat(listOf(list)).some((value) => typeof value === 'string');
	const typeOf = (value: unknown): StoredType =>
		types.find((type) => type.value === value) ?? types[types.length - 1]!;
	const toQuestion = (question: unknown): StoredQuestion => {
		const storedType = textOf(read(question, 'type')) || 'noul';
		const type = typeOf(storedType);
		const [collectionName = '', listName = '', textName = ''] = type.entries ?? [];
		const collection = read(question, collectionName);
		const list = read(collection, listName);
		return {
			id: textOf(read(question, 'id')),
			type,
			storedType,
			instructions: textOf(read(question, 'instructions')),
			entries: listOf(list).map((entry) => textOf(read(entry, textName))),
			descriptions: listOf(list).map((entry) =>
				textName === 'description' ? '' : textOf(read(entry, 'description')),
			),
			minConfidences: listOf(list).map((entry) => {
				const own = read(entry, 'minConfidence');
				return own === '' || own === null ? undefined : own;
			}),
			hasOpenEntries: isOpen(collection, list),
		};
	};
	const collection = read(parameters, 'questions');
	const list = collection === undefined ? [{ id: 'answer' }] : read(collection, 'question');
	const routing = read(parameters, 'routing');
	const questions = listOf(list).map(toQuestion);
	const wanted = textOf(read(parameters, 'routeQuestion'));
	const yesAtLeast = read(routing, 'yesAtLeast');
	const noBelow = read(routing, 'noBelow');
	const orHalf = (limit: (...values: number[]) => number, other: unknown): number =>
		limit(0.5, typeof other === 'number' ? other : 0.5);
	return {
		operation: textOf(read(parameters, 'operation')),
		stateSource: textOf(read(parameters, 'stateSource')),
		isJson: read(parameters, 'operation') !== 'route' && read(parameters, 'questionsSource') === 'json',
		questionsJson: textOf(read(parameters, 'questionsJson')),
		questions,
		hasOpenQuestions: isOpen(collection, list),
		routeQuestion: questions.find(({ id }) => id.normalize() === wanted.normalize())?.id ?? wanted,
		thresholds: {
			yesAtLeast: yesAtLeast ?? orHalf(Math.max, noBelow),
			noBelow: noBelow ?? orHalf(Math.min, yesAtLeast),
			minConfidence: read(routing, 'minConfidence') ?? 0,
		},
		spotCheck: read(read(parameters, 'options'), 'spotCheck') ?? 0,
		typeOf,
	};
}

/** Reads for the node itself what the editor reads by an expression, so that both see the same questions. */
export function readStored(parameters: INodeParameters): StoredDecision {
	return readWith(storedTypes(), parameters);
}

/** Returns the source text of a call of the function with the stored decision, for use in an n8n expression. */
export function callOf(callee: (stored: StoredDecision) => unknown): string {
	return `(${String(callee)})((${String(readWith)})((${String(storedTypes)})(), $parameter))`;
}

/** Returns an n8n expression that calls the function with the stored decision. */
export function expressionOf(callee: (stored: StoredDecision) => unknown) {
	return `={{ ${callOf(callee)} }}` as const;
}

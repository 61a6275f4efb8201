import type { INodeParameters } from 'n8n-workflow';

/** What a workflow stores of a decision: expressions are not resolved, and texts that are missing or blank are empty. */
export interface StoredDecision {
	operation: string;
	stateSource: string;
	/** Whether the questions are those of `questionsJson`. */
	isJson: boolean;
	questionsJson: string;
	questions: StoredQuestion[];
	/** Whether an expression gives all questions, or a whole question. */
	hasOpenQuestions: boolean;
	/** The ID of the question to route by, empty for the first. */
	routeQuestion: string;
	/** Numbers, or expressions that give them. */
	thresholds: Record<'yesAtLeast' | 'noBelow' | 'minConfidence', unknown>;
	/** A number, or an expression that gives it. */
	spotCheck: unknown;
}

export interface StoredQuestion {
	id: string;
	type: string;
	instructions: string;
	/** The names of a choice's options, or the levels of a score. */
	entries: string[];
	/** Whether an expression gives all entries, or a whole entry. */
	hasOpenEntries: boolean;
}

/**
 * Reads stored parameters.
 *
 * n8n computes outputs, hints and the subtitle before a run by expressions, in the server and in the editor, and the source
 * text of this function is a part of them. So it uses nothing outside itself, and does not contain two closing braces in a
 * row, which would end the expression. The same applies to the functions given to `callOf`. It must not throw, or the node
 * would have no outputs at all: reading a top-level expression here, where there is no item, may throw.
 */
export function readStored(parameters: INodeParameters): StoredDecision {
	const read = (source: unknown, name: string): unknown => {
		try {
			return (source as Record<string, unknown>)[name];
		} catch {
			return undefined;
		}
	};
	const textOf = (value: unknown): string => {
		const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
		return /^=?\s*$/.test(text) ? '' : text;
	};
	const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from(value) : []);
	const isOpen = (collection: unknown, list: unknown): boolean =>
		[collection, list].concat(listOf(list)).some((value) => typeof value === 'string');
	const toQuestion = (question: unknown): StoredQuestion => {
		const isChoice = read(question, 'type') === 'choice';
		const collection = read(question, isChoice ? 'options' : 'levels');
		const list = read(collection, isChoice ? 'option' : 'level');
		return {
			id: textOf(read(question, 'id')),
			type: textOf(read(question, 'type')) || 'noul',
			instructions: textOf(read(question, 'instructions')),
			entries: listOf(list).map((entry) => textOf(read(entry, isChoice ? 'name' : 'description'))),
			hasOpenEntries: isOpen(collection, list),
		};
	};
	const collection = read(parameters, 'questions');
	const list = collection === undefined ? [{ id: 'answer' }] : read(collection, 'question');
	const routing = read(parameters, 'routing');
	return {
		operation: textOf(read(parameters, 'operation')),
		stateSource: textOf(read(parameters, 'stateSource')),
		isJson: read(parameters, 'operation') !== 'route' && read(parameters, 'questionsSource') === 'json',
		questionsJson: textOf(read(parameters, 'questionsJson')),
		questions: listOf(list).map(toQuestion),
		hasOpenQuestions: isOpen(collection, list),
		routeQuestion: textOf(read(parameters, 'routeQuestion')),
		thresholds: {
			yesAtLeast: read(routing, 'yesAtLeast') ?? 0.5,
			noBelow: read(routing, 'noBelow') ?? 0.5,
			minConfidence: read(routing, 'minConfidence') ?? 0,
		},
		spotCheck: read(read(parameters, 'options'), 'spotCheck') ?? 0,
	};
}

/** A call of a function with the stored decision, as text for an n8n expression. */
export function callOf(callee: (stored: StoredDecision) => unknown): string {
	return `(${String(callee)})((${String(readStored)})($parameter))`;
}

/** An n8n expression that gives the function's result for the stored decision. */
export function expressionOf(callee: (stored: StoredDecision) => unknown) {
	return `={{ ${callOf(callee)} }}` as const;
}

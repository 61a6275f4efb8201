import type { IDataObject } from 'n8n-workflow';

import type { UnknownFields } from '../../../client/values/records';
import type { DecisionResponse } from '../../../contract/types';
import { subjectOf } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { composed } from '../../shared/text/composed';
import { tokensOf } from '../../shared/service/tokensOf';
import type { RunContext } from '../../shared/context/RunContext';
import { decisionOptions } from '../decisionOptions';
import type { Question } from '../questions/Question';
import { questionError } from '../questions/questionError';
import type { Answer } from './Answer';

/** Describes the options that decide which columns the simplified output of an item has. */
export interface ColumnRules {
	questions: Question[];
	/** Names the field that holds the answers. It is empty if the answers are at the top level. */
	outputField: string;
	includeProbabilities: boolean;
	includeMetadata: boolean;
	isRouted: boolean;
	hasSpotChecks: boolean;
}

export interface DecisionResult {
	/** Holds the body of the response, unchanged. */
	body: object;
	/** Holds the answers in the order of the questions, each undefined if it cannot be used. */
	answers: Array<Answer | undefined>;
	traceId: string | null;
	/**
	 * Holds the label of the item's output, or a list of them if there may be several. For a spot check, it is the output that
	 * the item would otherwise have taken. It is undefined if the node has only one output.
	 */
	route: string | string[] | undefined;
	/** Says whether the item goes to a person as a spot check. */
	isSpotCheck: boolean;
}

/** Returns the columns that belong to no question. They are always at the top level. */
function nodeColumns(
	{
		includeMetadata,
		isRouted,
		hasSpotChecks,
	}: Pick<ColumnRules, 'includeMetadata' | 'isRouted' | 'hasSpotChecks'>,
	{ body, traceId, route, isSpotCheck }: DecisionResult,
): IDataObject {
	const { model } = body as UnknownFields<DecisionResponse>;
	const [inputTokens, outputTokens] = tokensOf(body);
	return {
		...(isRouted ? { route } : {}),
		...(hasSpotChecks ? { spot_check: isSpotCheck } : {}),
		...(includeMetadata
			? {
					model: typeof model === 'string' ? model : null,
					input_tokens: inputTokens,
					output_tokens: outputTokens,
					trace_id: traceId,
				}
			: {}),
	};
}

const NO_RESULT: DecisionResult = {
	body: {},
	answers: [],
	traceId: null,
	route: undefined,
	isSpotCheck: false,
};

/** Holds the names of all columns that belong to no question. Neither Output Field nor the IDs of questions change them. */
const NODE_COLUMNS: ReadonlySet<string> = new Set(
	Object.keys(nodeColumns({ includeMetadata: true, isRouted: true, hasSpotChecks: true }, NO_RESULT)),
);

/**
 * Returns how to keep input fields that have the names of answers, apart from renaming them. It returns undefined if one of them
 * is a column of the node, for which only that helps.
 */
export function keepBothAdvice(names: string[], { parameters }: RunContext): string | undefined {
	if (names.some((name) => NODE_COLUMNS.has(name))) return undefined;
	// With Output Field, that is the only field that answers replace.
	return parameters.stored(decisionOptions.outputField)
		? "choose another name in the option 'Output Field'"
		: "set the option 'Output Field', give the question another ID";
}

/** Returns the names of the columns of answers, which may stand in Output Field. */
export function answerNames({ questions, includeProbabilities }: ColumnRules): string[] {
	return questions.flatMap((question) =>
		question.columnsOf(undefined, includeProbabilities).map(([name]) => name),
	);
}

/** Returns the simplified output of an item. */
export function columnsOf(rules: ColumnRules, decision: DecisionResult): IDataObject {
	const { questions, outputField, includeProbabilities } = rules;
	const columns = Object.fromEntries(
		questions.flatMap((question, index) => question.columnsOf(decision.answers[index], includeProbabilities)),
	);
	return Object.assign(
		outputField === '' ? columns : { [outputField]: columns },
		nodeColumns(rules, decision),
	);
}

/**
 * Checks the names of all columns before anything is sent, because answers would overwrite each other.
 * @throws ParameterError if two columns have the same name, or if n8n gives a column's name another meaning
 */
export function checkColumns(rules: ColumnRules): void {
	const { questions, outputField, includeProbabilities } = rules;
	const taken = new Map([
		['error', 'which n8n would treat as a failed item'],
		...Object.keys(nodeColumns(rules, NO_RESULT)).map(
			(name) => [name, 'which the node adds itself'] as const,
		),
	]);
	const problem = taken.get(composed(outputField));
	if (problem) {
		throw new ParameterError(
			subjectOf(decisionOptions.outputField),
			`must not be "${outputField}", ${problem}`,
		);
	}
	const used = new Map(outputField === '' ? taken : []);
	for (const question of questions) {
		for (const [name] of question.columnsOf(undefined, includeProbabilities)) {
			const other = used.get(composed(name));
			if (other) throw questionError(question.id, `has the output column "${name}", ${other}`);
			used.set(composed(name), `as question "${question.id}" does`);
		}
	}
}

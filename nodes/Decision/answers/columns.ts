import type { IDataObject } from 'n8n-workflow';

import { named } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { levelIndex, YES_AT_LEAST, type Answer } from './answers';
import { outputField } from '../decisionOptions';
import { questionError, type Question } from '../questions/questions';

export const METADATA_COLUMNS = ['model', 'input_tokens', 'output_tokens', 'trace_id'] as const;

/** The columns of the simplified output, except those of metadata and of the route. */
export interface Columns {
	/** @param answers in the order of the questions, undefined for one that cannot be used */
	valuesOf(answers: Array<Answer | undefined>): IDataObject;
}

export interface ColumnRules {
	questions: Question[];
	/** A field to put them under; at the top level when it is empty. */
	underField: string;
	withProbabilities: boolean;
	withMetadata: boolean;
	isRouted: boolean;
	isSpotChecked: boolean;
}

/**
 * The columns of these questions. They depend on the questions alone, never on the answers, so that all rows have the same columns.
 * @throws ParameterError for two columns of one name, and for a name that has another meaning in n8n
 */
export function columnsOf(rules: ColumnRules): Columns {
	const { questions, underField, withProbabilities } = rules;
	const taken = takenColumns(rules);
	const names = questions.map((question) => namesOf(question, withProbabilities));
	checkNames(questions, names, underField === '' ? taken : new Map());
	const problem = taken.get(underField);
	if (problem) throw new ParameterError(named(outputField), `must not be "${underField}", ${problem}`);
	return {
		valuesOf: (answers) => {
			const entries: Array<[string, IDataObject[string]]> = [];
			questions.forEach((question, index) => {
				const values = valuesOf(question, answers[index]);
				names[index]!.forEach((name, position) => entries.push([name, values[position] ?? null]));
			});
			const columns = Object.fromEntries(entries);
			return underField === '' ? columns : Object.fromEntries([[underField, columns]]);
		},
	};
}

/** Top-level columns that are reserved for other things than questions, each with the reason. */
function takenColumns({ withMetadata, isRouted, isSpotChecked }: ColumnRules): ReadonlyMap<string, string> {
	return new Map([
		['error', 'which n8n would take for a failed item'],
		...(withMetadata ? METADATA_COLUMNS.map((column) => [column, 'which has metadata'] as const) : []),
		...(isRouted ? [['route', 'which has the label of the output taken'] as const] : []),
		...(isSpotChecked ? [['spot_check', 'which says whether the item is a spot check'] as const] : []),
	]);
}

function namesOf({ id, type }: Question, withProbabilities: boolean): string[] {
	if (type === 'noul') return [id, `${id}_yes`];
	return [
		...(type === 'choice' ? [id, `${id}_confidence`] : [id, `${id}_level`, `${id}_confidence`]),
		...(withProbabilities ? [`${id}_probabilities`] : []),
	];
}

/** The values of a question's columns, in their order; none for an answer that cannot be used. */
function valuesOf(question: Question, answer: Answer | undefined): Array<IDataObject[string]> {
	if (!answer) return [];
	if (answer.type === 'noul') return [answer.noul, answer.noul >= YES_AT_LEAST];
	const { confidence, probabilities } = answer;
	return answer.type === 'choice'
		? [answer.choice, confidence, probabilities]
		: [answer.score, question.labels[levelIndex(answer.score)]!, confidence, probabilities];
}

function checkNames(questions: Question[], names: string[][], taken: ReadonlyMap<string, string>): void {
	const idOf = new Map<string, string>();
	questions.forEach(({ id }, index) => {
		for (const name of names[index]!) {
			const other = idOf.get(name);
			const problem = other === undefined ? taken.get(name) : `as question "${other}" does`;
			if (problem) throw questionError(id, `has the output column "${name}", ${problem}`);
			idOf.set(name, id);
		}
	});
}

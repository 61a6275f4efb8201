import type { IDataObject } from 'n8n-workflow';

import type { UnknownFields } from '../../../client/response/records';
import type { DecisionResponse } from '../../../contract/types';
import { named } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { tokensOf } from '../../shared/service/tokensOf';
import { outputField } from '../decisionOptions';
import { questionError, type Question } from '../questions/Question';
import type { Answer } from './Answer';

/** What the simplified output of an item contains. */
export interface ColumnRules {
	questions: Question[];
	/** A field to put the answers under; empty for the top level. */
	underField: string;
	withProbabilities: boolean;
	withMetadata: boolean;
	isRouted: boolean;
	isSpotChecked: boolean;
}

/** What has become of an item. */
export interface Decided {
	/** The response as it came. */
	body: object;
	/** In the order of the questions, undefined for one that cannot be used. */
	answers: Array<Answer | undefined>;
	traceId: string | null;
	/** The label of its output, or for a spot check of the one that it would have taken; undefined if there is only one. */
	route: string | undefined;
	/** Whether it goes to a person as a spot check. */
	isChecked: boolean;
}

type Column = [name: string, value: IDataObject[string]];

/** The columns of a question. They do not depend on the answer: without a usable one, each is null. */
function answerColumns(
	{ id, type }: Question,
	answer: Answer | undefined,
	withProbabilities: boolean,
): Column[] {
	const { label = null, number = null, confidence = null, probabilities = null } = answer ?? {};
	const certainty: Column[] = [
		[`${id}_confidence`, confidence],
		...(withProbabilities ? [[`${id}_probabilities`, probabilities] satisfies Column] : []),
	];
	switch (type) {
		case 'noul':
			return [
				[id, number],
				[`${id}_yes`, answer ? label === 'yes' : null],
			];
		case 'choice':
			return [[id, label], ...certainty];
		case 'score':
			return [[id, number], [`${id}_level`, label], ...certainty];
	}
}

/** The columns besides those of the questions, always at the top level. */
function ownColumns(
	{ withMetadata, isRouted, isSpotChecked }: ColumnRules,
	{ body, traceId, route, isChecked }: Decided,
): IDataObject {
	const { model } = body as UnknownFields<DecisionResponse>;
	const [inputTokens, outputTokens] = tokensOf(body);
	return {
		...(isRouted ? { route } : {}),
		...(isSpotChecked ? { spot_check: isChecked } : {}),
		...(withMetadata
			? {
					model: typeof model === 'string' ? model : null,
					input_tokens: inputTokens,
					output_tokens: outputTokens,
					trace_id: traceId,
				}
			: {}),
	};
}

/** The simplified output of an item. */
export function columnsOf(rules: ColumnRules, decided: Decided): IDataObject {
	const { questions, underField, withProbabilities } = rules;
	const columns = Object.fromEntries(
		questions.flatMap((question, index) =>
			answerColumns(question, decided.answers[index], withProbabilities),
		),
	);
	return Object.assign(underField === '' ? columns : { [underField]: columns }, ownColumns(rules, decided));
}

/** @throws ParameterError for two columns of one name, and for a name that has another meaning in n8n */
export function checkColumns(rules: ColumnRules): void {
	const { questions, underField, withProbabilities } = rules;
	const nothing = { body: {}, answers: [], traceId: null, route: undefined, isChecked: false };
	const taken = new Map([
		['error', 'which n8n would treat as a failed item'],
		...Object.keys(ownColumns(rules, nothing)).map((name) => [name, 'which the node adds itself'] as const),
	]);
	const problem = taken.get(underField);
	if (problem) throw new ParameterError(named(outputField), `must not be "${underField}", ${problem}`);
	const used = new Map(underField === '' ? taken : []);
	for (const question of questions) {
		for (const [name] of answerColumns(question, undefined, withProbabilities)) {
			const other = used.get(name);
			if (other) throw questionError(question.id, `has the output column "${name}", ${other}`);
			used.set(name, `as question "${question.id}" does`);
		}
	}
}

import type { IDataObject } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { CallResult } from '../../client/ServiceClient';
import type { DecisionRequest } from '../../contract/types';
import type { ItemContext } from '../shared/run/ItemContext';
import { memoizeLast } from '../shared/fields/once';
import type { ItemResult } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { sumKnown } from '../shared/text/sumKnown';
import { readDecision, readUsableDecision, type Answer, type Decision } from './answers';
import { columnsOf, METADATA_COLUMNS, type Columns } from './columns';
import { includeMetadata, includeProbabilities, model, outputField } from './decisionOptions';
import { toWire, type Question } from './questions';
import type { RouteBy } from './routing';
import { readState } from './state';
import { answerTally } from './summarizeDecisions';
import { traceHeaders } from './traceHeaders';

/**
 * Has the service answer the questions for an item.
 * @param routeBy where the item has several ways to go; then an answer that cannot be used is no error
 * @throws ParameterError for options that do not go together, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemContext,
	questions: Question[],
	routeBy?: RouteBy,
): Promise<ItemResult> {
	const columns = item.read(simplify) ? readColumns(item, questions, routeBy !== undefined) : undefined;
	const { result, traceId = null } = await requestDecision(
		item,
		questions,
		routeBy ? readDecision : readUsableDecision,
	);
	const { body, decision } = result;
	const { answers } = decision;
	const route = routeBy?.(answers);
	item.execution.countTokens(decision.inputTokens, decision.outputTokens);
	item.execution.once(answerTally).add(questions, answers, route?.label);
	return {
		json: columns
			? {
					...columns.valuesOf(answers),
					...(route ? { route: route.label } : {}),
					...(item.read(includeMetadata) ? metadataOf(decision, traceId) : {}),
				}
			: { ...(body as IDataObject), trace_id: traceId },
		output: route?.output,
	};
}

function readColumns(item: ItemContext, questions: Question[], isRouted: boolean): Columns {
	const columns = item.execution.once(memoizedColumns);
	return columns(
		questions,
		item.read(outputField),
		item.read(includeProbabilities),
		item.read(includeMetadata),
		isRouted,
	);
}

function memoizedColumns() {
	return memoizeLast(
		(
			questions: Question[],
			underField: string,
			withProbabilities: boolean,
			withMetadata: boolean,
			isRouted: boolean,
		) =>
			columnsOf(questions, {
				underField,
				withProbabilities,
				taken: new Map([
					['error', 'which n8n would take for a failed item'],
					...(withMetadata ? METADATA_COLUMNS.map((column) => [column, 'which has metadata'] as const) : []),
					...(isRouted ? [['route', 'which has the label of the output taken'] as const] : []),
				]),
			}),
	);
}

function requestDecision(
	item: ItemContext,
	questions: Question[],
	read: (body: unknown, questions: Question[]) => Decision<Answer | undefined>,
): Promise<CallResult<{ body: unknown; decision: Decision<Answer | undefined> }>> {
	return item.call({
		method: 'POST',
		path: '/systemone',
		headers: traceHeaders(item),
		json: {
			model: item.read(model),
			state: readState(item),
			questions: toWire(questions),
		} satisfies Record<keyof DecisionRequest, unknown>,
		decode: async (response) => {
			const body = await decodeJson(response);
			return { body, decision: read(body, questions) };
		},
		tokensOf: ({ decision: { inputTokens, outputTokens } }) =>
			sumKnown([inputTokens, outputTokens]) ?? undefined,
		repeat: 'always',
	});
}

function metadataOf(
	{ model: name, inputTokens, outputTokens }: Decision<unknown>,
	traceId: string | null,
): Record<(typeof METADATA_COLUMNS)[number], IDataObject[string]> {
	return { model: name, input_tokens: inputTokens, output_tokens: outputTokens, trace_id: traceId };
}

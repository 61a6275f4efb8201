import type { IDataObject } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { DecisionRequest } from '../../contract/types';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { sumKnown } from '../shared/text/sumKnown';
import { readDecision, readUsableDecision, tokensOf, type Decision } from './answers/answers';
import type { METADATA_COLUMNS } from './answers/columns';
import {
	includeMetadata,
	includeProbabilities,
	model,
	outputField,
	traceId,
	traceparent,
} from './decisionOptions';
import type { DecisionState } from './DecisionState';
import { toWire, type Question } from './questions/questions';
import { UNCERTAIN, type Routing } from './routing/routing';
import { isSpotChecked, spotCheck } from './routing/spotCheck';
import { readState } from './state/state';
import { traceHeaders } from './traceHeaders';

/**
 * Lets the service answer the questions for an item.
 * @param routing if the item has several possible outputs; an answer that cannot be used is then not an error
 * @throws ParameterError for options that contradict each other, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemContext,
	state: DecisionState,
	questions: Question[],
	routing?: Routing,
): Promise<ItemResult> {
	const withMetadata = item.read(includeMetadata);
	const spotCheckPercent = routing ? item.read(spotCheck) : 0;
	const columns = item.read(simplify)
		? state.columnsOf({
				questions,
				underField: item.read(outputField),
				withProbabilities: item.read(includeProbabilities),
				withMetadata,
				isRouted: routing !== undefined,
				isSpotChecked: spotCheckPercent > 0,
			})
		: undefined;
	const read = routing ? readDecision : readUsableDecision;
	const sent = {
		model: item.read(model),
		state: readState(item, state.missingFields),
		questions: toWire(questions),
	} satisfies Record<keyof DecisionRequest, unknown>;
	const readBody = (body: unknown) => ({ body, decision: read(body, questions) });
	const { result, traceId: answeredAs = null } = await item.call({
		method: 'POST',
		path: '/systemone',
		headers: traceHeaders(item),
		json: sent,
		decode: async (response) => {
			const body = await decodeJson(response);
			item.countTokens(...tokensOf(body));
			return readBody(body);
		},
		reuse: {
			bodyOf: ({ body }) => body,
			read: readBody,
			mayKeep: ({ decision }) => decision.answers.every((answer) => answer !== undefined),
			isTraced: item.read(traceId) !== '' || item.read(traceparent) !== '',
		},
		tokensOf: ({ decision: { inputTokens, outputTokens } }) =>
			sumKnown([inputTokens, outputTokens]) ?? undefined,
		repeat: 'always',
		effect: 'bill',
	});
	const { body, decision } = result;
	const { answers } = decision;
	const route = routing?.routeBy(answers);
	const isChecked = route !== undefined && route !== UNCERTAIN && isSpotChecked(sent, spotCheckPercent);
	const taken = isChecked ? UNCERTAIN : route;
	state.tally.add(questions, answers, { output: taken?.label, isChecked, routing });
	if (!columns) return { json: { ...(body as object), trace_id: answeredAs }, output: taken?.output };
	return {
		json: {
			...columns.valuesOf(answers),
			...(route ? { route: route.label } : {}),
			...(spotCheckPercent > 0 ? { spot_check: isChecked } : {}),
			...(withMetadata ? metadataOf(decision, answeredAs) : {}),
		},
		output: taken?.output,
	};
}

function metadataOf(
	{ model: name, inputTokens, outputTokens }: Decision<unknown>,
	traceId: string | null,
): Record<(typeof METADATA_COLUMNS)[number], IDataObject[string]> {
	return { model: name, input_tokens: inputTokens, output_tokens: outputTokens, trace_id: traceId };
}

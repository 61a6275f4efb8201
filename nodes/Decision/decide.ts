import type { IDataObject } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { DecisionRequest } from '../../contract/types';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { readDecision, readUsableDecision, tokensOf, type Answer, type Decision } from './answers/answers';
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
	const given = await readState(item, state);
	if ('lack' in given && !routing) throw given.lack;
	const outcome =
		'lack' in given ? nothingSent(questions) : await ask(item, given.state, questions, routing !== undefined);
	const { answers } = outcome.decision;
	const route = routing?.routeBy(answers);
	const isChecked =
		route !== undefined && route !== UNCERTAIN && isSpotChecked(outcome.sent, spotCheckPercent);
	const taken = isChecked ? UNCERTAIN : route;
	if ('lack' in given) state.tally.addEmpty();
	else state.tally.add(questions, answers, { output: taken?.label, isChecked, routing });
	if (!columns) {
		return { json: { ...(outcome.body as object), trace_id: outcome.traceId }, output: taken?.output };
	}
	return {
		json: {
			...columns.valuesOf(answers),
			...(route ? { route: route.label } : {}),
			...(spotCheckPercent > 0 ? { spot_check: isChecked } : {}),
			...(withMetadata ? metadataOf(outcome) : {}),
		},
		output: taken?.output,
	};
}

/** What came of an item. */
interface Outcome {
	sent: object;
	/** The service's body. */
	body: unknown;
	decision: Decision<Answer | undefined>;
	traceId: string | null;
}

/** @param isRouted whether an answer that cannot be used is no error */
async function ask(
	item: ItemContext,
	given: unknown,
	questions: Question[],
	isRouted: boolean,
): Promise<Outcome> {
	const read = isRouted ? readDecision : readUsableDecision;
	const sent = {
		model: item.read(model),
		state: given,
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
		repeat: 'always',
		effect: 'bill',
	});
	return { sent, traceId: answeredAs, ...result };
}

/** An item with nothing to judge has the columns of one whose answers are all missing. */
function nothingSent(questions: Question[]): Outcome {
	const answers = questions.map(() => undefined);
	const decision = { answers, model: null, inputTokens: null, outputTokens: null };
	return { sent: {}, body: {}, decision, traceId: null };
}

function metadataOf({
	decision: { model: name, inputTokens, outputTokens },
	traceId: answeredAs,
}: Outcome): Record<(typeof METADATA_COLUMNS)[number], IDataObject[string]> {
	return { model: name, input_tokens: inputTokens, output_tokens: outputTokens, trace_id: answeredAs };
}

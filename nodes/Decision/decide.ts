import type { IDataObject } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { ServiceRequest } from '../../client/ServiceClient';
import type { DecisionRequest } from '../../contract/types';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';
import { readDecision, readUsableDecision, tokensOf, type Answer, type Decision } from './answers/answers';
import { columnsOf, type METADATA_COLUMNS } from './answers/columns';
import {
	includeMetadata,
	includeProbabilities,
	model,
	outputField,
	traceHeaders,
	traceId,
	traceparent,
} from './decisionOptions';
import type { DecisionRun } from './DecisionRun';
import { toWire, type Question } from './questions/questions';
import { UNCERTAIN, type Routing } from './routing/routing';
import { isSpotChecked, spotCheck } from './routing/spotCheck';
import { readState } from './state/state';

/** What the service said about an item, and what it means. */
interface Judgement {
	body: unknown;
	decision: Decision<Answer | undefined>;
}

/**
 * Lets the service answer the questions for an item.
 * @param routing if the item has several possible outputs; an answer that cannot be used is then not an error
 * @throws ParameterError for options that contradict each other, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemContext,
	run: DecisionRun,
	questions: Question[],
	routing?: Routing,
): Promise<ItemResult> {
	const withMetadata = item.read(includeMetadata);
	const spotCheckPercent = routing ? item.read(spotCheck) : 0;
	const columns = item.read(simplify)
		? columnsOf({
				questions,
				underField: item.read(outputField),
				withProbabilities: item.read(includeProbabilities),
				withMetadata,
				isRouted: routing !== undefined,
				isSpotChecked: spotCheckPercent > 0,
			})
		: undefined;
	const given = await readState(item, run);
	if ('lack' in given && !routing) throw given.lack;
	const sent = {
		model: item.read(model),
		state: 'lack' in given ? undefined : given.state,
		questions: toWire(questions),
	} satisfies Record<keyof DecisionRequest, unknown>;
	const read = routing ? readDecision : readUsableDecision;
	const answered =
		'lack' in given
			? { result: nothingJudged(questions) }
			: await item.call(requestOf(item, sent, (body) => ({ body, decision: read(body, questions) })));
	const { body, decision } = answered.result;
	const { answers } = decision;
	const route = routing?.routeBy(answers);
	const isChecked = route !== undefined && route !== UNCERTAIN && isSpotChecked(sent, spotCheckPercent);
	const taken = isChecked ? UNCERTAIN : route;
	if ('lack' in given) run.tally.addEmpty();
	else run.tally.add(questions, answers, { output: taken?.label, isChecked, routing });
	const { traceId: answeredAs = null } = answered;
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

function requestOf(
	item: ItemContext,
	json: object,
	read: (body: unknown) => Judgement,
): ServiceRequest<Judgement> {
	return {
		method: 'POST',
		path: '/systemone',
		headers: traceHeaders(item),
		json,
		decode: async (response) => {
			const body = await decodeJson(response);
			item.countTokens(...tokensOf(body));
			return read(body);
		},
		reuse: {
			bodyOf: ({ body }) => body,
			read,
			mayKeep: ({ decision }) => decision.answers.every((answer) => answer !== undefined),
			isTraced: item.read(traceId) !== '' || item.read(traceparent) !== '',
		},
		repeat: 'always',
		effect: 'bill',
	};
}

/** An item with nothing to judge has the columns of one whose answers are all missing. */
function nothingJudged(questions: Question[]): Judgement {
	const answers = questions.map(() => undefined);
	return { body: {}, decision: { answers, model: null, inputTokens: null, outputTokens: null } };
}

function metadataOf(
	{ model: name, inputTokens, outputTokens }: Decision<unknown>,
	answeredAs: string | null,
): Record<(typeof METADATA_COLUMNS)[number], IDataObject[string]> {
	return { model: name, input_tokens: inputTokens, output_tokens: outputTokens, trace_id: answeredAs };
}

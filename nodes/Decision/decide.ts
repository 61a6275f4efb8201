import { decodeJson } from '../../client/response/decodeJson';
import { isRecord } from '../../client/values/records';
import type { ServiceRequest } from '../../client/ServiceClient';
import type { DecisionRequest } from '../../contract/types';
import type { ValuesOf } from '../shared/fields/Field';
import { tokensOf } from '../shared/service/tokensOf';
import { present } from '../shared/values/present';
import type { ItemContext } from '../shared/context/ItemContext';
import type { ItemResult } from '../shared/node/Operation';
import type { Answer } from './answers/Answer';
import { readAnswers } from './answers/readAnswers';
import {
	answerNames,
	checkColumns,
	columnsOf,
	type ColumnRules,
	type DecisionResult,
} from './answers/columns';
import type { decisionOptions } from './decisionOptions';
import type { DecisionRun } from './DecisionRun';
import { toWire, type Question } from './questions/Question';
import { UNCERTAIN, type Routing } from './routing/routing';
import { isSpotChecked } from './routing/spotCheck';
import { readState, sendsWholeItem, sentFieldsOf, stateFields } from './state/state';
import { traceHeaders } from './traceHeaders';

/** Describes the values of the fields that both `ask` and `route` have. */
type DecisionValues = ValuesOf<typeof stateFields & typeof decisionOptions> & { simplify: boolean };

/**
 * Asks the service the questions about an item, and makes the output item.
 * @param routing how the answers choose the output. With it, an answer that cannot be used is not an error. Undefined if the node
 * has only one output.
 * @throws ParameterError for options that contradict each other, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemContext,
	decisions: DecisionRun,
	values: DecisionValues,
	questions: Question[],
	{ routing, spotCheckPercent = 0 }: { routing?: Routing; spotCheckPercent?: number } = {},
): Promise<ItemResult | ItemResult[]> {
	const rules: ColumnRules | undefined = values.simplify
		? {
				questions,
				outputField: values.outputField ?? '',
				includeProbabilities: values.includeProbabilities === true,
				includeMetadata: values.includeMetadata === true,
				isRouted: routing !== undefined,
				hasSpotChecks: spotCheckPercent > 0,
			}
		: undefined;
	const names = rules ? answerNames(rules) : [];
	if (rules) {
		checkColumns(rules);
		const nodeNames = present([rules.outputField !== '' && rules.outputField, routing && 'route']);
		item.run.replacedFields.noteColumns([...names, ...nodeNames]);
	}
	const resultOf = (decision: DecisionResult, output?: number): ItemResult => ({
		json: rules ? columnsOf(rules, decision) : rawOutput(decision, spotCheckPercent > 0),
		output,
	});

	const stateResult = await readState(item, values, decisions.states);
	if (stateResult.emptyError) {
		if (!routing) throw stateResult.emptyError;
		decisions.addEmpty();
		const route = routing.columnOf([UNCERTAIN]);
		const emptyResult = { body: {}, answers: [], traceId: null, route, isSpotCheck: false };
		return resultOf(emptyResult, UNCERTAIN.output);
	}
	const body = {
		model: values.model,
		state: stateResult.state,
		questions: toWire(questions),
	} satisfies Record<keyof DecisionRequest, unknown>;
	const { state } = stateResult;
	const fields = sentFieldsOf(item, values, state);
	const isWhole = sendsWholeItem(item, values);
	const sent = fields ?? state;
	decisions.states.noteSent(item, sent, values.source === 'item' ? undefined : stateFields[values.source]);
	if (fields) decisions.states.noteSentFields(item, fields, names, rules?.outputField);
	if (fields && isWhole) decisions.states.noteNameOfFile(item, fields);
	else if (typeof sent === 'string') decisions.states.noteNameOfFile(item, { Text: sent.trim() });
	const called = await item.call(requestOf(item, values, body, questions, routing !== undefined));
	const answers = called.result;
	decisions.answers.add(questions, answers);
	decisions.states.noteError(sent, item.input.json, isWhole);
	if (fields) decisions.states.noteOnlyList(fields, isWhole, item.run.items.length === 1);
	if (isRecord(sent)) decisions.sentOptions.add(sent, names, questions, answers);
	const decision = { body: called.body as object, answers, traceId: called.traceId ?? null };
	if (!routing) return resultOf({ ...decision, route: undefined, isSpotCheck: false });

	const routes = routing.routesOf(answers);
	const isSpotCheck = !routes.includes(UNCERTAIN) && isSpotChecked(body, spotCheckPercent);
	if (isSpotCheck) decisions.routes.addSpotCheck();
	else decisions.routes.add(answers, routes, routing);
	const route = routing.columnOf(routes);
	// Each output gets a copy of its own, because a later node may change it.
	return (isSpotCheck ? [UNCERTAIN] : routes).map(({ output }) =>
		resultOf({ ...decision, route, isSpotCheck }, output),
	);
}

function rawOutput({ body, traceId, isSpotCheck }: DecisionResult, hasSpotChecks: boolean): object {
	return { ...body, trace_id: traceId, ...(hasSpotChecks ? { spot_check: isSpotCheck } : {}) };
}

function requestOf(
	item: ItemContext,
	values: DecisionValues,
	json: object,
	questions: Question[],
	mayBeUnusable: boolean,
): ServiceRequest<Array<Answer | undefined>> {
	return {
		method: 'POST',
		path: '/systemone',
		headers: traceHeaders(item, values),
		json,
		decode: async (response) => {
			const body = await decodeJson(response);
			if (isRecord(body) && (body.answers ?? body.usage) !== undefined) item.countTokens(...tokensOf(body));
			return body;
		},
		read: (body) => readAnswers(body, questions, mayBeUnusable),
		reuse: {
			mayKeep: (answers) => answers.every((answer) => answer !== undefined),
			isTraced: values.traceId !== '' || values.traceparent !== '',
		},
		repeat: 'always',
		effect: 'bill',
	};
}

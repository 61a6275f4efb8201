import { decodeJson } from '../../client/response/decodeJson';
import { isRecord } from '../../client/response/records';
import type { ServiceRequest } from '../../client/ServiceClient';
import type { DecisionRequest } from '../../contract/types';
import type { ValuesOf } from '../shared/fields/Field';
import { tokensOf } from '../shared/service/tokensOf';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult } from '../shared/run/Operation';
import { readAnswers } from './answers/Answer';
import { checkColumns, columnsOf, type ColumnRules, type Decided } from './answers/columns';
import { traceHeaders, type decisionOptions } from './decisionOptions';
import type { DecisionRun } from './DecisionRun';
import { toWire, type Question } from './questions/Question';
import { UNCERTAIN, type Routing } from './routing/routing';
import { isSpotChecked } from './routing/spotCheck';
import { readState, type stateFields } from './state/state';

/** A response, and the answers in it. */
type Answered = Pick<Decided, 'body' | 'answers'>;

/** The values of the fields that every decision has. */
type Values = ValuesOf<typeof stateFields & typeof decisionOptions> & { simplify: boolean };

/** How the item's output is chosen. */
interface RouteRules {
	routing: Routing;
	spotCheckPercent: number;
}

/**
 * Lets the service answer the questions for an item.
 * @param route if the item has several possible outputs; an answer that cannot be used is then not an error
 * @throws ParameterError for options that contradict each other, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemContext,
	run: DecisionRun,
	values: Values,
	questions: Question[],
	{ routing, spotCheckPercent = 0 }: Partial<RouteRules> = {},
): Promise<ItemResult> {
	const rules: ColumnRules | undefined = values.simplify
		? {
				questions,
				underField: values.outputField ?? '',
				withProbabilities: values.includeProbabilities === true,
				withMetadata: values.includeMetadata === true,
				isRouted: routing !== undefined,
				isSpotChecked: spotCheckPercent > 0,
			}
		: undefined;
	if (rules) checkColumns(rules);
	const resultOf = (decided: Decided, output?: number): ItemResult => ({
		json: rules ? columnsOf(rules, decided) : { ...decided.body, trace_id: decided.traceId },
		output,
	});

	const given = await readState(item, values, run);
	if ('lack' in given) {
		if (!routing) throw given.lack;
		item.execution.callPolicy(); // wrong options are an error of every item
		run.empty++;
		run.routes.addEmpty();
		const nothing = { body: {}, answers: [], traceId: null, route: UNCERTAIN.label, isChecked: false };
		return resultOf(nothing, UNCERTAIN.output);
	}
	const body = {
		model: values.model,
		state: given.state,
		questions: toWire(questions),
	} satisfies Record<keyof DecisionRequest, unknown>;
	const called = await item.call(requestOf(item, values, body, questions, routing !== undefined));
	const { answers } = called.result;
	run.answers.add(questions, answers);
	const decided = { ...called.result, traceId: called.traceId ?? null };
	if (!routing) return resultOf({ ...decided, route: undefined, isChecked: false });

	const route = routing.routeOf(answers);
	const isChecked = route !== UNCERTAIN && isSpotChecked(body, spotCheckPercent);
	if (isChecked) run.routes.addSpotCheck();
	else run.routes.add(answers, route, routing);
	const { output } = isChecked ? UNCERTAIN : route;
	return resultOf({ ...decided, route: route.label, isChecked }, output);
}

function requestOf(
	item: ItemContext,
	values: Values,
	json: object,
	questions: Question[],
	mayBeUnusable: boolean,
): ServiceRequest<Answered> {
	const read = (body: unknown): Answered => ({
		body: body as object,
		answers: readAnswers(body, questions, mayBeUnusable),
	});
	return {
		method: 'POST',
		path: '/systemone',
		headers: traceHeaders(item, values),
		json,
		decode: async (response) => {
			const body = await decodeJson(response);
			if (isRecord(body) && (body.answers ?? body.usage) !== undefined) item.countTokens(...tokensOf(body));
			return read(body);
		},
		reuse: {
			bodyOf: ({ body }) => body,
			read,
			mayKeep: ({ answers }) => answers.every((answer) => answer !== undefined),
			isTraced: values.traceId !== '' || values.traceparent !== '',
		},
		repeat: 'always',
		effect: 'bill',
	};
}

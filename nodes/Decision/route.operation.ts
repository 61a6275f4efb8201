import { simplify } from '../shared/fields/sharedFields';
import { operation } from '../shared/node/Operation';
import { decide } from './decide';
import { keepBothAdvice } from './answers/columns';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { readStored } from './editor/storedDecision';
import { typedQuestions } from './questions/typedQuestions';
import { checkFixed } from './routing/checkFixed';
import { routingOf } from './routing/routing';
import { routeQuestion, thresholds } from './routing/routingFields';
import { spotCheck } from './routing/spotCheck';
import { stateFields } from './state/state';

export const route = operation({
	value: 'route',
	name: 'Route',
	description: 'Answer questions about each item and send it to the output for its answer',
	action: 'Route item by answer',
	fields: {
		...stateFields,
		typedQuestions,
		routeQuestion,
		thresholds,
		...decisionOptions,
		spotCheck,
		simplify,
	},
	// An agent gets only the items of a tool's first output.
	notAsTool: true,
	sourceOfLabels: ({ context }) => {
		const { questions, routeQuestion: id } = readStored(context.getNode().parameters);
		const routed = id === '' ? questions[0] : questions.find((question) => question.id === id);
		return JSON.stringify([routed?.id, routed?.storedType]);
	},
	keepBothAdvice,
	begin: (run) => {
		checkFixed(run);
		return new DecisionRun();
	},
	run: async (item, values, decisions) => {
		const { typedQuestions: questions, spotCheck: spotCheckPercent } = values;
		const routing = routingOf(questions, values.routeQuestion, values.thresholds);
		decisions.routes.noteSpotCheck(spotCheckPercent);
		return await decide(item, decisions, values, questions, { routing, spotCheckPercent });
	},
	summarize: (decisions, run) => decisions.describe(run),
});

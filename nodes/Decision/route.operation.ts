import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { typedQuestions } from './questions/questions';
import { checkNothingIsExpression, routeQuestion, routingOf, thresholds } from './routing/routing';
import { spotCheck } from './routing/spotCheck';
import { stateFields } from './state/state';
import { summarizeDecisions } from './answers/summarizeDecisions';

export const route: Operation<DecisionRun> = {
	value: 'route',
	name: 'Route',
	description: 'Answer questions about each item and send it to the output for its answer',
	action: 'Route item by answer',
	fields: [...stateFields, typedQuestions, routeQuestion, thresholds, ...decisionOptions, spotCheck],
	// An agent reads only the first output.
	notAsTool: true,
	begin: (execution) => {
		checkNothingIsExpression(execution);
		return new DecisionRun();
	},
	run: async (item, run) => {
		const questions = item.read(typedQuestions);
		const rules = { questions, id: item.read(routeQuestion), thresholds: item.read(thresholds) };
		return await decide(item, run, questions, routingOf(rules));
	},
	summarize: summarizeDecisions,
};

import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { typedQuestions } from './questions/typedQuestions';
import { checkFixed } from './routing/checkFixed';
import { routingOf } from './routing/routing';
import { routeQuestion, thresholds } from './routing/routingFields';
import { spotCheck } from './routing/spotCheck';
import { stateInputs } from './state/state';

export const route: Operation<DecisionRun> = {
	value: 'route',
	name: 'Route',
	description: 'Answer questions about each item and send it to the output for its answer',
	action: 'Route item by answer',
	fields: [...stateInputs, typedQuestions, routeQuestion, thresholds, ...decisionOptions, spotCheck],
	// An agent reads only the first output.
	notAsTool: true,
	begin: (execution) => {
		checkFixed(execution);
		return new DecisionRun();
	},
	run: async (item, run) => {
		const questions = item.read(typedQuestions);
		const routing = routingOf(questions, item.read(routeQuestion), item.read(thresholds));
		return await decide(item, run, questions, routing);
	},
	summarize: (run, execution) => run.describe(execution),
};

import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { routedQuestions } from './questions';
import { checkNothingIsExpression, readRouting, routeQuestion, thresholds } from './routing';
import { stateFields } from './state';
import { summarizeDecisions } from './summarizeDecisions';

export const route: Operation = {
	value: 'route',
	name: 'Route',
	description: 'Answer questions about each item and send it to the output of the answer',
	action: 'Route item by answer',
	fields: [...stateFields, routedQuestions, routeQuestion, thresholds, ...decisionOptions],
	// An agent reads the first output only.
	notAsTool: true,
	summarize: summarizeDecisions,
	run: async (item) => {
		item.execution.once(checkNothingIsExpression);
		const questions = item.read(routedQuestions);
		return await decide(item, questions, readRouting(item, questions));
	},
};

import type { Operation } from '../shared/Operation';
import { decide, decisionOptions } from './decide';
import { routedQuestionsBuilder } from './questionFields';
import { readQuestionsOfFields } from './questions';
import { checkNothingIsExpression, readRouting, routingFields } from './routing';
import { stateFields } from './state';

export const route: Operation = {
	value: 'route',
	name: 'Route',
	description: 'Answer questions about each item and send it to the output of the answer',
	action: 'Route item by answer',
	fields: [...stateFields, routedQuestionsBuilder, ...routingFields],
	optionFields: decisionOptions,
	// An agent reads the first output only.
	notAsTool: true,
	run: async (item) => {
		checkNothingIsExpression(item);
		const questions = readQuestionsOfFields(item);
		return await decide(item, questions, readRouting(item, questions));
	},
};

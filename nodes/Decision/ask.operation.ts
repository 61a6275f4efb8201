import type { Operation } from '../shared/Operation';
import { decide, decisionOptions } from './decide';
import { questionsBuilder, questionsJson, questionsSource } from './questionFields';
import { readQuestions } from './questions';
import { stateFields } from './state';

export const ask: Operation = {
	value: 'ask',
	name: 'Answer Questions',
	description: 'Answer questions about each item and add the answers to it',
	action: 'Ask questions about item',
	fields: [...stateFields, questionsSource, questionsBuilder, questionsJson],
	optionFields: decisionOptions,
	run: async (item) => await decide(item, readQuestions(item)),
};

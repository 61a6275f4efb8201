import { readIf } from '../shared/fields/Field';
import { simplify } from '../shared/fields/sharedFields';
import { operation } from '../shared/node/Operation';
import { decide } from './decide';
import { keepBothAdvice } from './answers/columns';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { toolDescription } from './editor/toolDescription';
import { questionsJson, questionsSource } from './questions/questionsJson';
import { typedQuestions } from './questions/typedQuestions';
import { stateFields } from './state/state';

export const ask = operation({
	value: 'ask',
	name: 'Answer Questions',
	description: 'Answer questions about each item and add the answers to it',
	action: 'Answer questions about item',
	unread: toolDescription,
	fields: {
		...stateFields,
		questionsSource,
		// 'Route' shows the same property, but has no 'Questions From', so the condition is not in the property.
		typedQuestions: readIf(typedQuestions, [questionsSource, 'fields']),
		questionsJson,
		...decisionOptions,
		simplify,
	},
	keepBothAdvice,
	begin: () => new DecisionRun(),
	run: async (item, values, decisions) =>
		await decide(item, decisions, values, (values.typedQuestions ?? values.questionsJson)!),
	summarize: (decisions, run) => decisions.describe(run),
});

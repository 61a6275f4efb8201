import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { questionsJson, questionsSource, readQuestions, typedQuestions } from './questions';
import { stateFields } from './state';
import { summarizeDecisions } from './summarizeDecisions';
import { toolDescription } from './toolDescription';

export const ask: Operation = {
	value: 'ask',
	name: 'Answer Questions',
	description: 'Answer questions about each item and add the answers to it',
	action: 'Answer questions about item',
	fields: [
		...toolDescription,
		...stateFields,
		questionsSource,
		typedQuestions,
		questionsJson,
		...decisionOptions,
	],
	summarize: summarizeDecisions,
	run: (item) => decide(item, readQuestions(item)),
};

import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { DecisionState } from './DecisionState';
import { questionsJson, questionsSource, readQuestions, typedQuestions } from './questions/questions';
import { stateFields } from './state/state';
import { summarizeDecisions } from './answers/summarizeDecisions';
import { toolDescription } from './editor/toolDescription';

export const ask: Operation<DecisionState> = {
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
	begin: () => new DecisionState(),
	run: (item, state) => decide(item, state, readQuestions(item)),
	summarize: summarizeDecisions,
};

import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { questionsJson, questionsSource, readQuestions, typedQuestions } from './questions/questions';
import { stateFields } from './state/state';
import { summarizeDecisions } from './answers/summarizeDecisions';
import { toolDescription } from './editor/toolDescription';

export const ask: Operation<DecisionRun> = {
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
	begin: () => new DecisionRun(),
	run: (item, run) => decide(item, run, readQuestions(item)),
	summarize: summarizeDecisions,
};

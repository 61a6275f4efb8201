import type { Operation } from '../shared/run/Operation';
import { decide } from './decide';
import { decisionOptions } from './decisionOptions';
import { DecisionRun } from './DecisionRun';
import { toolDescription } from './editor/toolDescription';
import { questionsJson, questionsSource } from './questions/questionsJson';
import { typedQuestions } from './questions/typedQuestions';
import { stateInputs } from './state/state';

export const ask: Operation<DecisionRun> = {
	value: 'ask',
	name: 'Answer Questions',
	description: 'Answer questions about each item and add the answers to it',
	action: 'Answer questions about item',
	fields: [
		...toolDescription,
		...stateInputs,
		questionsSource,
		typedQuestions,
		questionsJson,
		...decisionOptions,
	],
	begin: () => new DecisionRun(),
	run: async (item, run) => {
		const source = item.read(questionsSource) === 'json' ? questionsJson : typedQuestions;
		return await decide(item, run, item.read(source));
	},
	summarize: (run, execution) => run.describe(execution),
};

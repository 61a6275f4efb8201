import type { Answer, DecisionRequest, DecisionResponse } from '../contract/types';
import { choiceAnswer, noulAnswer, scoreAnswer } from './answers';

/** Answers the questions of a valid decision request. */
export type Decider = (
	request: Pick<DecisionRequest, 'state' | 'questions'>,
) => Promise<DecisionResponse['answers']>;

/** Describes an option of a choice. A level of a score has only a description. */
export type Option = readonly [name: string, description: string];

export interface Judge {
	/** Returns the relative weights of the options, of which at least one is not 0. */
	weigh(options: readonly Option[]): number[] | Promise<number[]>;
	/** Returns the probability that the answer to a question is yes. */
	affirm(question: string): number | Promise<number>;
}

export function deciderOf(read: (text: string) => Judge | Promise<Judge>): Decider {
	return async ({ state, questions }) => {
		const judge = await read(textIn(state));
		const answers = Object.entries(questions).map(async ([id, question]): Promise<[string, Answer]> => {
			switch (question.type) {
				case 'noul':
					return [id, noulAnswer(await judge.affirm(question.instructions))];
				case 'choice': {
					const options = Object.entries(question.criteria);
					return [id, choiceAnswer(Object.keys(question.criteria), await judge.weigh(options))];
				}
				case 'score': {
					const options = question.criteria.map((level): Option => ['', level]);
					return [id, scoreAnswer(question.criteria, await judge.weigh(options))];
				}
			}
		});
		return Object.fromEntries(await Promise.all(answers));
	};
}

/** Returns all strings in a JSON value (without the names of fields), one per line. */
function textIn(value: unknown): string {
	if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
	return value === null || value === undefined ? '' : String(value);
}

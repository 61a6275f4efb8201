import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';

/** An evaluation of a choice has these values of the fields. */
export const choice: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'topic',
	expectedField: 'label',
	confidenceField: '',
	ignoreCase: true,
	compareField: '',
};

export const noul: EvaluatedFields = { ...choice, answerType: 'noul', answerField: 'urgent' };

export const tags: EvaluatedFields = { ...choice, answerType: 'tags', answerField: 'topics' };

/** Computations on few rows need no pause. */
export const noPause = () => undefined;

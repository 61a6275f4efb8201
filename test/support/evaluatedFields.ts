import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';

/** An evaluation of a choice has these values of the fields. */
export const choiceFields: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'topic',
	expectedField: 'label',
	confidenceField: '',
	ignoreCase: true,
	compareField: '',
};

export const noulFields: EvaluatedFields = { ...choiceFields, answerType: 'noul', answerField: 'urgent' };

export const tagFields: EvaluatedFields = { ...choiceFields, answerType: 'tags', answerField: 'topics' };

/** Computations on few rows need no pause. */
export const noPause = () => undefined;

import type { EvaluatedFields } from '../../nodes/Decision/evaluation/evaluatedFields';

/** The fields of an evaluation of a choice, as the node reads them. */
export const choice: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'topic',
	expectedField: 'label',
	confidenceField: '',
	ignoreCase: true,
	compareField: '',
};

export const noul: EvaluatedFields = { ...choice, answerType: 'noul', answerField: 'urgent' };

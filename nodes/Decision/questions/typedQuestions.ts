import { sentText } from '../../shared/fields/expressionRules';
import { entriesField, optionsField, orDefault, refine, textField, trimmed } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { isBlank, labelKey } from '../../shared/text/composed';
import { levels } from './levelFields';
import { options } from './optionFields';
import type { Question } from './Question';
import { checkUniqueIds, questionError } from './questionError';
import { questionTypes, typeOf } from './questionTypes';
import { sortableList } from './sortableList';

/** `storedDecision.ts` reads the stored values by these names, for example to compute the outputs. */
const QUESTION_FIELDS = {
	id: trimmed(
		textField({
			displayName: 'ID',
			name: 'id',
			placeholder: 'e.g. urgent',
			description:
				"Names the answer's column. Later nodes use this name, so if you change it, change it there too: n8n does not. The model does not see it.",
		}),
	),
	type: orDefault(
		optionsField({
			displayName: 'Type',
			name: 'type',
			noDataExpression: true,
			// n8n deletes the values of fields that it hides.
			options: questionTypes.map(({ value, name, description }) => ({ value, name, description })),
			default: 'noul',
			description: 'The kind of answer',
		}),
	),
	instructions: sentText({
		displayName: 'Question',
		name: 'instructions',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Is it urgent? (For a choice: Which team?)',
		description: 'What the model should find out. It may refer to fields of the input item by name.',
	}),
	options,
	levels,
};

const entries = entriesField(
	{
		displayName: 'Questions',
		name: 'questions',
		...sortableList('Add Question', 'id'),
		default: { question: [{ id: 'answer', type: 'noul', instructions: '' }] },
		description:
			"What to find out. All questions are answered in one request. With 'Route', one of them chooses the output.",
		displayOptions: { hide: { questionsSource: ['json'] } },
	},
	{
		displayName: 'Question',
		name: 'question',
		fields: QUESTION_FIELDS,
		nameOf: ({ id }, position, { subject }) =>
			['string', 'number'].includes(typeof id) && id !== ''
				? `question "${String(id)}"`
				: `${subject}: question ${position}`,
	},
);

export const typedQuestions = refine(entries, (typed, { subject }): Question[] => {
	if (typed.length === 0) throw new ParameterError(subject, 'must have at least one question');
	const nameless = typed.findIndex(({ id }) => isBlank(id));
	if (nameless !== -1) throw new ParameterError(`${subject}: question ${nameless + 1}`, 'must have an ID');
	checkUniqueIds(typed.map(({ id }) => id));
	const freeId = freeIdsBeside(typed.map(({ id }) => id));
	return typed.map(({ type, ...question }) => {
		if (isBlank(question.instructions)) {
			throw questionError(question.id, 'must not be empty', '"Question" (instructions)');
		}
		return typeOf(type)!.fromFields(question, freeId);
	});
});

/** Returns a function that gives out IDs which are none of these, and none that it gave out before. */
function freeIdsBeside(ids: string[]): (wanted: string) => string {
	const taken = new Set(ids.map(labelKey));
	return (wanted) => {
		let id = wanted;
		for (let count = 2; taken.has(labelKey(id)); count++) id = `${wanted} (${count})`;
		taken.add(labelKey(id));
		return id;
	};
}

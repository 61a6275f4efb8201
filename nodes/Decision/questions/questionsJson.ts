import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../client/values/records';
import { sentJson } from '../../shared/fields/expressionRules';
import { optionsField, orDefault, refine, shownIf, type Field } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import { isBlank } from '../../shared/text/composed';
import type { Question } from './Question';
import { checkUniqueIds, questionError } from './questionError';
import { typeOf } from './questionTypes';

/** The service itself has only these types. */
const JSON_TYPES = 'noul, choice or score';

/**
 * This is a second property of the same name, which is never shown. If a workflow is switched to "Route", the value of "Questions
 * From" may stay behind as "json". That value would hide the questions of the route, and n8n deletes hidden values. But if two
 * properties have the same name, n8n ignores the value while they are hidden.
 */
const NEVER_SHOWN: INodeProperties = {
	displayName: 'Questions From',
	name: 'questionsSource',
	type: 'hidden',
	default: 'fields',
	displayOptions: { show: { '@version': [0] } },
};

const source = orDefault(
	optionsField({
		displayName: 'Questions From',
		name: 'questionsSource',
		noDataExpression: true,
		options: [
			// n8n deletes the values of fields that it hides.
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Questions that you type. Switching clears the JSON.',
			},
			{
				name: 'JSON',
				value: 'json',
				description:
					"Questions in the service's own format. Switching clears the questions in the fields: copy them first.",
			},
		],
		default: 'fields',
		description: 'Where the questions come from',
	}),
);

export const questionsSource: Field<'fields' | 'json'> = {
	...source,
	properties: [...source.properties, NEVER_SHOWN],
};

export const questionsJson = shownIf(
	refine(
		sentJson({
			displayName: 'Questions (JSON)',
			name: 'questionsJson',
			placeholder: 'e.g. { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }',
			description:
				'A map of question IDs to questions, such as { "urgent": { "type": "noul", "instructions": "Is it urgent?" }, "team": { "type": "choice", "instructions": "Which team?", "criteria": { "billing": "Charges, refunds", "other": "Anything else" } } }',
			hint: 'Each question has a type and instructions; choice and score need criteria',
		}),
		(map, { subject }): Question[] => {
			if (map === undefined) throw new ParameterError(subject, 'must not be empty');
			if (!isRecord(map)) {
				throw new ParameterError(subject, 'must be an object whose field names are question IDs');
			}
			const entries = Object.entries(map).map(([id, question]) => [id.trim(), question] as const);
			if (entries.length === 0) throw new ParameterError(subject, 'must have at least one question');
			if (entries.some(([id]) => isBlank(id))) {
				throw new ParameterError(subject, 'must give every question an ID');
			}
			checkUniqueIds(entries.map(([id]) => id));
			return entries.map(([id, question]) => toQuestion(id, question));
		},
	),
	[questionsSource, 'json'],
);

function toQuestion(id: string, fields: unknown): Question {
	if (!isRecord(fields)) throw questionError(id, 'must be an object');
	const fromJson = typeOf(fields.type)?.fromJson;
	if (!fromJson) throw questionError(id, `must be of type ${JSON_TYPES}`);
	if (typeof fields.instructions !== 'string') throw questionError(id, 'must have instructions, as text');
	if (isBlank(fields.instructions)) throw questionError(id, 'must have instructions');
	return fromJson({ id, fields });
}

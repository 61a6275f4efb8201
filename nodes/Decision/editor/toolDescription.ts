import type { Field } from '../../shared/fields/Field';
import { toolDescriptionFields } from '../../shared/node/toolDescriptionFields';
import { expressionOf, type StoredDecision } from './storedDecision';
import type { StoredType } from './storedTypes';

/** An agent reads a tool description that is made from the node's questions, or one that the user has written. */
export const toolDescription: Field[] = toolDescriptionFields(
	{ name: 'From the Questions', value: 'questions', description: 'Lists the questions' },
	{
		text: expressionOf(descriptionOf),
		placeholder: 'e.g. Tells how urgent a message is, and which team it belongs to',
	},
);

/**
 * Returns a description for the agent that lists the questions.
 * n8n evaluates this function's source text, so it must use nothing outside it.
 */
function descriptionOf({ stateSource, isJson, questionsJson, questions, typeOf }: StoredDecision): string {
	const parse = (text: string): object => {
		try {
			return Object(JSON.parse(text)) as object;
		} catch {
			return [];
		}
	};
	const known = (text: unknown): string =>
		typeof text !== 'string' || text.startsWith('=') ? '' : text.trim();
	const lineOf = (id: string, type: StoredType, instructions: unknown, labels: unknown[]): string => {
		const answer = type.describe(labels.map(known).filter((label) => label !== ''));
		return `- ${known(id)} (${answer})${known(instructions) === '' ? '' : `: ${known(instructions)}`}`;
	};
	const lines = isJson
		? Object.entries(parse(questionsJson)).map(([id, given]) => {
				const { type, instructions, criteria } = Object(given) as Record<string, unknown>;
				const labels = Array.isArray(criteria) ? criteria : Object.keys(Object(criteria) as object);
				return lineOf(id, typeOf(type), instructions, labels);
			})
		: questions.map(({ id, type, instructions, entries }) => lineOf(id, type, instructions, entries));
	const given = stateSource === 'json' ? 'data that you give it' : 'text that you give it';
	const subject = stateSource === 'item' ? 'the item that the agent works on' : given;
	const purpose = `Answers questions about ${subject}, quickly and with a probability or a confidence.`;
	return [lines.length === 0 ? purpose : `${purpose} It finds out:`, ...lines].join('\n').slice(0, 1000);
}

import { NodeHelpers } from 'n8n-workflow';

import { field, type Field } from '../shared/fields/Field';
import { expressionOf, type StoredDecision } from './storedDecision';

/**
 * From 2.30 or so on, n8n resolves an expression in a tool's description. Before, the agent would be told the expression itself;
 * there n8n's own parameter stays, whose default is the node's description.
 */
const RESOLVES_EXPRESSIONS = NodeHelpers.getToolDescriptionForNode?.length >= 3;

/**
 * What an agent is told of the tool: its questions, or what a person writes. Empty for hosts that cannot use it. To a node that
 * has these fields, n8n adds none of its own; `auto`, the value of its own, would have it take the node's description.
 */
export const toolDescription: Field[] = RESOLVES_EXPRESSIONS
	? [
			field(
				{
					displayName: 'Tool Description',
					name: 'descriptionType',
					type: 'options',
					noDataExpression: true,
					options: [
						{ name: 'Define Below', value: 'manual', description: 'A description of your own' },
						{
							name: 'From the Questions',
							value: 'questions',
							description: 'Lists what the questions find out',
						},
					],
					default: 'questions',
					description: 'What the agent is told about the tool',
					displayOptions: { show: { '@tool': [true] } },
				},
				String,
			),
			field(
				{
					displayName: 'Description',
					name: 'toolDescription',
					type: 'hidden',
					default: expressionOf(descriptionOf),
					displayOptions: { show: { '@tool': [true], descriptionType: ['questions'] } },
				},
				String,
			),
			field(
				{
					displayName: 'Description',
					name: 'toolDescription',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. Tells how urgent a message is, and which team it belongs to',
					description: 'What the tool is for, and when to use it',
					displayOptions: { show: { '@tool': [true], descriptionType: ['manual'] } },
				},
				String,
			),
		]
	: [];

/** What an agent is told of a tool: what its questions find out. */
function descriptionOf({ isJson, questionsJson, questions }: StoredDecision): string {
	const parse = (text: string): object => {
		try {
			return Object(JSON.parse(text)) as object;
		} catch {
			return [];
		}
	};
	const known = (text: unknown): string =>
		typeof text !== 'string' || text.startsWith('=') ? '' : text.trim();
	const answerOf = (type: unknown, labels: string[]): string => {
		if (type === 'choice') {
			return labels.length === 0 ? 'one of several options' : `one of: ${labels.join(', ')}`;
		}
		if (type !== 'score') return 'yes or no, with a probability';
		return labels.length === 0
			? 'a rating'
			: `a rating from "${labels[0]}" to "${labels[labels.length - 1]}"`;
	};
	const lineOf = (id: string, type: unknown, instructions: unknown, labels: unknown[]): string => {
		const answer = answerOf(
			type,
			labels.map(known).filter((label) => label !== ''),
		);
		return `- ${known(id)} (${answer})${known(instructions) === '' ? '' : `: ${known(instructions)}`}`;
	};
	const lines = isJson
		? Object.entries(parse(questionsJson)).map(([id, given]) => {
				const { type, instructions, criteria } = Object(given) as Record<string, unknown>;
				const labels = Array.isArray(criteria) ? criteria : Object.keys(Object(criteria) as object);
				return lineOf(id, type, instructions, labels);
			})
		: questions.map(({ id, type, instructions, names, entries }) =>
				lineOf(id, type, instructions, names.length > 0 ? names : entries),
			);
	const purpose =
		'Answers questions about a text that you give it, quickly and with a probability or a confidence.';
	return [lines.length === 0 ? purpose : `${purpose} It finds out:`, ...lines].join('\n').slice(0, 1000);
}

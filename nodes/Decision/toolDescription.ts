import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { field, type Field } from '../shared/fields/Field';

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
					default: `={{ (${String(descriptionOf)})($parameter) }}`,
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

/**
 * What an agent is told of a tool with these stored parameters: what its questions find out. Its source text is an expression,
 * as that of `outputsOf` is, and the same rules hold.
 */
function descriptionOf(parameters: INodeParameters): string {
	const read = (source: unknown, name: string): unknown => {
		try {
			return (source as Record<string, unknown>)[name];
		} catch {
			return undefined;
		}
	};
	const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from(value) : []);
	const textOf = (value: unknown): string => {
		const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		return text.startsWith('=') ? '' : text;
	};
	const parse = (text: string): object => {
		try {
			return Object(JSON.parse(text)) as object;
		} catch {
			return [];
		}
	};
	const optionsOf = (question: unknown): unknown[] => {
		const names = textOf(read(question, 'optionNames')).split(',');
		if (names.some((name) => name.trim() !== '')) return names;
		return listOf(read(read(question, 'options'), 'option')).map((option) => read(option, 'name'));
	};
	const answerOf = (type: unknown, labels: string[]): string => {
		const known = labels.filter((label) => label !== '');
		if (type === 'choice') {
			return known.length === 0 ? 'one of several options' : `one of: ${known.join(', ')}`;
		}
		if (type !== 'score') return 'yes or no, with a probability';
		return known.length === 0 ? 'a rating' : `a rating from "${known[0]}" to "${known[known.length - 1]}"`;
	};
	const json = parse(textOf(read(parameters, 'questionsJson')));
	const questions =
		read(parameters, 'questionsSource') === 'json'
			? Object.entries(json).map(([id, question]) => {
					const criteria = read(question, 'criteria');
					const labels = Array.isArray(criteria) ? listOf(criteria) : Object.keys(Object(criteria) as object);
					return { id, question, labels };
				})
			: listOf(read(read(parameters, 'questions'), 'question')).map((question) => ({
					id: textOf(read(question, 'id')),
					question,
					labels:
						read(question, 'type') === 'choice'
							? optionsOf(question)
							: listOf(read(read(question, 'levels'), 'level')).map((level) => read(level, 'description')),
				}));
	const lines = questions.map(({ id, question, labels }) => {
		const answer = answerOf(read(question, 'type'), labels.map(textOf));
		const instructions = textOf(read(question, 'instructions'));
		return `- ${id} (${answer})${instructions === '' ? '' : `: ${instructions}`}`;
	});
	const purpose =
		'Answers questions about a text that you give it, quickly and with a probability or a confidence.';
	return [lines.length === 0 ? purpose : `${purpose} It finds out:`, ...lines].join('\n').slice(0, 1000);
}

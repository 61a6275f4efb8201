import {
	NodeConnectionTypes,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** What n8n adds to a tool that has no description of its own. */
const hostDescription = ({ description }: INodeTypeDescription): INodeProperties[] => [
	{
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	},
	{
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: description,
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];

/** The tool that n8n makes of a node, as its convertNodeToAiTool does. */
export function toolOf(node: INodeType): INodeType {
	const { description } = node;
	const { properties } = description;
	const tool = Object.create(node) as INodeType;
	tool.description = {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		usableAsTool: undefined,
		properties: properties.some(({ name }) => name === 'toolDescription')
			? properties
			: [...hostDescription(description), ...properties],
	};
	return tool;
}

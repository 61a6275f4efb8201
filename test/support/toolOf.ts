import {
	NodeConnectionTypes,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** n8n adds this text to a tool without a description of its own. */
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

/** Makes a tool from a node, like n8n's `convertNodeToAiTool`. */
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

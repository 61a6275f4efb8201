import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { Decision } from '../nodes/Decision/Decision.node';

const { description } = new Decision();

/** What n8n adds to a tool that has no description of its own. */
const HOST_DESCRIPTION: INodeProperties[] = [
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
		default: description.description,
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];

/** The tool that n8n makes of the node, as its convertNodeToAiTool does. */
export class DecisionTool extends Decision {
	override description: INodeTypeDescription = {
		...description,
		name: 'decisionTool',
		displayName: 'Inference Decision Tool',
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		usableAsTool: undefined,
		properties: description.properties.some(({ name }) => name === 'toolDescription')
			? description.properties
			: [...HOST_DESCRIPTION, ...description.properties],
	};
}

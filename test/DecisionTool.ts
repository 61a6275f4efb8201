import { NodeConnectionTypes, type INodeTypeDescription } from 'n8n-workflow';

import { Decision } from '../nodes/Decision/Decision.node';

/** The tool that n8n makes of the node, as its convertNodeToAiTool does: it adds no description where the node has one. */
export class DecisionTool extends Decision {
	override description: INodeTypeDescription = {
		...new Decision().description,
		name: 'decisionTool',
		displayName: 'Inference Decision Tool',
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		usableAsTool: undefined,
	};
}

import { Workflow, type INode, type INodeParameters } from 'n8n-workflow';

import { nodeTypesOf } from '../../engine/builtInNodes';
import { nodeTypes } from './runNode';

export const decisionType = nodeTypes['n8n-nodes-inference-service.decision']!;

/** Makes a workflow whose only node is Decision with exactly these parameters. */
export function saved(parameters: INodeParameters): { workflow: Workflow; node: INode } {
	const found = nodeTypesOf({ x: decisionType });
	const asSaved: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [asSaved], connections: {}, active: false, nodeTypes: found });
	// `Workflow` has filled in the defaults, which the editor does not do.
	const node = Object.assign(workflow.nodes.Node!, { parameters });
	return { workflow, node };
}

/** Computes an expression of the node's description as the editor does, which knows the items of the previous node's last run. */
export function evaluate(expression: string, parameters: INodeParameters, itemCount = 0): unknown {
	const { workflow, node } = saved(parameters);
	const items = Array.from({ length: itemCount }, () => ({ json: {} }));
	return workflow.expression.getParameterValue(expression, null, 0, 0, node.name, items, 'internal', {});
}

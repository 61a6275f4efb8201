import type { INode } from 'n8n-workflow';

import type { WorkflowRun } from './runWorkflow';

/** Workflows that are built in code begin with this manual trigger. */
export const START: INode = {
	id: '1',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Makes a workflow of one node behind a manual trigger. */
export function behindTrigger(
	node: Omit<INode, 'id' | 'name' | 'position'> & { id?: string },
): WorkflowRun['workflow'] {
	return {
		nodes: [START, { id: '2', ...node, name: 'Node', position: [200, 0] }],
		connections: { [START.name]: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
	};
}

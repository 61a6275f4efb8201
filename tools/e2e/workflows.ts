import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { WorkflowFile } from './N8nSession';
import { PACKAGE_NAME } from './paths';

/** Makes a node of this package, with a place for its credential. With a full type name, it makes any other node. */
export function node(
	name: string,
	type: string,
	parameters: object = {},
	settings: Partial<INode> = {},
): INode {
	const isOwn = !type.includes('.');
	return {
		id: randomUUID(),
		name,
		type: isOwn ? `${PACKAGE_NAME}.${type}` : type,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		...(isOwn ? { credentials: { inferenceServiceApi: { id: '', name: '' } } } : {}),
		...settings,
	};
}

/** Makes a workflow of nodes in a row, the first of which is a trigger. */
export function chain(name: string, nodes: INode[]): WorkflowFile {
	return {
		name,
		nodes: nodes.map((one, index): INode => ({ ...one, position: [index * 240, 0] })),
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map((target, index) => [
					nodes[index]!.name,
					{ main: [[{ node: target.name, type: 'main', index: 0 }]] },
				]),
		),
	};
}

/** Makes a workflow of a manual trigger called "Start", which outputs the items, and the nodes in a row behind it. */
export function rowOf(name: string, items: IDataObject[], nodes: INode[]): WorkflowFile {
	return {
		...chain(name, [node('Start', 'n8n-nodes-base.manualTrigger'), ...nodes]),
		pinData: { Start: items.map((json) => ({ json })) },
	};
}

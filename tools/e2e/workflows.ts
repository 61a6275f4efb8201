import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { WorkflowFile } from './N8nSession';
import { PACKAGE_NAME } from './paths';

/** A node of this package with its credential, or any other node if the full type name is given. */
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

/** Nodes in a row, the first of them a trigger. */
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

/** A manual trigger called "Start" that outputs the items, followed by the nodes in a row. */
export function rowOf(name: string, items: IDataObject[], nodes: INode[]): WorkflowFile {
	return {
		...chain(name, [node('Start', 'n8n-nodes-base.manualTrigger'), ...nodes]),
		pinData: { Start: items.map((json) => ({ json })) },
	};
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type NodeConnectionType,
} from 'n8n-workflow';

const VERSIONS = [1, 1.1, 1.2, 1.4, 2.1, 2.2, 2.3, 3, 3.2, 3.4, 4.5, 4.7, 4.8];

/** Stands in for a node of n8n, whose package is too large to install for a few nodes. It passes its input on. */
export class PassOn implements INodeType {
	description: INodeTypeDescription;

	constructor(
		name: string,
		outputs = 1,
		properties: INodeProperties[] = [],
		inputs: NodeConnectionType[] = [NodeConnectionTypes.Main],
	) {
		this.description = {
			displayName: name,
			name,
			group: ['transform'],
			version: VERSIONS,
			description: '',
			defaults: { name },
			inputs,
			outputs: Array.from({ length: outputs }, () => NodeConnectionTypes.Main),
			properties,
		};
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

/** Makes the engine's catalog of node types from these types (by full name), and adds Manual Trigger and No Operation. */
export function nodeTypesOf(nodeTypes: Record<string, INodeType>): INodeTypes {
	const all: Record<string, INodeType> = {
		'n8n-nodes-base.manualTrigger': new PassOn('manualTrigger', 1, [], []),
		'n8n-nodes-base.noOp': new PassOn('noOp'),
		...nodeTypes,
	};
	const find = (name: string) => {
		const type = all[name];
		if (!type) throw new Error(`There is no node type "${name}"`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

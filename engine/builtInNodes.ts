import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

/** A stand-in for one of n8n's own nodes, whose package is too large to install for a few nodes. It passes its input on. */
abstract class PassOn implements INodeType {
	abstract description: INodeTypeDescription;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

export class ManualTrigger extends PassOn {
	description: INodeTypeDescription = {
		displayName: 'Manual Trigger',
		name: 'n8n-nodes-base.manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};
}

export class NoOp extends PassOn {
	description: INodeTypeDescription = {
		displayName: 'No Operation',
		name: 'n8n-nodes-base.noOp',
		group: ['organization'],
		version: 1,
		description: 'Passes items on',
		defaults: { name: 'No Operation' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};
}

/** Makes the engine's catalog of node types from these types (by full name), and adds Manual Trigger and No Operation. */
export function nodeTypesOf(nodeTypes: Record<string, INodeType>): INodeTypes {
	const all: Record<string, INodeType> = {
		'n8n-nodes-base.manualTrigger': new ManualTrigger(),
		'n8n-nodes-base.noOp': new NoOp(),
		...nodeTypes,
	};
	const find = (name: string) => {
		const type = all[name];
		if (!type) throw new Error(`There is no node type "${name}"`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

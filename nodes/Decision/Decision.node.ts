import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../shared/nodeProperties';
import { operationSubtitle } from '../shared/operationSubtitle';
import { runItems } from '../shared/runItems';
import type { ServiceNode } from '../shared/ServiceNode';
import { ask } from './ask.operation';

const node: ServiceNode = {
	operations: [ask],
	defaultOperation: ask.value,
	includeOtherFields: true,
	timeout: 60_000,
	concurrency: 8,
};

export class Decision implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Decision',
		name: 'decision',
		icon: { light: 'file:decision.svg', dark: 'file:decision.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Answer typed questions about each item: yes or no, one of several options, or a rating',
		defaults: { name: 'Inference Decision' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true }],
		properties: nodeProperties(node),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runItems(this, node);
	}
}

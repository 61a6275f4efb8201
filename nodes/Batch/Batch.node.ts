import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { fixedTextHints } from '../shared/fields/fixedTextHint';
import { nodeProperties, operationSubtitle } from '../shared/node/nodeProperties';
import { runNode } from '../shared/run/runNode';
import { serviceNode } from '../shared/node/ServiceNode';
import { cancel } from './cancel.operation';
import { credentialTest } from '../shared/service/testCredential';

const node = serviceNode({
	operations: [cancel],
	defaultOperation: cancel,
	includeOtherFields: false,
	timeoutMs: 60_000,
	concurrency: 1,
});

export class Batch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Batch',
		name: 'batch',
		icon: { light: 'file:batch.svg', dark: 'file:batch.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Cancel a batch',
		defaults: { name: 'Inference Batch' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Cancels a batch job of the Inference Service by its ID. It cannot create or list batches. For many decisions or messages, give n8n-nodes-inference-service.decision or n8n-nodes-inference-service.message many items: they send several at once.',
		},
		hints: fixedTextHints,
		properties: nodeProperties(node),
	};

	methods = { credentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, node);
	}
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../shared/run/nodeProperties';
import { operationSubtitle } from '../shared/run/operationSubtitle';
import { runItems } from '../shared/run/runItems';
import { serviceNode } from '../shared/run/ServiceNode';
import { chat } from './chat.operation';
import { create } from './create.operation';
import { isLive } from './liveChat';

const node = serviceNode({
	operations: [create, chat],
	defaultOperation: create,
	includeOtherFields: false,
	timeout: 300_000,
	concurrency: 4,
	paidOnce: { equalAnswers: false },
	// The texts of two items must not mix in a chat.
	oneAtATime: isLive,
});

export class Message implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Message',
		name: 'message',
		icon: { light: 'file:message.svg', dark: 'file:message.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Generate text and chat with models, streamed if the workflow streams',
		defaults: { name: 'Inference Message' },
		inputs:
			"={{ $parameter.operation === 'chat' ? ['main'] : ['main', { type: 'ai_tool', displayName: 'Tools' }] }}",
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true }],
		properties: nodeProperties(node),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runItems(this, node);
	}
}

import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { fixedTextHints, typedEscapeHint } from '../shared/fields/fixedTextHint';
import { nodeProperties, operationSubtitle } from '../shared/node/nodeProperties';
import { runNode } from '../shared/run/runNode';
import { serviceNode } from '../shared/node/ServiceNode';
import { chat } from './chat.operation';
import { create } from './create.operation';
import { isLive } from './liveChat';
import { searchModels } from '../shared/run/searchModels';
import { credentialTest } from '../shared/service/testCredential';

const node = serviceNode({
	operations: [create, chat],
	defaultOperation: create,
	includeOtherFields: false,
	timeoutMs: 300_000,
	concurrency: 4,
	billing: { sharesEqualRequests: false },
	// The texts of two items must not mix in a chat.
	oneAtATime: isLive,
});

const REPLIES = `
The output item holds the reply and not the input's fields, unless options.includeOtherFields is true:
- "create": text, tool_calls, stop_reason, stop_sequence, model, id, input_tokens, output_tokens
- "chat": text, reasoning, finish_reason, model, id, input_tokens, output_tokens
With options.responseFormat "json", the reply is also parsed into the field json.
The role "system" is for "chat" only; options.system works with both.`;

export class Message implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Message',
		name: 'message',
		icon: { light: 'file:message.svg', dark: 'file:message.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Generate text and chat with models',
		defaults: { name: 'Inference Message' },
		inputs:
			"={{ $parameter.operation === 'chat' ? ['main'] : ['main', { type: 'ai_tool', displayName: 'Tools' }] }}",
		// The outputs are an expression because the inputs are one. Otherwise n8n's AI builder would treat the node as a trigger.
		outputs: "={{ ['main'] }}",
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Generates text with a model of the Inference Service: replies, drafts, summaries, extraction, translation. It acts on each input item and is not a trigger. Operation "create" can call tools: n8n runs the tool nodes that are connected to its Tools input. Operation "chat" has no tools, and suits models that show their reasoning. The text is in the output field "text". "model" is a resource locator: mode "id" with vendor/model_name. For AI Agent and other AI nodes, use n8n-nodes-inference-service.chatModel.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-inference-service.decision',
					relationHint: 'Better for classifying, rating and routing: typed answers with a confidence',
				},
				{
					nodeType: 'n8n-nodes-inference-service.chatModel',
					relationHint: 'The same models for AI Agent and other AI nodes',
				},
			],
			extraTypeDefContent: [
				{
					content: REPLIES,
				},
			],
		},
		hints: [...fixedTextHints, typedEscapeHint],
		properties: nodeProperties(node),
	};

	methods = { credentialTest, listSearch: { searchModels } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, node);
	}
}

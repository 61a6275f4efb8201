import type * as AiNodeSdk from '@n8n/ai-node-sdk';
import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { fixedTextHints, typedEscapeHint } from '../shared/fields/fixedTextHint';
import { plainProperties } from '../shared/node/nodeProperties';
import { fields } from './fields';
import { supplyChatModel } from './supplyChatModel';
import { searchModels } from '../shared/run/searchModels';
import { credentialTest } from '../shared/service/testCredential';

export class ChatModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Chat Model',
		name: 'chatModel',
		icon: { light: 'file:chatModel.svg', dark: 'file:chatModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"].value ?? $parameter["model"] }}',
		description: "Use the service's models in agents and chains",
		defaults: { name: 'Inference Chat Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Chat model (language model) for AI Agent, Basic LLM Chain, Text Classifier, Information Extractor and other AI nodes, with tool calling and streaming. "model" is a resource locator: mode "id" with vendor/model_name (the service has no list), or mode "list" on servers that list their models. To generate text without an agent, use n8n-nodes-inference-service.message.',
			relatedNodes: [
				{
					nodeType: '@n8n/n8n-nodes-langchain.agent',
					relationHint: 'Takes this node as its model',
				},
				{
					nodeType: 'n8n-nodes-inference-service.decisionTool',
					relationHint: 'Tool for the same agent: typed answers to fixed questions',
				},
			],
			extraTypeDefContent: [
				{
					content: `<patterns>
<pattern title="AI Agent with this chat model">
const chatModel = languageModel({
  type: 'n8n-nodes-inference-service.chatModel',
  version: 1,
  config: {
    name: 'Inference Chat Model',
    parameters: { model: { __rl: true, mode: 'id', value: placeholder('Model ID, vendor/model_name') } },
    credentials: { inferenceServiceApi: newCredential('Inference Service API') }
  }
});
// In the agent's config: subnodes: { model: chatModel, tools: [...] }
</pattern>
</patterns>`,
				},
			],
		},
		hints: [...fixedTextHints, typedEscapeHint],
		properties: plainProperties(Object.values(fields)),
	};

	methods = { credentialTest, listSearch: { searchModels } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		return await supplyChatModel(this, itemIndex, loadSdk);
	}
}

/**
 * Loads the SDK for AI nodes when the node runs, not when n8n starts, because it is large and n8n before 2.16 does not have it.
 * The import is in this file because n8n's rules for the category AI look for it only here.
 */
async function loadSdk(): Promise<typeof AiNodeSdk> {
	return await import('@n8n/ai-node-sdk');
}

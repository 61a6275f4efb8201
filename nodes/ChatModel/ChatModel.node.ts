import type * as AiNodeSdk from '@n8n/ai-node-sdk';
import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { plainProperties } from '../shared/run/nodeProperties';
import { fields } from './fields';
import { supplyChatModel } from './supplyChatModel';

export class ChatModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Chat Model',
		name: 'chatModel',
		icon: { light: 'file:chatModel.svg', dark: 'file:chatModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] }}',
		description: 'Use a model of the service in agents and chains',
		defaults: { name: 'Inference Chat Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		credentials: [{ name: 'inferenceServiceApi', required: true }],
		properties: plainProperties(Object.values(fields)),
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		return await supplyChatModel(this, itemIndex, loadSdk);
	}
}

/**
 * Loaded here, not when n8n starts: it is large, and n8n before 2.16 does not have it. In this file, because n8n's rules for the
 * category AI look for the SDK in it alone.
 */
async function loadSdk(): Promise<typeof AiNodeSdk> {
	return await import('@n8n/ai-node-sdk');
}

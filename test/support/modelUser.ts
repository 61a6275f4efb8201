import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type ITaskData,
} from 'n8n-workflow';

import { START } from '../../engine/behindTrigger';
import { outputsOf, runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { credentialTypes, nodeTypes } from './runNode';

export type Use = (model: BaseChatModel, context: IExecuteFunctions) => Promise<unknown>;

/** Makes a node that gets a chat model like n8n's AI nodes. The test passes a function that uses the model. */
export function modelUser(use: Use): INodeType {
	return {
		description: {
			displayName: 'Model User',
			name: 'modelUser',
			group: ['transform'],
			version: 1,
			description: 'Uses a chat model',
			defaults: { name: 'User' },
			inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiLanguageModel],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const models = (await this.getInputConnectionData(NodeConnectionTypes.AiLanguageModel, 0)) as
				BaseChatModel | BaseChatModel[];
			const result = await use(Array.isArray(models) ? models[0]! : models, this);
			return [[{ json: { result } as IDataObject }]];
		},
	};
}

export interface Used {
	run: IRun;
	/** Returns the result of `use`, or throws its error. */
	result: () => unknown;
	/** Holds the runs of the chat model's node. */
	traces: ITaskData[];
}

export interface ModelInput {
	options?: IDataObject;
	model?: string;
	/** Replaces the model and the options. */
	parameters?: INodeParameters;
	signal?: AbortSignal;
	apiKey?: string;
	settings?: WorkflowRun['workflow']['settings'];
}

/** Runs a workflow with a node that uses the chat model, against an emulator. */
export function modelUserOf(
	service: { url: string; apiKey: string },
	defaultModel: string,
	hosted = nodeTypes,
): (use: Use, input?: ModelInput) => Promise<Used> {
	return async (
		use,
		{
			options = {},
			model = defaultModel,
			parameters = { model, options } as INodeParameters,
			signal,
			apiKey = service.apiKey,
			settings,
		} = {},
	) => {
		const run = await runWorkflow({
			nodeTypes: { ...hosted, 'test.modelUser': modelUser(use) },
			credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: service.url, apiKey } },
			signal,
			workflow: {
				settings,
				nodes: [
					START,
					{ id: '2', name: 'User', type: 'test.modelUser', typeVersion: 1, position: [0, 0], parameters: {} },
					{
						id: '3',
						name: 'Model',
						type: 'n8n-nodes-inference-service.chatModel',
						typeVersion: 1,
						position: [0, 0],
						parameters,
						credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
					},
				],
				connections: {
					Start: { main: [[{ node: 'User', type: 'main', index: 0 }]] },
					Model: { ai_languageModel: [[{ node: 'User', type: 'ai_languageModel', index: 0 }]] },
				},
			},
			items: [{ json: {} }],
		});
		return {
			run,
			result: () => outputsOf(run, 'User')[0]![0]!.json.result,
			traces: run.data.resultData.runData.Model ?? [],
		};
	};
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { START } from '../../engine/behindTrigger';
import { runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { Message } from '../../nodes/Message/Message.node';
import { credentialTypes, nodeTypes, resultOf, type NodeResult } from './runNode';

export const MODEL = 'acme/quick-1';
const MESSAGE = 'n8n-nodes-inference-service.message';
export const MESSAGE_TOOL = 'n8n-nodes-inference-service.messageTool';

const toolDescription: INodeTypeDescription = {
	displayName: 'Tool',
	name: 'tool',
	group: ['transform'],
	version: 1,
	description: 'A tool',
	defaults: { name: 'Tool' },
	inputs: [],
	outputs: [NodeConnectionTypes.AiTool],
	properties: [],
};

/** Represents a node that provides a LangChain tool or a toolkit to the node that it is connected to. */
class ToolNode implements INodeType {
	description = toolDescription;

	constructor(private readonly response: unknown) {}

	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		const type = toolNodes[this.getNode().type]!;
		type.supplied++;
		return { response: await type.response };
	}

	supplied = 0;
}

/** Represents an ordinary node that is connected as a tool. The engine makes the tool, and runs the node for each call. */
class OrdinaryNode implements INodeType {
	description = {
		...toolDescription,
		properties: [
			{ displayName: 'Description', name: 'toolDescription', type: 'string' as const, default: '' },
			{ displayName: 'Number', name: 'number', type: 'string' as const, default: '' },
		],
	};

	async execute(this: IExecuteFunctions) {
		return [[{ json: { found: this.getNodeParameter('number', 0) as string } }]];
	}
}

/** The latest run had these tool nodes, by type. */
export let toolNodes: Record<string, ToolNode> = {};

export const saying = (content: string): INodeParameters => ({
	messages: { message: [{ role: 'user', content }] },
});

/** Represents the tool that n8n makes from the ordinary node. */
class MessageTool extends Message {
	override description: INodeTypeDescription = {
		...new Message().description,
		name: 'messageTool',
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
}

export interface ToolRun extends Partial<Pick<WorkflowRun, 'items' | 'onChunk' | 'signal'>> {
	/** Holds the tools that the connected nodes supply. */
	connected?: unknown[];
	/** Holds the parameters of an ordinary node. If given, that node is connected as a tool too. */
	ordinary?: INodeParameters;
	onError?: INode['onError'];
	/** Holds further settings of the node, such as Retry On Fail. */
	node?: Partial<INode>;
	type?: string;
}

const nodeOf = (name: string, type: string, further: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...further,
});

/** Runs the Message node with tools connected to it. */
export function messageWithTools(service: { url: string; apiKey: string }) {
	return async (
		parameters: INodeParameters,
		{ connected = [], ordinary, onError, node: settings, type = MESSAGE, ...run }: ToolRun,
	): Promise<NodeResult> => {
		toolNodes = Object.fromEntries(
			connected.map((response, index) => [`test.tool${index}`, new ToolNode(response)]),
		);
		const tools = [
			...connected.map((_, index) => nodeOf(`Tool ${index}`, `test.tool${index}`)),
			...(ordinary ? [nodeOf('Order finder', 'test.ordinaryTool', { parameters: ordinary })] : []),
		];
		const node = nodeOf('Node', type, {
			parameters: { model: MODEL, ...saying('Please look_up'), ...parameters },
			credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
			...(onError ? { onError } : {}),
			...settings,
		});
		const result = await runWorkflow({
			nodeTypes: {
				...nodeTypes,
				...toolNodes,
				'test.ordinaryTool': new OrdinaryNode(),
				[MESSAGE_TOOL]: new MessageTool(),
			},
			credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: service.url, apiKey: service.apiKey } },
			workflow: {
				nodes: [START, node, ...tools],
				connections: {
					[START.name]: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
					...Object.fromEntries(
						tools.map(({ name }) => [name, { ai_tool: [[{ node: 'Node', type: 'ai_tool', index: 0 }]] }]),
					),
				},
			},
			items: [{ json: {} }],
			...run,
		});
		return resultOf(result);
	};
}

import type {
	IBinaryKeyData,
	ICredentialType,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	StructuredChunk,
} from 'n8n-workflow';

import { behindTrigger } from '../../engine/behindTrigger';
import { loadPackage } from '../../engine/loadPackage';
import { outputsOf, runWorkflow } from '../../engine/runWorkflow';
import type { ServiceAccess } from './StrangeServer';

/** Describes a node of the package, with its parameters and its input. */
export interface NodeCall {
	/** Holds the node type without the name of the package, such as `decision`. */
	type: string;
	parameters: INodeParameters;
	/** Holds the input item. By default, it is an empty one. */
	item?: { json: IDataObject; binary?: IBinaryKeyData };
	onChunk?: (chunk: StructuredChunk) => void;
}

/** Runs nodes of the built package on n8n's engine. */
export class NodeRunner {
	private constructor(
		private readonly nodeTypes: Record<string, INodeType>,
		private readonly credentialTypes: Record<string, ICredentialType>,
	) {}

	static async load(): Promise<NodeRunner> {
		const { nodeTypes, credentialTypes } = await loadPackage();
		return new NodeRunner(nodeTypes, credentialTypes);
	}

	/**
	 * Runs a node, and returns the items of all its outputs in order.
	 * @throws Error with the message and the description of the node's error
	 */
	async run(
		{ url, apiKey }: ServiceAccess,
		{ type, parameters, item = { json: {} }, onChunk }: NodeCall,
		reuseConnections: boolean,
	): Promise<IDataObject[]> {
		const run = await runWorkflow({
			workflow: behindTrigger({
				type: `n8n-nodes-inference-service.${type}`,
				typeVersion: 1,
				parameters,
				credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
			}),
			nodeTypes: this.nodeTypes,
			credentialTypes: this.credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: url, apiKey, reuseConnections } },
			items: [item],
			...(onChunk && { onChunk }),
		});
		return outputItems(run).flatMap((items) => items.map(({ json }) => json));
	}
}

/** Throws a node's error as an Error. The engine stores it as a plain object, which would be printed without its message. */
function outputItems(run: IRun): INodeExecutionData[][] {
	try {
		return outputsOf(run, 'Node');
	} catch (error) {
		const { message, description } = error as { message: string; description?: string | null };
		throw new Error([message, description].filter(Boolean).join('\n'), { cause: error });
	}
}

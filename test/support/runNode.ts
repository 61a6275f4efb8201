import { createRequire } from 'node:module';
import { basename } from 'node:path';

import type {
	IBinaryKeyData,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	IRun,
} from 'n8n-workflow';

import { InferenceServiceApi } from '../../credentials/InferenceServiceApi.credentials';
import { behindTrigger } from '../../engine/behindTrigger';
import { outputsOf, runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import type { ItemError } from '../../nodes/shared/run/nodeErrors';
import manifest from '../../package.json';

const load = createRequire(__filename);

/** Holds the nodes that `package.json` registers, by their full type names. */
export const nodeTypes: Record<string, INodeType> = Object.fromEntries(
	manifest.n8n.nodes.map((file) => {
		const source = file.replace(/^dist(.*)\.js$/, '../..$1');
		const exported = load(source) as Record<string, new () => INodeType>;
		const node = new exported[basename(source, '.node')]!();
		return [`${manifest.name}.${node.description.name}`, node];
	}),
);

export const credentialTypes = { inferenceServiceApi: new InferenceServiceApi() };

/** Returns all properties of a node, including those within collections and lists. */
export function withInner(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) =>
			'values' in option ? withInner(option.values) : 'type' in option ? withInner([option]) : [],
		),
	]);
}

export interface NodeRun extends Partial<Omit<WorkflowRun, 'workflow' | 'items'>> {
	/** Holds the node's type without the package, such as `decision`. */
	type: string;
	parameters: INodeParameters;
	/** Holds the input. By default, it is one empty item. */
	items?: Array<IDataObject | { json: IDataObject; binary: IBinaryKeyData }>;
	onError?: INode['onError'];
	service: { url: string; apiKey: string };
	/** Holds the further fields of the credential. */
	credential?: IDataObject;
	settings?: WorkflowRun['workflow']['settings'];
	/** Holds the further settings of the node, such as "Retry On Fail". */
	node?: Partial<INode>;
}

/**
 * By default, each test run is of a new workflow, because answers of a failed run are kept for later runs of the same workflow.
 */
let workflows = 0;

export interface NodeResult {
	run: IRun;
	/** Returns the items by output, or throws the error that the node threw. */
	outputs: () => INodeExecutionData[][];
	/** Returns the hint above the output, or an empty text if the node gave none. */
	hint: () => string;
}

/** Makes the result of a run of the node called "Node". */
export function resultOf(run: IRun): NodeResult {
	return {
		run,
		outputs: () => outputsOf(run, 'Node'),
		hint: () => {
			const hints = run.data.resultData.runData.Node![0]!.hints ?? [];
			expect(hints.length).toBeLessThan(2);
			return hints[0]?.message ?? '';
		},
	};
}

/** Runs one node of the package on n8n's engine behind a manual trigger, as a saved workflow. */
export async function runNode({
	type,
	parameters,
	items,
	onError,
	service,
	credential,
	settings,
	node,
	...run
}: NodeRun): Promise<NodeResult> {
	const workflow = behindTrigger({
		type: `${manifest.name}.${type}`,
		typeVersion: 1,
		parameters,
		...node,
		...(onError ? { onError } : {}),
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
	});
	const result = await runWorkflow({
		nodeTypes,
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: service.url, apiKey: service.apiKey, ...credential } },
		workflowId: `workflow ${workflows++}`,
		...run,
		workflow: { ...workflow, settings },
		items: (items ?? [{}]).map((item) =>
			'binary' in item && 'json' in item ? item : { json: item },
		) as WorkflowRun['items'],
	});
	return resultOf(result);
}

/** Returns the fields that every error item has under `error`. It has no others. */
export function readErrorItem(json: IDataObject): { error: ItemError; others: IDataObject } {
	const { error, ...others } = json;
	expect(Object.keys(error as IDataObject)).toEqual([
		'message',
		'description',
		'http_status',
		'code',
		'limit',
		'retry_after_ms',
		'trace_id',
		'attempts',
		'item_index',
	]);
	return { error: error as unknown as ItemError, others };
}

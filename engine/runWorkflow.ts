import 'reflect-metadata';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type IWorkflowBase,
	type StructuredChunk,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalDataOf, type EngineSurroundings } from './additionalData';
import { nodeTypesOf } from './builtInNodes';

export interface WorkflowRun extends EngineSurroundings {
	/** Holds the nodes, connections, settings and pinned data, as n8n exports them. */
	workflow: Pick<IWorkflowBase, 'nodes' | 'connections'> &
		Partial<Pick<IWorkflowBase, 'settings' | 'pinData'>>;
	/** Holds the ID under which the workflow is saved. It is undefined if the workflow is not saved. */
	workflowId?: string | undefined;
	/** Holds node types by their full names. Manual Trigger and No Operation are added to them. */
	nodeTypes: Record<string, INodeType>;
	/** Holds the trigger's output. The default is the workflow's pinned data. */
	items?: Array<{ json: IDataObject; binary?: IBinaryKeyData }>;
	mode?: WorkflowExecuteMode;
	/** Executes only this node, after an earlier execution, as the editor does for "Execute step". */
	step?: { node: string; after: IRun };
	/** Stops the execution, like the stop button in the editor. */
	signal?: AbortSignal;
	/** Receives streamed chunks. If set, the execution's trigger counts as one that streams. */
	onChunk?: (chunk: StructuredChunk) => unknown;
}

/**
 * Runs a workflow on n8n's own engine, without its server and database. The error of a failed execution is in the result.
 * @throws Error if the workflow has no trigger
 */
export async function runWorkflow(run: WorkflowRun): Promise<IRun> {
	const workflow = new Workflow({
		id: 'workflowId' in run ? run.workflowId : 'workflow',
		name: 'Workflow',
		nodes: structuredClone(run.workflow.nodes),
		connections: structuredClone(run.workflow.connections),
		active: false,
		nodeTypes: nodeTypesOf(run.nodeTypes),
		settings: { executionOrder: 'v1', ...run.workflow.settings },
	});
	const startNode = workflow.getStartNode();
	if (!startNode) throw new Error('The workflow has no trigger');
	const mode = run.mode ?? 'manual';
	const additionalData = additionalDataOf({ ...run, hooks: hooksOf(run, mode) });
	const pinData = run.items ? { [startNode.name]: run.items as INodeExecutionData[] } : run.workflow.pinData;
	const workflowExecute = new WorkflowExecute(additionalData, mode);
	const execution = run.step
		? workflowExecute.runPartialWorkflow2(
				workflow,
				run.step.after.data.resultData.runData,
				pinData,
				[run.step.node],
				{ nodeName: run.step.node, mode: 'inclusive' },
			)
		: start(workflowExecute, { workflow, startNode, pinData });
	const stop = () => execution.cancel();
	run.signal?.addEventListener('abort', stop, { once: true });
	try {
		return await execution;
	} finally {
		run.signal?.removeEventListener('abort', stop);
	}
}

/** Starts an execution. Before about n8n 1.107, `run` took separate arguments instead of an object. */
function start(
	execution: WorkflowExecute,
	parts: Parameters<WorkflowExecute['run']>[0],
): ReturnType<WorkflowExecute['run']> {
	if (execution.run.length <= 1) return execution.run(parts);
	const { workflow, startNode, pinData } = parts;
	const run = execution.run.bind(execution) as unknown as (
		...parts: unknown[]
	) => ReturnType<WorkflowExecute['run']>;
	return run(workflow, startNode, undefined, pinData);
}

/** Returns the items of a node's last run, by output. Throws the error that the node threw. */
export function outputsOf(run: IRun, nodeName: string): INodeExecutionData[][] {
	const taskData = run.data.resultData.runData[nodeName]?.at(-1);
	if (taskData?.error) throw taskData.error;
	if (!taskData) {
		throw run.data.resultData.error ?? new Error(`The node "${nodeName}" did not run`);
	}
	return (taskData.data?.main ?? []).map((items) => items ?? []);
}

function hooksOf(
	{ workflow, executionId, onChunk }: WorkflowRun,
	mode: WorkflowExecuteMode,
): ExecutionLifecycleHooks {
	const hooks = new ExecutionLifecycleHooks(mode, executionId ?? '1', {
		id: 'workflow',
		name: 'Workflow',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		...workflow,
	});
	if (onChunk) {
		hooks.addHandler('sendChunk', async (chunk) => {
			await onChunk(chunk);
		});
	}
	return hooks;
}

import 'reflect-metadata';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowBase,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalDataOf } from './additionalData';
import { nodeTypesOf } from './builtInNodes';

/** Describes the state of a published workflow in n8n's database, as JSON. It survives a restart of n8n. */
export interface StoredWorkflow {
	/** n8n saves the static data as a whole each time a poll emits an item. */
	staticData: string;
	/**
	 * Holds the durable poll cursors by node ID, saved after every successful poll. It is undefined if n8n is not set to keep
	 * them.
	 */
	cursors?: Record<string, string>;
}

interface PublishedWorkflowParts {
	workflow: Pick<IWorkflowBase, 'nodes' | 'connections'>;
	nodeTypes: Record<string, INodeType>;
	credentialTypes: Record<string, ICredentialType>;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	stored: StoredWorkflow;
	mode?: WorkflowExecuteMode;
}

/**
 * Represents a published workflow, from when it starts to listen until it stops. It gives a poll its static data, and saves it
 * afterwards, in the same way as n8n's server (trigger-execution-context.factory.ts, poll-trigger-executor.ts).
 */
export class PublishedWorkflow {
	private readonly workflow: Workflow;

	private polled: IDataObject = {};

	constructor(private readonly parts: PublishedWorkflowParts) {
		this.workflow = new Workflow({
			id: 'workflow',
			name: 'Workflow',
			nodes: structuredClone(parts.workflow.nodes),
			connections: structuredClone(parts.workflow.connections),
			active: true,
			nodeTypes: nodeTypesOf(parts.nodeTypes),
			staticData: JSON.parse(parts.stored.staticData) as IDataObject,
			settings: { executionOrder: 'v1' },
		});
	}

	/** Holds the static data that the latest poll got, as the trigger has left it. n8n may not save it. */
	get polledData(): IDataObject {
		return this.polled;
	}

	/**
	 * Polls a trigger once.
	 * @returns the items of the execution that the poll starts, by output; null if it starts none
	 * @throws what the trigger throws, and an Error if there is no such node
	 */
	async poll(nodeName: string): Promise<INodeExecutionData[][] | null> {
		const node = this.workflow.getNode(nodeName);
		if (!node) throw new Error(`There is no node "${nodeName}"`);
		const staticData = this.staticDataFor(node);
		this.polled = staticData;
		const { poll } = this.workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const outputs = await poll!.call(this.contextOf(node, staticData));
		this.save(node, staticData, outputs !== null);
		return outputs;
	}

	private contextOf(node: INode, staticData: IDataObject): PollContext {
		const { mode = 'trigger' } = this.parts;
		const context = new PollContext(
			this.workflow,
			node,
			additionalDataOf(this.parts),
			mode,
			mode === 'manual' ? 'manual' : 'activate',
		);
		return Object.create(context, {
			getWorkflowStaticData: { value: () => staticData },
		}) as PollContext;
	}

	private staticDataFor(node: INode): IDataObject {
		const { cursors } = this.parts.stored;
		const staticData = this.workflow.getStaticData('node', node);
		if (!cursors) return staticData;
		return JSON.parse(cursors[node.id] ?? JSON.stringify(staticData)) as IDataObject;
	}

	private save(node: INode, staticData: IDataObject, hasEmitted: boolean): void {
		const { stored, mode } = this.parts;
		if (mode === 'manual') return;
		if (stored.cursors) stored.cursors[node.id] = JSON.stringify(staticData);
		else if (hasEmitted && this.workflow.staticData.__dataChanged) {
			stored.staticData = JSON.stringify(this.workflow.staticData);
		}
	}
}

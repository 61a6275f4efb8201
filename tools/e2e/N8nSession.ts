import { setTimeout } from 'node:timers/promises';

import type {
	IConnections,
	INode,
	INodeExecutionData,
	IPinData,
	IWorkflowSettings,
	ExecutionError,
} from 'n8n-workflow';

/** Describes a workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export interface StoredCredential {
	id: string;
	name: string;
}

/** Describes an execution of a workflow, as n8n has stored it. */
export interface Execution {
	id: string;
	status: (typeof STATUSES)[number];
	/** Holds the error of the last node that failed. */
	error: ExecutionError | undefined;
	/** Holds the items of each node's last run, by the name of the node and the index of the output. */
	outputs: Record<string, INodeExecutionData[][]>;
}

interface StoredResults {
	resultData: {
		error?: ExecutionError;
		runData: Record<string, Array<{ data?: Record<string, Array<INodeExecutionData[] | null>> }>>;
	};
}

export const owner = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Password-1234',
};

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 60_000;
const SETTLED_STATUSES = ['canceled', 'crashed', 'error', 'success'] as const;
const STATUSES = [...SETTLED_STATUSES, 'new', 'running', 'unknown', 'waiting'] as const;

/** Represents a user who is signed in to n8n, and uses the REST API of the editor. */
export class N8nSession {
	private cookie = '';

	private constructor(readonly url: string) {}

	/** Creates the owner of a fresh n8n, and signs in. */
	static async setUp(url: string): Promise<N8nSession> {
		const session = new N8nSession(url);
		// After n8n says that it is ready, its REST routes may still be missing for a moment.
		await session.retried(async () => await session.call('POST', '/owner/setup', owner));
		return session;
	}

	static async signIn(url: string): Promise<N8nSession> {
		const session = new N8nSession(url);
		const login = { emailOrLdapLoginId: owner.email, password: owner.password };
		// n8n may have closed the connection that an earlier test file left open.
		await session.retried(async () => await session.call('POST', '/login', login));
		return session;
	}

	async createCredential(name: string, type: string, data: object): Promise<StoredCredential> {
		const { id } = (await this.call('POST', '/credentials', { name, type, data })) as { id: string };
		return { id, name };
	}

	/** Imports a workflow. Every node that needs a credential of a type in `credentials` gets it. */
	async importWorkflow(
		workflow: WorkflowFile,
		credentials: Record<string, StoredCredential> = {},
	): Promise<string> {
		const nodes = workflow.nodes.map((node) => ({
			...node,
			...(node.credentials && {
				credentials: Object.fromEntries(
					Object.entries(node.credentials).map(([type, stored]) => [type, credentials[type] ?? stored]),
				),
			}),
		}));
		const { name, connections, settings = { executionOrder: 'v1' }, pinData } = workflow;
		const { id } = (await this.call('POST', '/workflows', {
			name,
			nodes,
			connections,
			settings,
			pinData,
		})) as {
			id: string;
		};
		return id;
	}

	/** Publishes a workflow, and waits until its triggers listen. */
	async publish(workflowId: string): Promise<void> {
		const { versionId } = (await this.call('GET', `/workflows/${workflowId}`)) as { versionId: string };
		await this.call('POST', `/workflows/${workflowId}/activate`, { versionId });
		// n8n 2.41 registers webhooks after it has answered the activation, and they answer 404 until then.
		await this.until(`workflow ${workflowId} is published`, async () => {
			const { status, triggers } = (await this.call(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			)) as {
				status: string;
				triggers: unknown;
			};
			if (status === 'failed') throw new Error(`Not published: ${JSON.stringify(triggers)}`);
			return status === 'published';
		});
	}

	/** Starts a manual execution at a trigger. Returns its ID. */
	async start(workflowId: string, trigger: string): Promise<string> {
		const { executionId } = (await this.call('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		})) as { executionId: string };
		return executionId;
	}

	/**
	 * Starts a manual execution of one node, as the editor's "Execute step" does. Returns its ID.
	 * @param before the ID of the execution whose results are the node's input
	 */
	async startStep(workflowId: string, nodeName: string, before: string): Promise<string> {
		const { executionId } = (await this.call('POST', `/workflows/${workflowId}/run`, {
			runData: (await this.storedExecution(before)).resultData.runData,
			destinationNode: { nodeName, mode: 'inclusive' },
			dirtyNodeNames: [nodeName],
		})) as { executionId: string };
		return executionId;
	}

	async stop(executionId: string): Promise<void> {
		await this.call('POST', `/executions/${executionId}/stop`);
	}

	async execution(executionId: string): Promise<Execution> {
		const { id, status, resultData } = await this.storedExecution(executionId);
		const outputs = Object.entries(resultData.runData).map(([node, runs]) => [
			node,
			Object.values(runs.at(-1)?.data ?? {}).flatMap((perOutput) => perOutput.map((items) => items ?? [])),
		]);
		return {
			id,
			status,
			error: resultData.error,
			outputs: Object.fromEntries(outputs) as Execution['outputs'],
		};
	}

	/** Waits until an execution has ended, however it ended. */
	async settledExecution(executionId: string): Promise<Execution> {
		let execution: Execution | undefined;
		await this.until(`execution ${executionId} has ended`, async () => {
			execution = await this.execution(executionId);
			return SETTLED_STATUSES.some((status) => status === execution?.status);
		});
		return execution!;
	}

	/** Runs a workflow from a trigger to its end. */
	async run(workflowId: string, trigger: string): Promise<Execution> {
		return await this.settledExecution(await this.start(workflowId, trigger));
	}

	/** Returns the IDs of the latest executions of a workflow, newest first. */
	async executionIds(workflowId: string): Promise<string[]> {
		// Without a status, n8n reads running and ended executions one after the other, and misses one that ends in between.
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: STATUSES }));
		const { results } = (await this.call('GET', `/executions?filter=${filter}&limit=100`)) as {
			results: Array<{ id: string }>;
		};
		return results.map(({ id }) => id);
	}

	/** Waits for the latest execution of a workflow to end, and returns it. */
	async latestExecution(workflowId: string): Promise<Execution> {
		let id: string | undefined;
		await this.until(`workflow ${workflowId} has been executed`, async () => {
			[id] = await this.executionIds(workflowId);
			return id !== undefined;
		});
		return await this.settledExecution(id!);
	}

	/** Sends a request to `/rest`, and returns the `data` of the response. Rejects with n8n's own message. */
	async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.cookie },
			body: body === undefined ? null : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		const [cookie] = response.headers.getSetCookie();
		if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0]!;
		return (JSON.parse(text) as { data: unknown }).data;
	}

	private async storedExecution(
		executionId: string,
	): Promise<Pick<Execution, 'id' | 'status'> & StoredResults> {
		const { id, status, data } = (await this.call('GET', `/executions/${executionId}`)) as {
			id: string;
			status: Execution['status'];
			data: string;
		};
		// TypeScript treats this as an ECMAScript module, and a static import would require that this package is one too.
		const { parse } = await import('flatted');
		// An execution that has just begun has no data yet.
		return { id, status, ...((parse(data) as StoredResults | undefined) ?? { resultData: { runData: {} } }) };
	}

	private async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
		const deadline = performance.now() + MAX_WAIT_MS;
		while (!(await isSo())) {
			if (performance.now() > deadline) throw new Error(`Not within ${MAX_WAIT_MS} ms: ${what}`);
			await setTimeout(150);
		}
	}

	private async retried(call: () => Promise<unknown>): Promise<void> {
		let failure: unknown;
		try {
			await this.until('n8n answers', async () => {
				try {
					await call();
					return true;
				} catch (error) {
					failure = error;
					return false;
				}
			});
		} catch {
			throw failure;
		}
	}
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import type { IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

import { N8nSession, type Execution, type StoredCredential, type WorkflowFile } from '../N8nSession';
import type { N8n } from '../N8n';
import { node, rowOf } from '../workflows';

/** The address and the key for a credential. */
export interface Service {
	url: string;
	apiKey: string;
}

/** The content of an item that failed under "Continue". */
export interface FailedItem {
	message: string;
	description: string;
	attempts: number;
}

const QUESTION = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };

/** An n8n with its owner signed in. */
export class AttackedN8n {
	private credentials = 0;

	private constructor(
		readonly n8n: N8n,
		readonly session: N8nSession,
	) {}

	static async signIn(n8n: N8n): Promise<AttackedN8n> {
		return new AttackedN8n(n8n, await N8nSession.setUp(n8n.url));
	}

	async createCredential(service: Service, fields: object = {}): Promise<StoredCredential> {
		return await this.session.createCredential(`Service ${++this.credentials}`, 'inferenceServiceApi', {
			baseUrl: service.url,
			apiKey: service.apiKey,
			...fields,
		});
	}

	async import(workflow: WorkflowFile, credential: StoredCredential): Promise<string> {
		return await this.session.importWorkflow(workflow, { inferenceServiceApi: credential });
	}

	/** Runs nodes in a row behind a manual trigger that outputs the items. */
	async run(
		credential: StoredCredential,
		items: IDataObject[],
		nodes: INode[],
		settings: IWorkflowSettings = {},
	): Promise<Execution> {
		const workflow = {
			...rowOf('Attack', items, nodes),
			settings: { executionOrder: 'v1' as const, ...settings },
		};
		return await this.session.run(await this.import(workflow, credential), 'Start');
	}

	/** Fails unless n8n still answers, and still runs the nodes. */
	async survives(credential: StoredCredential): Promise<void> {
		const { outputs } = await this.run(credential, [{ text: 'hello' }], [decide()]);
		assert.equal(typeof outputs.Decide?.[0]?.[0]?.json.urgent, 'number');
	}

	/** The highest memory use in MB so far, or since it was last reset. */
	get peakMb(): number {
		return this.statusMb('VmHWM');
	}

	get residentMb(): number {
		return this.statusMb('VmRSS');
	}

	/** CPU time of its main thread so far, in milliseconds. Other processes do not count. */
	get workedMs(): number {
		const { pid } = this.n8n.process;
		return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
	}

	private statusMb(name: string): number {
		const status = readFileSync(`/proc/${this.n8n.process.pid}/status`, 'utf8');
		return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
	}
}

/** A node that asks one question. */
export function decide(options: object = {}, settings: Partial<INode> = {}): INode {
	return node('Decide', 'decision', { questions: { question: [QUESTION] }, options }, settings);
}

/** A node that has a message streamed. */
export function write(options: object = {}, settings: Partial<INode> = {}): INode {
	return node(
		'Write',
		'message',
		{
			model: 'acme/quick-1',
			messages: { message: [{ role: 'user', content: 'Hello' }] },
			options: { stream: true, ...options },
		},
		settings,
	);
}

/** The error of a node's only item. */
export function failureOf({ outputs }: Execution, name: string): FailedItem {
	const error = outputs[name]?.[0]?.[0]?.json.error as FailedItem | undefined;
	assert.ok(error, `${name} has not failed: ${JSON.stringify(outputs[name])}`);
	return error;
}

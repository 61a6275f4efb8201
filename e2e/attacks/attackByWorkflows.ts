import assert from 'node:assert/strict';

import type { IConnections, INode, INodeExecutionData } from 'n8n-workflow';

import { Emulator } from '../../emulator/Emulator';
import type { StoredCredential, WorkflowFile } from '../N8nSession';
import { chain, node, rowOf } from '../workflows';
import type { Attacks } from './Attacks';
import { decide, type AttackedN8n } from './AttackedN8n';

const ITEMS = 60;

/** Ways in which n8n runs a node other than once, over everything, from the start. */
export async function attackByWorkflows(attacks: Attacks): Promise<void> {
	const n8n = await attacks.startN8n();
	const emulator = await Emulator.start();
	try {
		const credential = await n8n.createCredential(emulator);
		const parts = { n8n, emulator, credential };
		const attack = async (title: string, run: (these: Parts) => Promise<string | void>) => {
			emulator.reset();
			await attacks.attack(title, async () => await run(parts));
		};
		await attack('Loop Over Items with a rate limit', loop);
		await attack(
			'Execute Workflow, once for all items, with a rate limit',
			async (these) => await callOther(these, 'once'),
		);
		await attack(
			'Execute Workflow, once for each item, with a rate limit',
			async (these) => await callOther(these, 'each'),
		);
		await attack('"Execute step" asks for its own node only', executeStep);
		await attack('pinned data asks for nothing', runPinned);
	} finally {
		await emulator.close();
		await n8n.stop();
	}
}

interface Parts {
	n8n: AttackedN8n;
	emulator: Emulator;
	credential: StoredCredential;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `Message ${n}` }));

function expectAll(items: INodeExecutionData[] | undefined, count: number): void {
	assert.deepEqual(
		items?.map(({ json }) => [json.n, typeof json.urgent]),
		numbered(count).map(({ n }) => [n, 'number']),
	);
}

const refusals = ({ requests }: Emulator) => requests.filter(({ status }) => status === 429).length;

async function loop({ n8n, emulator, credential }: Parts): Promise<string> {
	emulator.setRateLimit({ perSecond: 20, burst: 5, limit: 'RPM' });
	const loopNode = node(
		'Loop',
		'n8n-nodes-base.splitInBatches',
		{ batchSize: 10, options: {} },
		{ typeVersion: 3 },
	);
	const row = rowOf('Loop', numbered(ITEMS), [loopNode, decide()]);
	const to = (target: string) => [{ node: target, type: 'main' as const, index: 0 }];
	const connections: IConnections = {
		...row.connections,
		Loop: { main: [[], to('Decide')] },
		Decide: { main: [to('Loop')] },
	};
	const id = await n8n.import({ ...row, connections }, credential);
	const { status, outputs } = await n8n.session.run(id, 'Start');
	assert.equal(status, 'success');
	expectAll(outputs.Loop?.[0], ITEMS);
	return `${refusals(emulator)} refusals for ${ITEMS} items`;
}

async function callOther({ n8n, emulator, credential }: Parts, mode: 'once' | 'each'): Promise<string> {
	emulator.setRateLimit({ perSecond: 20, burst: 5, limit: 'RPM' });
	const trigger = node(
		'Called',
		'n8n-nodes-base.executeWorkflowTrigger',
		{ inputSource: 'passthrough' },
		{ typeVersion: 1.1 },
	);
	const calledId = await n8n.import(chain('Called', [trigger, decide()]), credential);
	await n8n.session.publish(calledId);
	const call = node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{ workflowId: { __rl: true, mode: 'id', value: calledId }, mode, options: {} },
		{ typeVersion: 1.2 },
	);
	const { status, outputs, error } = await n8n.run(credential, numbered(ITEMS), [call]);
	assert.deepEqual([status, error?.message], ['success', undefined]);
	expectAll(outputs.Call?.[0], ITEMS);
	return `${refusals(emulator)} refusals for ${ITEMS} items`;
}

const inTwoSteps = (pinData: WorkflowFile['pinData'] = {}): WorkflowFile => {
	const named = (name: string, field: string): INode => ({ ...decide({ outputField: field }), name });
	const row = rowOf('Steps', numbered(3), [named('First', 'first'), named('Second', 'second')]);
	return { ...row, pinData: { ...row.pinData, ...pinData } };
};

async function executeStep({ n8n, emulator, credential }: Parts): Promise<string> {
	const id = await n8n.import(inTwoSteps(), credential);
	const whole = await n8n.session.start(id, 'Start');
	await n8n.session.settledExecution(whole);
	assert.equal(emulator.requests.length, 6);
	emulator.requests.length = 0;
	const partial = await n8n.session.startStep(id, 'Second', whole);
	const { status, outputs } = await n8n.session.settledExecution(partial);
	assert.equal(status, 'success');
	assert.equal(emulator.requests.length, 3);
	assert.deepEqual(
		outputs.Second?.[0]?.map(({ json }) => [json.n, typeof json.first, typeof json.second]),
		[0, 1, 2].map((n) => [n, 'object', 'object']),
	);
	return '3 requests for 3 items of the second of two nodes';
}

async function runPinned({ n8n, emulator, credential }: Parts): Promise<string> {
	const pinned = [{ json: { n: 7, first: { urgent: 1, urgent_yes: true } } }];
	const id = await n8n.import(inTwoSteps({ First: pinned }), credential);
	const { status, outputs } = await n8n.session.run(id, 'Start');
	assert.equal(status, 'success');
	assert.equal(emulator.requests.length, 1);
	assert.equal(outputs.Second?.[0]?.[0]?.json.n, 7);
	return '1 request, of the node behind the pinned one';
}

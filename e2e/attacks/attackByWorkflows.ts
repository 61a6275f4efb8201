import assert from 'node:assert/strict';

import type { IConnections, INode, INodeExecutionData } from 'n8n-workflow';

import { Emulator } from '../../emulator/Emulator';
import type { StoredCredential, WorkflowFile } from '../N8nSession';
import { chain, node, rowOf } from '../workflows';
import type { Attacks } from './Attacks';
import { decide, type AttackedN8n } from './AttackedN8n';

const ITEMS = 60;

/** Workflows in which n8n does more than run a node once, with all items, from the start. */
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
		await attack(
			'Route in a sub-workflow, once for all items',
			async (these) => await callRoute(these, 'once'),
		);
		await attack(
			'Route in a sub-workflow, once for each item',
			async (these) => await callRoute(these, 'each'),
		);
		await attack('Route with pinned data, and behind pinned data', routePinned);
		await attack('"Execute step" sends requests for its own node only', executeStep);
		await attack('pinned data sends no requests', runPinned);
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

const route = (settings: Partial<INode> = {}) =>
	node(
		'Route',
		'decision',
		{
			operation: 'route',
			questions: {
				question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
			},
		},
		settings,
	);

const mixed = (count: number) =>
	numbered(count).map(({ n }) => ({
		n,
		text: n % 2 === 0 ? 'My card was stolen, help me immediately!' : 'Thank you, all is well.',
	}));

/** A Route with a node behind each of its outputs, which notes the output that an item took. */
function routed(name: string, start: INode, pinData: WorkflowFile['pinData'] = {}): WorkflowFile {
	const row = chain(name, [start, route()]);
	const ways = ['Uncertain', 'Yes', 'No'].map((way) =>
		node(
			way,
			'n8n-nodes-base.set',
			{
				assignments: { assignments: [{ id: way, name: 'way', value: way, type: 'string' }] },
				includeOtherFields: true,
				options: {},
			},
			{ typeVersion: 3.4 },
		),
	);
	const end = node('End', 'n8n-nodes-base.noOp');
	const to = (target: string) => [{ node: target, type: 'main' as const, index: 0 }];
	return {
		...row,
		nodes: [...row.nodes, ...ways, end],
		connections: {
			...row.connections,
			Route: { main: ways.map((way) => to(way.name)) },
			...Object.fromEntries(ways.map((way) => [way.name, { main: [to('End')] }])),
		},
		pinData,
	};
}

async function callRoute({ n8n, emulator, credential }: Parts, mode: 'once' | 'each'): Promise<string> {
	const trigger = node(
		'Called',
		'n8n-nodes-base.executeWorkflowTrigger',
		{ inputSource: 'passthrough' },
		{ typeVersion: 1.1 },
	);
	const calledId = await n8n.import(routed('Called Route', trigger), credential);
	await n8n.session.publish(calledId);
	const call = node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{ workflowId: { __rl: true, mode: 'id', value: calledId }, mode, options: {} },
		{ typeVersion: 1.2 },
	);
	const { status, outputs, error } = await n8n.run(credential, mixed(20), [call]);
	assert.deepEqual([status, error?.message], ['success', undefined]);
	assert.equal(emulator.requests.length, 20);
	const items = outputs.Call?.[0] ?? [];
	for (const { json } of items) assert.equal(json.way, Number(json.n) % 2 === 0 ? 'Yes' : 'No');
	return `${items.length} items came back of 20 asked, each by its own way`;
}

async function routePinned({ n8n, emulator, credential }: Parts): Promise<string> {
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const items = mixed(4).map((json) => ({ json }));
	const behind = await n8n.import(routed('Behind pinned', start, { Start: items }), credential);
	const first = await n8n.session.run(behind, 'Start');
	assert.equal(first.status, 'success');
	assert.deepEqual(
		first.outputs.Route?.map((output) => output.map(({ json }) => json.n)),
		[[], [0, 2], [1, 3]],
	);
	const asked = emulator.requests.length;
	const pinned = { Start: items, Route: first.outputs.Route.flat() };
	const itself = await n8n.import(routed('Pinned', start, pinned), credential);
	const { status, outputs } = await n8n.session.run(itself, 'Start');
	assert.equal(status, 'success');
	assert.equal(emulator.requests.length, asked, 'a pinned Route asks nothing');
	const ways = outputs.Route?.map((output) => output.length);
	return `pinned itself, nothing is asked; n8n puts out ${JSON.stringify(ways)} of 4 items by output`;
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

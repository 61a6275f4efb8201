import assert from 'node:assert/strict';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeCall } from './NodeRunner';
import { MODEL } from './model';
import { KEV_IS_LOADING } from './servers/kev';
import type { Abilities, StrangeServer } from './StrangeServer';

/** Runs one node against the server of a trial. */
export type Call = (call: NodeCall) => Promise<IDataObject[]>;

/** What a node must manage with a server. Throws when it does not. */
export interface NodeTrial {
	title: string;
	needs: Abilities;
	run(call: Call): Promise<void>;
}

const GENERATION: Abilities = { operations: 'generation', callsTools: false, streams: 'whole' };
const ALL_OPERATIONS: Abilities = { ...GENERATION, operations: 'all' };
const DECISION: Abilities = { ...GENERATION, operations: 'decision' };
const TOOLS: Abilities = { ...GENERATION, callsTools: true };
const LIVE_STREAMS: Abilities = { ...GENERATION, streams: 'live' };

const SAYING_HELLO: INodeParameters = {
	model: MODEL,
	messages: { message: [{ role: 'user', content: 'Say hello.' }] },
	maxTokens: 64,
};

/** The questions of the contract's example. A server that knows only the examples can answer them. */
const QUESTIONS: INodeParameters = {
	stateSource: 'text',
	stateText: 'My card was stolen, please help me now!',
	questions: {
		question: [
			{ id: 'urgent', type: 'noul', instructions: 'Is the message urgent?' },
			{
				id: 'team',
				type: 'choice',
				instructions: 'Which team should handle the message?',
				options: {
					option: [
						{ name: 'cards', description: 'Cards and PINs' },
						{ name: 'transfers', description: 'Bank transfers' },
					],
				},
			},
			{
				id: 'upset',
				type: 'score',
				instructions: 'How upset is the customer?',
				levels: {
					level: [{ description: 'calm' }, { description: 'annoyed' }, { description: 'furious' }],
				},
			},
		],
	},
};

const STYLE = { model: 'voice-1', customName: 'narrator', text: 'The quick brown fox.' };

/** The trials for every server that supports them. */
export const NODE_TRIALS: NodeTrial[] = [
	{
		title: 'Decision: answers three questions',
		needs: DECISION,
		run: async (call) => {
			const [answers] = await call({ type: 'decision', parameters: QUESTIONS });
			assert.equal(typeof answers?.urgent, 'number');
			assert.equal(answers?.urgent_yes, true);
			assert.equal(answers?.team, 'cards');
			assert.equal(typeof answers?.upset_level, 'string');
		},
	},
	{
		title: 'Decision: routes by an answer',
		needs: DECISION,
		run: async (call) => {
			const parameters = { ...QUESTIONS, operation: 'route', routeQuestion: 'team' };
			const [routed] = await call({ type: 'decision', parameters });
			assert.equal(routed?.route, 'cards');
		},
	},
	{
		title: 'Message: generates',
		needs: GENERATION,
		run: async (call) => {
			const [message] = await call({ type: 'message', parameters: SAYING_HELLO });
			assert.match(String(message?.text), /hello/i);
			assert.equal(message?.stop_reason, 'end_turn');
		},
	},
	{
		title: 'Message: generates as a stream',
		needs: GENERATION,
		run: async (call) => {
			const parameters = { ...SAYING_HELLO, options: { stream: true } };
			const [message] = await call({ type: 'message', parameters });
			assert.match(String(message?.text), /hello/i);
			assert.equal(message?.stop_reason, 'end_turn');
		},
	},
	...[false, true].map((stream): NodeTrial => ({
		title: `Message: calls a tool${stream ? ' in a stream' : ''}`,
		needs: TOOLS,
		run: async (call) => {
			const tool = {
				name: 'convert_money',
				description: 'Converts money',
				inputSchema: JSON.stringify({ type: 'object', properties: { amount: { type: 'number' } } }),
			};
			const parameters: INodeParameters = {
				...SAYING_HELLO,
				messages: { message: [{ role: 'user', content: 'Please convert_money {"amount": 7}' }] },
				options: { stream, tools: { tool: [tool] } },
			};
			const [message] = await call({ type: 'message', parameters });
			assert.equal(message?.stop_reason, 'tool_use');
			const [called] = message?.tool_calls as IDataObject[];
			assert.equal(called?.name, 'convert_money');
			assert.deepEqual(called?.input, { amount: 7 });
		},
	})),
	...[false, true].map((stream): NodeTrial => ({
		title: `Message: chats${stream ? ' as a stream' : ''}`,
		needs: GENERATION,
		run: async (call) => {
			const parameters = { ...SAYING_HELLO, operation: 'chat', options: { stream } };
			const [chat] = await call({ type: 'message', parameters });
			assert.match(String(chat?.text), /hello/i);
			assert.equal(chat?.finish_reason, 'stop');
		},
	})),
	{
		title: 'Message: passes a chat on while it is made',
		needs: LIVE_STREAMS,
		run: async (call) => {
			const atMs: number[] = [];
			const onChunk = () => atMs.push(performance.now());
			await call({ type: 'message', parameters: { ...SAYING_HELLO, operation: 'chat' }, onChunk });
			const durationMs = (atMs.at(-1) ?? 0) - (atMs[0] ?? 0);
			assert.ok(durationMs > 200, `all pieces came within ${Math.round(durationMs)} ms`);
		},
	},
	{
		title: 'Voice: uploads a recording, lists the styles, deletes one',
		needs: ALL_OPERATIONS,
		run: async (call) => {
			const recording = { data: 'SUQzBAAAAAAA', mimeType: 'audio/mpeg', fileName: 'narrator.mp3' };
			const [uploaded] = await call({
				type: 'voice',
				parameters: { operation: 'upload', ...STYLE },
				item: { json: {}, binary: { data: recording } },
			});
			assert.match(String(uploaded?.uri), /^speech:narrator:/);
			const listed = await call({ type: 'voice', parameters: {} });
			assert.ok(listed.some(({ uri }) => uri === uploaded?.uri));
			const [deleted] = await call({
				type: 'voice',
				parameters: { operation: 'delete', uri: { __rl: true, mode: 'uri', value: String(uploaded?.uri) } },
			});
			assert.deepEqual(deleted, { deleted: true, uri: uploaded?.uri });
		},
	},
	{
		title: 'Batch: cancels',
		needs: ALL_OPERATIONS,
		run: async (call) => {
			const [batch] = await call({ type: 'batch', parameters: { batchId: 'batch_000001' } });
			assert.equal(batch?.id, 'batch_000001');
			assert.match(String(batch?.created_at), /^\d{4}-/);
		},
	},
	{
		title: 'Account: reads the account and its balance',
		needs: ALL_OPERATIONS,
		run: async (call) => {
			const [account] = await call({ type: 'account', parameters: {} });
			assert.equal(account?.email, 'user@example.com');
			const [balance] = await call({ type: 'account', parameters: { operation: 'getBalance' } });
			assert.equal(typeof balance?.total_balance, 'number');
		},
	},
];

/** Further trials for Kev's API layer: what it accepts or returns that the service's document does not mention. */
export const KEV_TRIALS: NodeTrial[] = [
	{
		title: 'Decision: criteria of yes or no, and null, from a map made for it',
		needs: DECISION,
		run: async (call) => {
			const map = {
				lost: { type: 'noul', instructions: 'Is it lost?', criteria: { true: 'It is gone', false: null } },
				team: { type: 'choice', instructions: 'Which team?', criteria: { cards: null, transfers: null } },
			};
			const [answers] = await call({
				type: 'decision',
				parameters: { ...QUESTIONS, questionsSource: 'json', questionsJson: JSON.stringify(map) },
			});
			assert.equal(answers?.lost_yes, true);
			assert.equal(answers?.team, 'cards');
		},
	},
	{
		title: 'Decision: an error in its own form is read (503, detail)',
		needs: DECISION,
		run: async (call) => {
			const parameters = { ...QUESTIONS, stateText: KEV_IS_LOADING, options: { maxRetries: 0 } };
			await assert.rejects(call({ type: 'decision', parameters }), /Model is not loaded/);
		},
	},
	{
		title:
			'Decision: known to differ, more than 10 levels are refused by the node (the service takes 2 to 10)',
		needs: DECISION,
		run: async (call) => {
			const criteria = Array.from({ length: 11 }, (_, index) => `level ${index}`);
			const map = { a: { type: 'score', instructions: 'How much?', criteria } };
			const parameters = { ...QUESTIONS, questionsSource: 'json', questionsJson: JSON.stringify(map) };
			await assert.rejects(call({ type: 'decision', parameters }), /2 to 10 levels/);
		},
	},
	{
		title: 'Decision: known to differ, its trace ID is the one sent (its x-typesafe-request-id is not read)',
		needs: DECISION,
		run: async (call) => {
			const options = { includeMetadata: true, traceId: 'order-4711' };
			const [answers] = await call({ type: 'decision', parameters: { ...QUESTIONS, options } });
			assert.equal(answers?.trace_id, 'order-4711');
		},
	},
];

/** Whether a trial can run with a server. */
export function isServed({ needs }: NodeTrial, { serves }: StrangeServer): boolean {
	return (
		(serves.operations === 'all' || serves.operations === needs.operations) &&
		(!needs.callsTools || serves.callsTools) &&
		(needs.streams === 'whole' || serves.streams === 'live')
	);
}

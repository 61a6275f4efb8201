import assert from 'node:assert/strict';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeCall } from './NodeRunner';
import type { Abilities } from './StrangeServer';

/** All servers here know this model, which the contract's examples name. */
export const MODEL = 'vendor/model_name';

/** Runs one node against the server of a trial. */
export type Call = (call: NodeCall) => Promise<IDataObject[]>;

/** Describes a task that a node must manage with a server. `run` throws if it does not. */
export interface NodeTrial {
	title: string;
	needs: Abilities;
	run(call: Call): Promise<void>;
}

const ANY: Abilities = { callsTools: false, streams: 'whole' };
const TOOLS: Abilities = { ...ANY, callsTools: true };
const LIVE_STREAMS: Abilities = { ...ANY, streams: 'live' };

const SAYING_HELLO: INodeParameters = {
	model: MODEL,
	messages: { message: [{ role: 'user', content: 'Say hello.' }] },
	maxTokens: 64,
};

/** The questions are those of the contract's example, because a server that knows only the examples can answer them. */
const QUESTIONS: INodeParameters = {
	stateSource: 'text',
	stateText: 'My card was stolen, please help me now!',
	questions: {
		question: [
			{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help now?' },
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

/** Each trial runs with every server that has the abilities it needs. */
export const NODE_TRIALS: NodeTrial[] = [
	{
		title: 'Decision: answers three questions',
		needs: ANY,
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
		needs: ANY,
		run: async (call) => {
			const parameters = { ...QUESTIONS, operation: 'route', routeQuestion: 'team' };
			const [routed] = await call({ type: 'decision', parameters });
			assert.equal(routed?.route, 'cards');
		},
	},
	{
		title: 'Message: generates',
		needs: ANY,
		run: async (call) => {
			const [message] = await call({ type: 'message', parameters: SAYING_HELLO });
			assert.match(String(message?.text), /hello/i);
			assert.equal(message?.stop_reason, 'end_turn');
		},
	},
	{
		title: 'Message: generates as a stream',
		needs: ANY,
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
		needs: ANY,
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
		needs: ANY,
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
		needs: ANY,
		run: async (call) => {
			const [batch] = await call({ type: 'batch', parameters: { batchId: 'batch_000001' } });
			assert.equal(batch?.id, 'batch_000001');
			assert.match(String(batch?.created_at), /^\d{4}-/);
		},
	},
	{
		title: 'Account: reads the account and its balance',
		needs: ANY,
		run: async (call) => {
			const [account] = await call({ type: 'account', parameters: {} });
			assert.equal(account?.email, 'user@example.com');
			const [balance] = await call({ type: 'account', parameters: { operation: 'getBalance' } });
			assert.equal(typeof balance?.total_balance, 'number');
		},
	},
];

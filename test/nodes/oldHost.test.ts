import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type * as N8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, ISupplyDataFunctions, NodeApiError } from 'n8n-workflow';

import { freePorts } from '../support/freePorts';
import { clock } from '../../nodes/shared/service/clock';
import { testWhere } from '../support/host';
import { modelUserOf } from '../support/modelUser';
import { nodeDriver } from '../support/nodeDriver';
import { nodeTypes } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

// Older versions of n8n do not count tokens, do not export the name of a node as a tool, and cannot abort a sleep.
jest.mock('n8n-workflow', () => {
	const { sleep, ...actual } = jest.requireActual<typeof N8nWorkflow>('n8n-workflow');
	return {
		...actual,
		accumulateTokenUsage: undefined,
		nodeNameToToolName: undefined,
		sleep: async (milliseconds: number) => await sleep(milliseconds),
	};
});

let mockHasSdk = false;

// The SDK for AI nodes is missing in n8n before 2.16.
jest.mock('@n8n/ai-node-sdk', () => {
	if (!mockHasSdk) throw new Error("Cannot find module '@n8n/ai-node-sdk'");
	return jest.requireActual<object>('@n8n/ai-node-sdk');
});

/** n8n passes these functions to nodes today, but not in every version that the package supports. */
const LATER = new Set<unknown>([
	'addExecutionHints',
	'isConsoleOutputRedacted',
	'isStreaming',
	'isToolExecution',
]);

/** In an older n8n, this function gives its network rules. */
let getSecureEgressFilter: (() => undefined) | undefined;

const WITH_REQUESTS = 'httpRequestWithAuthentication';

/** Removes the cause of an error, because n8n before 2.34 passes on only its code and its message. */
async function withoutCause(sent: Promise<unknown>): Promise<unknown> {
	return await sent.catch((error: NodeApiError) => {
		throw Object.assign(error, { cause: undefined });
	});
}

function asBefore<Context extends object>(context: Context): Context {
	return new Proxy(context, {
		get: (target, name) => {
			if (LATER.has(name)) return undefined;
			if (name === 'getSecureEgressFilter') return getSecureEgressFilter;
			const value: unknown = Reflect.get(target, name);
			if (name === 'helpers') return asBefore(value as object);
			if (name === WITH_REQUESTS) {
				const send = value as (...args: unknown[]) => Promise<unknown>;
				return async function (this: unknown, ...args: unknown[]) {
					return await withoutCause(send.apply(this, args));
				};
			}
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
}

function onOldHost(type: INodeType): INodeType {
	const { description, methods, execute, supplyData } = type;
	return {
		description,
		methods,
		supplyData:
			supplyData &&
			async function (this: ISupplyDataFunctions, index) {
				return await supplyData.call(asBefore(this), index);
			},
		execute:
			execute &&
			async function (this: IExecuteFunctions) {
				return await execute.call(asBefore(this));
			},
	};
}

const oldTypes = Object.fromEntries(Object.entries(nodeTypes).map(([name, type]) => [name, onOldHost(type)]));

const emulator = useEmulator();

test('the chat model names the n8n version that it needs if the SDK for AI nodes is missing', async () => {
	const useModel = modelUserOf(emulator, 'acme/quick-1', oldTypes);
	const { run, traces } = await useModel(async (model) => await model.invoke('Hi'));
	const needed = 'Inference Chat Model needs n8n 2.16 or later: this n8n does not have the SDK for AI nodes';
	expect(run.data.resultData.error).toMatchObject({
		message: 'Error in sub-node Model',
		description: needed,
	});
	expect(traces[0]!.error!.message).toBe(needed);
	expect(emulator.requests).toEqual([]);
});

testWhere('aiNodeSdk')('the chat model answers without a warning in an n8n that shows no hints', async () => {
	mockHasSdk = true;
	const useModel = modelUserOf(emulator, 'acme/quick-1', oldTypes);
	const tell = async (model: BaseChatModel) => (await model.invoke('Tell me a story')).text;
	const used = await useModel(tell, { options: { maxTokens: 3 } });
	expect(used.result()).toBe('You wrote “Tell');
	expect(used.traces[0]!.hints).toBeUndefined();
});

test('a wait lasts its whole time and ends at an abort in an n8n that cannot abort a sleep', async () => {
	const startMs = clock.now();
	await clock.wait(700, new AbortController().signal);
	expect(clock.now() - startMs).toBeGreaterThanOrEqual(699);
	const stop = new AbortController();
	const waiting = clock.wait(60_000, stop.signal);
	stop.abort(new Error('Stopped'));
	await expect(waiting).rejects.toThrow('Stopped');
});

describe.each([
	["n8n's request helper", false, undefined],
	['the built-in fetch', true, undefined],
	// So do n8n 2.28 to 2.37 while their network rules are off.
	[
		'the built-in fetch of an n8n whose function for its network rules returns nothing',
		true,
		() => undefined,
	],
])('an n8n that lacks later features, by %s', (_, reuseConnections, egressFilter) => {
	beforeAll(() => {
		getSecureEgressFilter = egressFilter;
	});

	const host = { nodeTypes: oldTypes, credential: { reuseConnections } };
	const items = [{ text: 'hello' }];

	test('Decision answers questions', async () => {
		const decision = nodeDriver('decision', emulator, { ...host, items });
		const question = [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }];
		expect(await decision.json({ questions: { question } })).toMatchObject({
			text: 'hello',
			urgent: expect.any(Number),
		});
	});

	test('Message generates a message and a chat', async () => {
		const message = nodeDriver('message', emulator, host);
		const parameters = {
			model: 'acme/quick-1',
			messages: { message: [{ role: 'user', content: 'Hello' }] },
		};
		expect(await message.json(parameters)).toMatchObject({ text: expect.stringContaining('Hello') });
		expect(await message.json({ ...parameters, operation: 'chat' })).toMatchObject({
			text: expect.stringContaining('Hello'),
		});
	});

	test('the error names its cause, and a request that cannot have arrived is retried', async () => {
		const decision = nodeDriver('decision', emulator, { ...host, items });
		const question = [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }];
		const parameters = { questions: { question }, options: { maxRetries: 1 } };
		const [closedPort] = await freePorts(1);
		const service = { url: `http://127.0.0.1:${closedPort}/v1`, apiKey: emulator.apiKey };
		expect(await decision.error(parameters, { service })).toMatchObject({
			message: expect.stringMatching(/^Nothing accepts connections at this address \(.*ECONNREFUSED/),
			description: expect.not.stringContaining('may be billed'),
			attempts: 2,
		});
		// Such an n8n does not tell whether a response had begun.
		emulator.fault({ cut: 'before-headers', times: Infinity });
		expect(await decision.error(parameters)).toMatchObject({
			message: expect.stringMatching(/^The connection was closed before the response was complete \(.+\)$/),
			description: expect.stringContaining('may be billed'),
		});
	});
});

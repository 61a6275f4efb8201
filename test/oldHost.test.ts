import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { IExecuteFunctions, INodeType, ISupplyDataFunctions, NodeApiError } from 'n8n-workflow';

import { freePorts } from '../e2e/freePorts';
import { modelUserOf } from './modelUser';
import { nodeDriver } from './nodeDriver';
import { nodeTypes } from './runNode';
import { useEmulator } from './useEmulator';

// As on n8n before it counted tokens, and told how it names a node as a tool.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	accumulateTokenUsage: undefined,
	nodeNameToToolName: undefined,
}));

/** What n8n passes to nodes today, but not in every version that the package runs on. */
const LATER = new Set<unknown>([
	'addExecutionHints',
	'getSecureEgressFilter',
	'isConsoleOutputRedacted',
	'isStreaming',
	'isToolExecution',
]);

const WITH_REQUESTS = 'httpRequestWithAuthentication';

/** In n8n 2.20 and older, an error keeps of its cause only the code and the message. */
async function withoutCause(sent: Promise<unknown>): Promise<unknown> {
	return await sent.catch((error: NodeApiError) => {
		throw Object.assign(error, { cause: undefined });
	});
}

function asBefore<Context extends object>(context: Context): Context {
	return new Proxy(context, {
		get: (target, name) => {
			if (LATER.has(name)) return undefined;
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

test('an n8n that shows no hints lacks the warning of the chat model, and nothing else', async () => {
	const useModel = modelUserOf(emulator, 'acme/quick-1', oldTypes);
	const tell = async (model: BaseChatModel) => (await model.invoke('Tell me a story')).text;
	const used = await useModel(tell, { options: { maxTokens: 3 } });
	expect(used.result()).toBe('You wrote “Tell');
	expect(used.traces[0]!.hints).toBeUndefined();
});

describe.each([
	["n8n's request helper", false],
	['the built-in fetch', true],
])('an n8n that lacks later features, by %s', (_, reuseConnections) => {
	const host = { nodeTypes: oldTypes, credential: { reuseConnections } };
	const items = [{ text: 'hello' }];

	test('answers questions', async () => {
		const decision = nodeDriver('decision', emulator, { ...host, items });
		const question = [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }];
		expect(await decision.json({ questions: { question } })).toMatchObject({
			text: 'hello',
			urgent: expect.any(Number),
		});
	});

	test('writes', async () => {
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

	test('says why a request failed, and sends it again if it cannot have arrived', async () => {
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
		emulator.fault({ cut: 'before-headers', times: Infinity });
		expect(await decision.error(parameters)).toMatchObject({
			message: expect.stringMatching(/^The connection was closed before there was a response \(.+\)$/),
			description: expect.stringContaining('may be billed'),
		});
	});
});

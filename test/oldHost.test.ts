import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { nodeDriver } from './nodeDriver';
import { nodeTypes } from './runNode';
import { useEmulator } from './useEmulator';

// As on n8n before it counted tokens, and told how it names a node as a tool.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	accumulateTokenUsage: undefined,
	nodeNameToToolName: undefined,
}));

/** What n8n hands to nodes today, and did not in every version that the package runs on. */
const LATER = new Set<unknown>([
	'addExecutionHints',
	'getSecureEgressFilter',
	'isConsoleOutputRedacted',
	'isStreaming',
	'isToolExecution',
]);

function asBefore<Context extends object>(context: Context): Context {
	return new Proxy(context, {
		get: (target, name) => {
			if (LATER.has(name)) return undefined;
			const value: unknown = Reflect.get(target, name);
			if (name === 'helpers') return asBefore(value as object);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
}

function onOldHost(type: INodeType): INodeType {
	const { description, methods, execute } = type;
	return {
		description,
		methods,
		execute:
			execute &&
			async function (this: IExecuteFunctions) {
				return await execute.call(asBefore(this));
			},
	};
}

const oldTypes = Object.fromEntries(Object.entries(nodeTypes).map(([name, type]) => [name, onOldHost(type)]));

const emulator = useEmulator();

describe.each([
	["n8n's request helper", false],
	['the built-in fetch', true],
])('an n8n that lacks what came later, by %s', (_, reuseConnections) => {
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
});

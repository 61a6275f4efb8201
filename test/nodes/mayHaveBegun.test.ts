import { DynamicTool } from '@langchain/core/tools';
import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../emulator/Emulator';
import { messageWithTools, MODEL, saying } from '../support/messageWithTools';
import { modelUserOf } from '../support/modelUser';
import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

/** Sends one request with these options, expects it to fail, and returns the description of the error. */
type Path = (options: INodeParameters, service?: { url: string; apiKey: string }) => Promise<string>;

function pathOf(type: string, parameters: INodeParameters, input: NodeInput = {}): Path {
	const { options, ...others } = parameters;
	return async (further, service = emulator) => {
		const asked = { ...others, options: { ...(options as object), ...further } };
		return (await nodeDriver(type, emulator, { ...input, service }).error(asked)).description!;
	};
}

const tool = new DynamicTool({ name: 'look_up', description: 'Finds an order', func: async () => 'found' });

const runWithTools = messageWithTools(emulator);

const withTools: Path = async (options) => {
	const parameters = { ...saying('look_up {"input": "7"}'), options };
	try {
		(await runWithTools(parameters, { connected: [tool] })).outputs();
	} catch (error) {
		return (error as { description: string }).description;
	}
	return '';
};

const throughModel =
	(isStreamed: boolean): Path =>
	async (options, { url, apiKey } = emulator) => {
		const { traces } = await modelUserOf({ url, apiKey }, MODEL)(
			async (model) => {
				if (!isStreamed) return await model.invoke('Hi');
				for await (const _chunk of await model.stream('Hi'));
				return undefined;
			},
			{ options },
		);
		return traces.at(-1)!.error!.description!;
	};

const question = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const hello = { model: MODEL, ...saying('Hi') };
const uploading = {
	operation: 'upload',
	audioSource: 'dataUri',
	audioDataUri: 'data:audio/mpeg;base64,AAAA',
	customName: 'mine',
	text: 'Hello',
	model: 'vendor/voice',
};

/** Every request that costs money. */
const billed: Record<string, Path> = {
	'a decision': pathOf('decision', { questions: { question: [question] } }, { items: [{ n: 1 }] }),
	'a message': pathOf('message', hello),
	'a streamed chat': pathOf('message', { operation: 'chat', ...hello }),
	'a chat model': throughModel(false),
	'a streamed chat model': throughModel(true),
};

/** Every request that is free, but changes something at the service. */
const changing: Record<string, Path> = {
	'an upload': pathOf('voice', uploading),
	'a deletion': pathOf('voice', { operation: 'delete', uri: 'speech:mine:a:b' }),
	'a cancellation': pathOf('batch', { batchId: 'batch_1' }),
};

const reading: Record<string, Path> = {
	'a list': pathOf('voice', { operation: 'getAll' }),
	'an account': pathOf('account', {}),
};

/** In `mayHaveBegun`, each failure says whether the service may have begun to carry the request out. */
type Failure = [what: string, mayHaveBegun: boolean, fault: Fault];

const ofEachPath: Failure[] = [
	['504', true, { status: 504 }],
	['503', false, { status: 503 }],
	['a connection that is reset', true, { cut: 'before-headers' }],
	['a timeout', true, { stall: 'before-headers' }],
];

const ofOnePath: Failure[] = [
	...[408, 500, 502, 520, 521, 522, 523, 524, 599].map((status): Failure => [`${status}`, true, { status }]),
	...[302, 304, 400, 401, 403, 404, 422, 529].map((status): Failure => [`${status}`, false, { status }]),
	['a limit per day', false, { status: 429, body: { message: 'RPD limit reached', data: '' } }],
	['a response that breaks off', true, { cut: 'mid-body' }],
	['a page', true, { status: 200, body: '<html><title>Login</title></html>' }],
	['a reported error', true, { status: 200, body: { error: { message: 'No' } } }],
];

const MAY_BE_BILLED = /^The request may be billed\.$/m;

const MAY_BE_DONE = /^The request may have been carried out\.$/m;

async function expectBillingNote(
	run: Path,
	[what, mayHaveBegun, fault]: Failure,
	expected?: RegExp,
): Promise<void> {
	emulator.reset();
	emulator.fault({ ...fault, times: Infinity });
	const description = await run({ maxRetries: 0, timeout: what === 'a timeout' ? 30 : 10_000 });
	const notes = [MAY_BE_BILLED, MAY_BE_DONE].filter((words) => words.test(description));
	expect([what, notes]).toEqual([what, expected && mayHaveBegun ? [expected] : []]);
	await emulator.waitFor(() => emulator.inFlight === 0);
}

test.each([
	...Object.entries(billed).map(([path, run]) => [path, run, MAY_BE_BILLED] as const),
	...Object.entries(changing).map(([path, run]) => [path, run, MAY_BE_DONE] as const),
	...Object.entries(reading).map(([path, run]) => [path, run, undefined] as const),
])('the error of %s says whether it may be billed or carried out', async (_path, run, expected) => {
	for (const failure of ofEachPath) await expectBillingNote(run, failure, expected);
	const description = await run({ maxRetries: 0 }, { url: 'http://127.0.0.1:9/v1', apiKey: 'any' });
	expect(description).toMatch(
		/^(Nothing accepts connections .*\n)?Check the base URL (?!.*may (?:be|have))[^\n]*(?:\nTrace ID: n8n-\S+)?$/,
	);
});

test.each([
	...['a decision', 'a list', 'an account'].map((path) => [path, 2] as const),
	...['a message', 'a streamed chat', 'a chat model', 'a streamed chat model'].map(
		(path) => [path, 1] as const,
	),
	...Object.keys(changing).map((path) => [path, 1] as const),
])('%s that times out is sent %d times', async (path, times) => {
	emulator.fault({ stall: 'before-headers', times: Infinity });
	await { ...billed, ...changing, ...reading }[path]!({ timeout: 500 });
	expect(emulator.requests).toHaveLength(times);
});

test.each(ofOnePath)(
	'the error of a message that fails with %s says that it may be billed: %s',
	async (...failure) => {
		await expectBillingNote(billed['a message']!, failure, MAY_BE_BILLED);
	},
);

test('the error counts only the attempts that may be billed', async () => {
	emulator.fault({ status: 504, times: 2 });
	emulator.fault({ status: 400, times: Infinity });
	expect(await billed['a message']!({})).toMatch(
		/^The request was sent 3 times\. 2 of them may be billed\.$/m,
	);
	emulator.reset();
	emulator.fault({ status: 504, times: Infinity });
	expect(await billed['a decision']!({ maxRetries: 1 })).toMatch(
		/^The request was sent 2 times\. Each of them may be billed\.$/m,
	);
});

test('the error of a failed round of tools says how many requests were answered, and how many may be billed', async () => {
	emulator.fault({ bodyIncludes: 'tool_result', status: 504 });
	expect(await withTools({ maxRetries: 0 })).toMatch(
		/^Tools that had run before: look_up .*\n2 requests were sent, of which the service answered 1\. Of the others, 1 may be billed\.$/m,
	);
});

test('the error for an answer that cannot be used says that it may be billed', async () => {
	const withText = { content: [{ type: 'text', text: 'Sure!' }], stop_reason: 'end_turn' };
	emulator.fault({ status: 200, body: withText });
	expect(await billed['a message']!({ responseFormat: 'json' })).toMatch(MAY_BE_BILLED);
	emulator.fault({ status: 200, body: { answers: { urgent: { type: 'noul', noul: 7 } } } });
	expect(await billed['a decision']!({})).toMatch(MAY_BE_BILLED);
});

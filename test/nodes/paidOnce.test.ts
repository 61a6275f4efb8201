import { inspect } from 'node:util';

import { DynamicTool } from '@langchain/core/tools';
import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { AnswerStore, type KeptAnswer, type Run } from '../../client/answers/AnswerStore';
import { RunAnswers } from '../../client/answers/RunAnswers';
import { processState } from '../../nodes/shared/service/processState';
import { TokenBudgets } from '../../nodes/shared/service/TokenBudget';
import { singleCall } from '../../client/limiter/ItemCalls';
import { messageWithTools } from '../support/messageWithTools';
import { behindTrigger } from '../../engine/behindTrigger';
import { runWorkflow } from '../../engine/runWorkflow';
import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { credentialTypes, nodeTypes, readErrorItem } from '../support/runNode';
import { standIns } from '../support/standIns';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const message = nodeDriver('message', emulator);

let workflows = 0;
/** Returns a new workflow ID, so that no other test has stored answers for it. */
const newWorkflowId = () => `saved ${workflows++}`;

/**
 * Makes items with different texts. Each ends in a dot, so that none is a part of another: `failWith400` fails every request that
 * contains a text, and "text 1" would be in the request for "text 19" too.
 */
const texts = (count: number, prefix = 'text') =>
	Array.from({ length: count }, (_, index) => ({ n: `${prefix} ${index}.` }));

const ask = (options: object = {}, more: object = {}): INodeParameters => ({
	questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] },
	options: { includeOtherFields: false, ...options },
	...more,
});

/** Makes the service answer requests that contain this text with 400, as many times as given. */
function failWith400(text: string, times = Infinity) {
	emulator.fault({ path: /systemone|messages|completions/, bodyIncludes: text, times, status: 400 });
}

const requests = () => emulator.requests.length;

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

const failing = async (parameters: INodeParameters, input: NodeInput, driver = decision) =>
	await expect(driver.items(parameters, input)).rejects.toHaveProperty('message');

interface LoopRun {
	batchSize?: number;
	onError?: 'continueRegularOutput';
	signal?: AbortSignal;
}

/** Runs the Decision node in a loop over items, until it fails or is stopped. */
async function loopUntilFailure(count: number, { batchSize = 1, onError, signal }: LoopRun = {}) {
	const { nodes } = behindTrigger({
		type: 'n8n-nodes-inference-service.decision',
		typeVersion: 1,
		parameters: ask({ maxRetries: 0, concurrency: 1 }),
		onError,
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
	});
	const loop = {
		id: '3',
		name: 'Loop',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { batchSize },
	};
	const { data } = await runWorkflow({
		nodeTypes: { ...nodeTypes, ...standIns },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		workflowId: newWorkflowId(),
		workflow: {
			nodes: [...nodes, { ...loop, type: 'n8n-nodes-base.splitInBatches' }],
			connections: {
				Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
				Loop: { main: [[], [{ node: 'Node', type: 'main', index: 0 }]] },
				Node: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
			},
		},
		items: texts(count).map((json) => ({ json })),
		signal,
	});
	return { description: data.resultData.error?.description ?? '' };
}

describe('when items of a run are equal,', () => {
	test('1000 of them share one request and do not block the event loop', async () => {
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const items = Array.from({ length: 1000 }, () => ({ n: 'a' }));
		const output = await decision.items(ask({ timeout: '={{ 60000 }}' }), { items });
		clearInterval(timer);
		expect(output).toHaveLength(1000);
		expect(requests()).toBe(1);
		expect(turns).toBeGreaterThan(3);
	});

	test('they share one request, and each gets its own copy of the answer', async () => {
		const items = [{ n: 'a' }, { n: 'b' }, { n: 'a' }, { n: 'a' }];
		const output = await decision.items(ask({ includeMetadata: true }), { items });
		expect(requests()).toBe(2);
		const [first, second, third, fourth] = jsonOf(output);
		expect(third).toEqual(first);
		expect(fourth).toEqual(first);
		expect(third).not.toBe(first);
		expect(second!.trace_id).not.toBe(first!.trace_id);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
	});

	test('one that begins after a failure sends its own request', async () => {
		emulator.fault({ times: 1, status: 503 });
		const items = [{ n: 'a' }, { n: 'b' }, { n: 'a' }, { n: 'a' }];
		const output = await decision.items(ask({ maxRetries: 0, concurrency: 1 }), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(output).map((json) => 'error' in json)).toEqual([true, false, false, false]);
		expect(requests()).toBe(3);
	});

	test('they share a failure, and each error has its own item index', async () => {
		failWith400('bad');
		const items = [{ n: 'bad' }, { n: 'good' }, { n: 'bad' }];
		const output = await decision.items(ask(), { items, onError: 'continueRegularOutput' });
		expect(requests()).toBe(2);
		const errors = [output[0]!, output[2]!].map(({ json }) => readErrorItem(json).error);
		expect(errors.map(({ item_index }) => item_index)).toEqual([0, 2]);
		expect({ ...errors[1], item_index: 0 }).toEqual(errors[0]);
	});

	test.each([
		['with a trace ID of its own', ask({ traceId: '={{ "trace-" + $itemIndex }}' })],
		['with a traceparent', ask({ traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })],
		['with Reuse Answers on Never', ask({ reuseAnswers: 'never' })],
		['with another timeout', ask({ timeout: '={{ 10000 + $itemIndex }}' })],
		['with another Max Retries', ask({ maxRetries: '={{ $itemIndex }}' })],
		['with another Max Wait', ask({ maxWait: '={{ 10 + $itemIndex }}' })],
	])('one %s sends its own request', async (_, parameters) => {
		await decision.items(parameters, { items: [{ n: 'a' }, { n: 'a' }, { n: 'a' }] });
		expect(requests()).toBe(3);
	});

	test.each([
		['never', 'afterFailure', 3],
		['afterFailure', 'never', 1],
	])('Reuse Answers of the first item holds for the run: %s, then %s', async (first, others, count) => {
		const reuseAnswers = `={{ $itemIndex === 0 ? '${first}' : '${others}' }}`;
		await decision.items(ask({ reuseAnswers }), { items: [{ n: 'a' }, { n: 'a' }, { n: 'a' }] });
		expect(requests()).toBe(count);
	});

	test('the failure of an item with a trace ID does not end the sharing of equal items without one', async () => {
		emulator.fault({ skip: 1, times: 1, status: 400 });
		const traceId = '={{ $itemIndex === 1 ? "trace" : "" }}';
		const output = await decision.items(ask({ traceId, concurrency: 1 }), {
			items: [{ n: 'a' }, { n: 'a' }, { n: 'a' }],
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(output).map((json) => 'error' in json)).toEqual([false, true, false]);
		expect(requests()).toBe(2);
	});

	test('messages send a request each, because their replies may be meant to differ', async () => {
		const parameters = {
			model: 'acme/quick-1',
			messages: { message: [{ role: 'user', content: 'Hello' }] },
		} as unknown as INodeParameters;
		await message.items(parameters, { items: [{}, {}] });
		expect(requests()).toBe(2);
	});

	test('the hint counts the tokens of a shared request once, and says how many items shared it', async () => {
		const hint = await decision.hint(ask(), { items: [{ n: 'a' }, { n: 'a' }] });
		const alone = await decision.hint(ask(), { items: [{ n: 'a' }] });
		const tokens = /Tokens: .*/.exec(alone)![0];
		expect(hint).toContain(`${tokens}<br>1 item shared the request of an identical item.`);
		expect(hint).not.toContain('All items');
	});

	test('the hint says if three items or more all sent the same', async () => {
		const same = [{ n: 'a' }, { n: 'a' }, { n: 'a' }];
		expect(await decision.hint(ask(), { items: same })).toContain(
			'2 items shared the request of an identical item. All items sent the same content: check the fields',
		);
		const other = await decision.hint(ask(), { items: [...same, { n: 'b' }] });
		expect(other).not.toContain('All items');
	});

	test('an item that waits for the request of an equal item does not count for Concurrency', async () => {
		emulator.fault({ path: '/systemone', bodyIncludes: 'slow', stall: 'before-headers' });
		const stop = new AbortController();
		const items = [{ n: 'slow' }, { n: 'slow' }, ...texts(5)];
		const run = decision.run(ask({ concurrency: 2 }), { items, signal: stop.signal });
		// The first slow item holds one of two slots until the end. If the second held the other, no further request could arrive.
		await emulator.waitFor(() => requests() === 6 && emulator.inFlight === 1);
		stop.abort();
		await run;
	});
});

describe('with Reuse Answers,', () => {
	test('after a run that stopped at an error, the next run requests only the missing answers', async () => {
		const workflowId = newWorkflowId();
		const items = texts(20);
		failWith400('text 19.', 1);
		await expect(decision.items(ask({ concurrency: 1 }), { items, workflowId })).rejects.toMatchObject({
			description: expect.stringContaining(
				'19 answers are kept for the next run: if it begins within an hour in the same n8n process, they are not paid for again.',
			) as string,
		});
		expect(requests()).toBe(20);
		const { hint, outputs } = await decision.run(ask({ includeMetadata: true }), {
			items,
			workflowId,
			executionId: '2',
		});
		expect(requests()).toBe(21);
		expect(outputs()[0]).toHaveLength(20);
		expect(hint()).toMatch(
			/19 of 20 answers were taken from a run that ended less than a minute ago\. They were not requested or paid for again\./,
		);
	});

	test('the hint says how many minutes ago the run ended whose answers are reused', async () => {
		const now = { ms: 1e12 };
		processState.answers = new AnswerStore(() => now.ms);
		const workflowId = newWorkflowId();
		failWith400('text 1.', 1);
		await failing(ask({ concurrency: 1 }), { items: texts(2), workflowId });
		now.ms += 17.9 * 60_000;
		const hint = await decision.hint(ask(), { items: texts(2), workflowId, executionId: '2' });
		expect(hint).toMatch(/1 of 2 answers was taken from a run that ended 17 minutes ago\./);
	});

	test('the hint says how long ago the first of several runs ended whose answers are reused', async () => {
		const now = { ms: 1e12 };
		processState.answers = new AnswerStore(() => now.ms);
		const workflowId = newWorkflowId();
		failWith400('bad.');
		for (const paid of [[{ n: 'old.' }], texts(2, 'new')]) {
			await failing(ask({ concurrency: 1 }), { items: [...paid, { n: 'bad.' }], workflowId });
			now.ms += 10 * 60_000;
		}
		const items = [{ n: 'new 0.' }, { n: 'old.' }, { n: 'new 1.' }];
		const hint = await decision.hint(ask({ concurrency: 1 }), { items, workflowId });
		expect(hint).toContain('3 of 3 answers were taken from a run that ended 20 minutes ago.');
	});

	test('under redaction the hint does not say when the run ended whose answers are reused', async () => {
		const workflowId = newWorkflowId();
		failWith400('text 1.', 1);
		await failing(ask({ concurrency: 1 }), { items: texts(2), workflowId });
		const settings = { redactionPolicy: 'all' } as const;
		const hint = await decision.hint(ask(), { items: texts(2), workflowId, settings });
		expect(hint).toContain('<br>1 of 2 answers was taken from an earlier run. ');
	});

	test('under Stop, requests in flight end first, so that no try of Retry On Fail pays for them again', async () => {
		const workflowId = newWorkflowId();
		failWith400('text 20.');
		await failing(ask({ concurrency: 64 }), {
			items: texts(64),
			workflowId,
			node: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
		});
		expect(requests()).toBe(63 + 5);
	});

	test('a reused answer outputs the same item as the original', async () => {
		const workflowId = newWorkflowId();
		const items = texts(3);
		failWith400('text 2.', 1);
		const options = ask({ concurrency: 1, includeMetadata: true, includeProbabilities: true });
		const first = await decision.items(options, { items, workflowId, onError: 'continueRegularOutput' });
		const second = await decision.items(options, { items, workflowId, executionId: '2' });
		expect(jsonOf(second).slice(0, 2)).toEqual(jsonOf(first).slice(0, 2));
		expect(requests()).toBe(4);
	});

	test('a run that succeeds deletes the kept answers that it reused, and no others', async () => {
		const workflowId = newWorkflowId();
		failWith400('text 9.', 1);
		await failing(ask({ concurrency: 1 }), { items: texts(10), workflowId });
		await decision.items(ask(), { items: texts(5), workflowId });
		expect(requests()).toBe(10);
		await decision.items(ask(), { items: texts(5), workflowId });
		expect(requests()).toBe(15);
		await decision.items(ask(), { items: texts(9), workflowId });
		expect(requests()).toBe(20);
	});

	test.each([
		['Stop', 'stopWorkflow', 1],
		['Continue', 'continueRegularOutput', 4],
	] as const)(
		'Retry On Fail requests only the missing answers with On Error on %s',
		async (_, onError, concurrency) => {
			failWith400(onError === 'stopWorkflow' ? 'text 50.' : 'text 0.');
			await decision.run(ask({ concurrency }), {
				items: texts(100),
				onError,
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
				mode: 'trigger',
			});
			expect(requests()).toBe(onError === 'stopWorkflow' ? 53 : 102);
		},
	);

	test('after a run that continued at an error, only a run by hand reuses its answers', async () => {
		const workflowId = newWorkflowId();
		failWith400('text 2.');
		const onError = 'continueRegularOutput' as const;
		const run = async (mode: 'trigger' | 'manual' | 'retry', executionId: string) => {
			const before = requests();
			await decision.items(ask(), { items: texts(3), workflowId, onError, mode, executionId });
			return requests() - before;
		};
		expect(await run('trigger', '1')).toBe(3);
		expect(await run('retry', '2')).toBe(3);
		expect(await run('manual', '3')).toBe(1);
	});

	test('after a run that was stopped by hand, the next run requests only the missing answers', async () => {
		const workflowId = newWorkflowId();
		emulator.fault({ path: '/systemone', bodyIncludes: 'text 5.', stall: 'before-headers' });
		const stop = new AbortController();
		const run = decision.run(ask({ concurrency: 1 }), { items: texts(6), workflowId, signal: stop.signal });
		while (requests() < 6) await new Promise((resolve) => setTimeout(resolve, 10));
		stop.abort();
		expect((await run).run.data.resultData.error).toHaveProperty(
			'description',
			expect.stringMatching(/^1 request was aborted before the end, and may be billed\.\n5 answers are kept/),
		);
		const kept = inspect(processState.answers, { depth: 9 });
		for (const secret of [emulator.apiKey, emulator.url]) expect(kept).not.toContain(secret);
		await decision.items(ask(), { items: texts(6), workflowId, mode: 'trigger' });
		expect(requests()).toBe(7);
	});

	test('the error of a loop says what is kept of its failed pass, and that nothing is kept of the others', async () => {
		for (const [failed, passes] of [
			[1, '1 earlier pass'],
			[3, '3 earlier passes'],
		] as const) {
			emulator.reset();
			failWith400(`text ${failed}.`);
			const { description } = await loopUntilFailure(5);
			expect(description).toContain(
				`\nThe answers of ${passes} of the loop are not kept: a new run asks for them again.`,
			);
			expect(description).not.toContain('kept for the next run');
		}
		emulator.reset();
		failWith400('text 5.');
		const { description } = await loopUntilFailure(6, { batchSize: 2 });
		expect(description).toContain(
			'\n1 answer is kept for the next run: if it begins within an hour in the same n8n process, it is not paid for again.\nThe answers of 2 earlier passes of the loop are not kept',
		);
	});

	test('the error of the first pass of a loop does not speak of earlier ones', async () => {
		failWith400('text 1.');
		const { description } = await loopUntilFailure(4, { batchSize: 2 });
		expect(description).toContain('\n1 answer is kept for the next run: if it begins');
		expect(description).not.toContain('earlier');
	});

	test('after a stop by hand in a loop with On Error on Continue, the error says which passes keep answers', async () => {
		emulator.fault({ path: '/systemone', bodyIncludes: 'text 2.', stall: 'before-headers' });
		const stop = new AbortController();
		const run = loopUntilFailure(4, { onError: 'continueRegularOutput', signal: stop.signal });
		await emulator.waitForRequests(3);
		stop.abort();
		expect((await run).description).toContain(
			'The answers of 2 earlier passes of the loop are kept only if items failed in them.',
		);
	});

	test.each([
		['another workflow', { workflowId: 'other' }, ask()],
		['a workflow that is not saved', { workflowId: undefined }, ask()],
		['another node', { node: { id: 'other' } }, ask()],
		['Reuse Answers on Never', {}, ask({ reuseAnswers: 'never' })],
		[
			'another question',
			{},
			ask({}, { questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it?' }] } }),
		],
	])('no answer is reused by a run with %s', async (_, changed, parameters) => {
		const workflowId = newWorkflowId();
		failWith400('text 2.', 1);
		await failing(ask({ concurrency: 1 }), { items: texts(3), workflowId });
		await decision.items(parameters, { items: texts(3), workflowId, ...changed });
		expect(requests()).toBe(6);
	});

	test('no answer of a workflow that is not saved is stored for the next run', async () => {
		const input = { items: texts(3), workflowId: undefined };
		failWith400('text 2.', 1);
		await failing(ask({ concurrency: 1 }), input);
		await decision.items(ask(), input);
		expect(requests()).toBe(6);
	});

	test('no answer is reused with another API key, and the error counts only the answers of that key', async () => {
		const workflowId = newWorkflowId();
		failWith400('text 2.', 2);
		await failing(ask({ concurrency: 1 }), { items: texts(3), workflowId });
		emulator.apiKey = 'another-key';
		const service = { url: emulator.url, apiKey: 'another-key' };
		const second = decision.items(ask({ concurrency: 1 }), { items: texts(3), workflowId, service });
		const description = expect.stringContaining('\n2 answers are kept for the next run') as string;
		await expect(second).rejects.toMatchObject({ description });
		expect(requests()).toBe(6);
	});

	test('an answer with an impossible value, which Route accepts, is not stored for the next run', async () => {
		const workflowId = newWorkflowId();
		emulator.fault({
			path: '/systemone',
			bodyIncludes: 'text 0.',
			respond: () => ({
				status: 200,
				body: { model: 'Kev-4B', answers: { urgent: { type: 'noul', noul: 7 } }, usage: {} },
			}),
		});
		failWith400('text 1.', 1);
		const route = ask({ concurrency: 1 }, { operation: 'route' });
		await failing(route, { items: texts(2), workflowId });
		const outputs = await decision.outputs(route, { items: texts(2), workflowId });
		expect(requests()).toBe(4);
		expect(outputs.flat()).toHaveLength(2);
	});

	test('after a failed run, the next run requests only missing messages and chats, streamed or not', async () => {
		for (const { operation, options } of [
			{ operation: 'create', options: {} },
			{ operation: 'create', options: { stream: true } },
			{ operation: 'chat', options: {} },
			{ operation: 'create', options: { responseFormat: 'json' } },
		]) {
			emulator.reset();
			const workflowId = newWorkflowId();
			const all = {
				operation,
				model: 'acme/quick-1',
				messages: { message: [{ role: 'user', content: '=Reply in JSON to {{ $json.n }}' }] },
				options: { concurrency: 1, ...options },
			};
			emulator.setScript([{ text: '{"a":1}' }, { text: '{"a":2}' }, { text: '{"a":3}' }]);
			failWith400('text 2.', 1);
			await failing(all, { items: texts(3), workflowId }, message);
			const output = await message.items(all, { items: texts(3), workflowId });
			expect(output).toHaveLength(3);
			// The first run sends two requests and stops at the second. The second run reuses the first answer and sends two.
			expect(requests()).toBe(4);
		}
	});

	const eachText: INodeParameters = {
		model: 'acme/quick-1',
		messages: { message: [{ role: 'user', content: '={{ $json.n }}' }] },
		options: { concurrency: 1 },
	};

	test('no reply of a message with connected tools is stored for the next run', async () => {
		const tool = new DynamicTool({ name: 'look_up', description: 'Finds it', func: async () => 'found' });
		const input = { connected: [tool], items: texts(2).map((json) => ({ json })) };
		const run = messageWithTools(emulator);
		failWith400('text 1.', 1);
		expect((await run(eachText, input)).outputs).toThrow();
		expect((await run(eachText, input)).outputs()[0]).toHaveLength(2);
		expect(requests()).toBe(4);
	});

	test.each(['create', 'chat'])(
		"no reply that was sent to n8n's chat is stored for the next run (%s)",
		async (operation) => {
			const chunks: unknown[] = [];
			const input: NodeInput = {
				items: texts(2),
				workflowId: newWorkflowId(),
				onChunk: (chunk) => chunks.push(chunk),
			};
			failWith400('text 1.', 1);
			await failing({ ...eachText, operation }, input, message);
			expect(chunks).not.toEqual([]);
			await message.items({ ...eachText, operation }, input);
			expect(requests()).toBe(4);
		},
	);

	test('a stored reply that is no JSON fails an item with Response Format JSON without a request, and stays stored', async () => {
		const workflowId = newWorkflowId();
		const input = { items: texts(2), workflowId };
		const as = (responseFormat: string) => ({
			...eachText,
			// The system message that asks for JSON is replaced, so that the requests are equal.
			options: { responseFormat, extraBody: '{"system":"Be brief"}', concurrency: 1 },
		});
		emulator.setScript([{ text: 'No JSON' }]);
		failWith400('text 1.');
		await failing(as('text'), input, message);
		const [first] = await message.items(as('json'), { ...input, onError: 'continueRegularOutput' });
		expect(readErrorItem(first!.json).error).toMatchObject({
			description: expect.stringContaining('No JSON'),
			attempts: 0,
		});
		const [again] = await message.items(as('text'), { ...input, onError: 'continueRegularOutput' });
		expect(again!.json.text).toBe('No JSON');
		expect(emulator.requests.map(({ status }) => status)).toEqual([200, 400, 400, 400]);
	});
});

describe('Token Budget', () => {
	test('fails items without a request when it is used up, and the next run reuses the answers', async () => {
		const workflowId = newWorkflowId();
		const items = texts(30);
		failWith400('text 0.', 1);
		const output = await decision.items(ask({ tokenBudget: 40, concurrency: 2 }), {
			items,
			workflowId,
			onError: 'continueRegularOutput',
		});
		const sent = requests();
		const errors = output.filter(({ json }) => json.error).map(({ json }) => readErrorItem(json).error);
		expect(errors).toHaveLength(31 - sent);
		expect(errors[0]).toMatchObject({ http_status: 400, message: expect.not.stringContaining('budget') });
		expect(errors[1]).toMatchObject({ http_status: null, attempts: 0 });
		expect(errors[1]!.message).toMatch(/^The token budget of 40 is used up: \d+ tokens were used$/);
		const all = await decision.items(ask({ tokenBudget: 100_000 }), { items, workflowId });
		expect(all).toHaveLength(30);
		expect(requests()).toBe(31);
	});

	test('counts the output tokens of an answer that tells nothing of its input', async () => {
		const body = { answers: { urgent: { type: 'noul', noul: 1 } }, usage: { output_tokens: 15 } };
		emulator.answer(body, { path: '/systemone', times: Infinity });
		await expect(
			decision.items(ask({ tokenBudget: 40, concurrency: 1 }), { items: texts(5) }),
		).rejects.toMatchObject({ message: 'The token budget of 40 is used up: 45 tokens were used' });
		expect(requests()).toBe(3);
	});

	test('of the first item holds for the run', async () => {
		const budget = '={{ $itemIndex === 0 ? 100000 : 1 }}';
		await decision.items(ask({ tokenBudget: budget, concurrency: 1 }), { items: texts(3) });
		expect(requests()).toBe(3);
	});

	test('counts the tokens of an answer that cannot be used', async () => {
		emulator.answer({ usage: { input_tokens: 39, output_tokens: 1 } });
		const input = { items: texts(2), onError: 'continueRegularOutput' } as const;
		await decision.items(ask({ tokenBudget: 40, concurrency: 1 }), input);
		expect(requests()).toBe(1);
	});

	test('lets requests in flight be completed and stored for the next run when it stops the node', async () => {
		const workflowId = newWorkflowId();
		const items = texts(8);
		emulator.fault({ path: '/systemone', bodyIncludes: 'text 1.', delayMs: 200, times: 1 });
		const options = { tokenBudget: 1, concurrency: 2 };
		await failing(ask(options), { items, workflowId });
		expect(requests()).toBe(2);
		await decision.items(ask(), { items, workflowId });
		expect(requests()).toBe(8);
	});

	test('counts over all tries of Retry On Fail', async () => {
		const { run } = await decision.run(ask({ tokenBudget: 40, concurrency: 1 }), {
			items: texts(30),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		const sentOnce = requests();
		expect(run.data.resultData.error?.message).toContain('token budget');
		emulator.reset();
		await failing(ask({ tokenBudget: 40, concurrency: 1 }), { items: texts(30) });
		expect(requests()).toBe(sentOnce);
	});

	test('counts over all passes of a loop, and separately for executions without an ID', async () => {
		const budgets = new TokenBudgets();
		budgets.budgetFor('1', 0, 40).count(30);
		const second = budgets.budgetFor('1', 1, 40);
		expect(second.usedUp.aborted).toBe(false);
		second.count(15);
		const call = second.spend(singleCall(0), async () => {
			await Promise.resolve();
			throw second.usedUp.reason;
		});
		await expect(call).rejects.toMatchObject({
			message:
				'The token budget of 40 is used up: 45 tokens were used, 30 of them by earlier passes of a loop, whose answers are not kept',
		});
		expect(budgets.budgetFor('1', 1, 40).usedUp.aborted).toBe(true);
		expect(budgets.budgetFor('1', 2, 100).usedUp.aborted).toBe(false);
		for (const execution of [undefined, undefined, '2']) {
			const budget = budgets.budgetFor(execution, 0, 40);
			budget.count(39);
			expect(budget.usedUp.aborted).toBe(false);
		}
	});

	const answering = (usage: object) =>
		emulator.fault({
			path: '/systemone',
			times: Infinity,
			delayMs: 20,
			respond: () => ({
				status: 200,
				body: { model: 'Kev-4B', answers: { urgent: { type: 'noul', noul: 1 } }, usage },
			}),
		});

	test.each([{ input_tokens: -1_000_000, output_tokens: 0.5 }, { input_tokens: '9' }, {}])(
		'counts the usage %j as no tokens, and a hint says so',
		async (usage) => {
			emulator.answer({ code: 7, message: 'No' }, { bodyIncludes: 'text 3' });
			answering(usage);
			const hint = await decision.hint(ask({ tokenBudget: 40 }), {
				items: texts(4),
				onError: 'continueRegularOutput',
			});
			expect(requests()).toBe(4);
			expect(hint).toContain('3 answers did not report token usage');
		},
	);

	test('has the same tokens in its error as in the hint, including requests in flight', async () => {
		answering({ input_tokens: 30, output_tokens: 10 });
		const { hint, outputs } = await decision.run(ask({ tokenBudget: 50, concurrency: 4 }), {
			items: texts(10),
			onError: 'continueRegularOutput',
		});
		const used = 40 * requests();
		expect(used).toBeGreaterThan(80);
		expect(hint()).toContain(`Tokens: ${30 * requests()} in, ${10 * requests()} out.`);
		const errors = outputs()[0]!.flatMap(({ json }) => (json.error as { message: string }) ?? []);
		expect(new Set(errors.map(({ message: text }) => text))).toEqual(
			new Set([`The token budget of 50 is used up: ${used} tokens were used`]),
		);
	});
});

type RandomRun = typeof randomRun extends fc.Arbitrary<infer One> ? One : never;

/** In a random run, some items may be equal, one kind of item fails, and the run may be stopped at one that gets no answer. */
const randomRun = fc.record({
	items: fc.array(fc.constantFrom('a', 'b', 'refused'), { minLength: 1, maxLength: 5 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	mode: fc.constantFrom('trigger' as const, 'manual' as const, 'retry' as const),
	retryOnFail: fc.boolean(),
	isStopped: fc.boolean(),
});

test('in random runs of equal messages, each paid reply is returned by exactly one successful run', async () => {
	const parameters = (concurrency: number): INodeParameters => ({
		model: 'acme/quick-1',
		messages: { message: [{ role: 'user', content: '=Invent {{ $json.kind }}' }] },
		options: { concurrency },
	});
	const textsOf = (items: INodeExecutionData[]) => items.flatMap(({ json }) => (json.text as string) ?? []);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.array(randomRun, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
			async (groups) => {
				emulator.reset();
				const workflowId = newWorkflowId();
				const paid: string[] = [];
				const spent: string[] = [];
				failWith400('Invent refused');
				emulator.fault({ bodyIncludes: 'Invent silence', stall: 'before-headers', times: Infinity });
				const respond = () => {
					const text = `reply ${paid.length}`;
					paid.push(text);
					return {
						status: 200,
						body: { type: 'message', role: 'assistant', content: [{ type: 'text', text }] },
					};
				};
				emulator.fault({ path: '/messages', times: Infinity, delayMs: 5, respond });
				let executions = 0;
				const run = async ({ items, isStopped, onError, mode, retryOnFail }: RandomRun) => {
					const stop = new AbortController();
					const executionId = String(executions++);
					const silence = `silence ${executionId}.`;
					const kinds = isStopped ? [...items, silence] : items;
					const running = message.run(
						// One request at a time runs before a stop, because requests in flight would be paid for without a reply.
						parameters(isStopped || onError === 'stopWorkflow' ? 1 : 3),
						{
							items: kinds.map((kind) => ({ kind })),
							workflowId,
							executionId,
							onError,
							mode,
							node: { retryOnFail, maxTries: 2, waitBetweenTries: 1 },
							signal: stop.signal,
						},
					);
					const timer = setInterval(() => {
						if (emulator.requests.some(({ rawBody }) => rawBody.includes(silence))) stop.abort();
					}, 10);
					const {
						outputs,
						run: { data },
					} = await running;
					clearInterval(timer);
					if (data.resultData.error || stop.signal.aborted) return;
					const left = textsOf(outputs()[0]!);
					expect(new Set(left).size).toBe(left.length);
					expect(left.filter((text) => spent.includes(text))).toEqual([]);
					if (left.length === items.length) spent.push(...left);
				};
				for (const group of groups) await Promise.all(group.map(run));
				const unspent = paid.filter((text) => !spent.includes(text));
				const items = ['a', 'b'].flatMap((kind) => unspent.map(() => ({ kind })));
				if (items.length === 0) return;
				const last = await message.items(parameters(3), {
					items,
					workflowId,
					executionId: 'last',
					mode: 'manual',
				});
				expect(textsOf(last)).toEqual(expect.arrayContaining(unspent));
				expect(paid).toHaveLength(spent.length + items.length);
			},
		),
		{ numRuns: 10 },
	);
});

describe('the store of kept answers', () => {
	const MIB = 1024 * 1024;
	const HOUR_MS = 3_600_000;

	function storeAt() {
		const now = { ms: 0 };
		const store = new AnswerStore(() => now.ms);
		const run: Run = { executionId: '1', index: 0 };
		const keep = (request: string, answer: Partial<KeptAnswer> = {}) =>
			store.add({ request, json: '{}', endedMs: now.ms, run, isPassedOn: false, ...answer });
		const isKept = (request: string, taker = run, isManual = true) => {
			const answer = store.take(request, () => taker, isManual);
			if (answer) store.add(answer);
			return answer !== undefined;
		};
		return { now, store, keep, isKept };
	}

	test("holds an answer for an hour by the machine's clock", () => {
		const { now, keep, isKept, store } = storeAt();
		keep('a');
		now.ms = HOUR_MS - 1;
		expect(isKept('a')).toBe(true);
		now.ms = HOUR_MS;
		expect(isKept('a')).toBe(false);
		keep('b');
		expect(store.size).toBe(1);
	});

	test.each([
		['10,000 answers', 10_000, ''],
		['32 MiB', 3200, 'x'.repeat(10_000)],
		['32 MiB of letters of two bytes', 1600, 'ж'.repeat(10_000)],
	])('holds at most %s, and removes the oldest first', (_, most, json) => {
		const { store, keep, isKept } = storeAt();
		for (let index = 0; index < 10_010; index++) keep(String(index), { json });
		expect(store.size).toBeLessThanOrEqual(most * 1.05);
		expect(store.size).toBeGreaterThan(most * 0.95);
		expect([isKept(String(10_009 - store.size)), isKept(String(10_010 - store.size))]).toEqual([false, true]);
	});

	test('holds an answer for another hour if the run that reused it fails', async () => {
		const { now, store } = storeAt();
		const send = jest.fn(async () => await Promise.resolve({ result: 1, body: 1 }));
		const runOnce = async () => {
			const answers = new RunAnswers({
				store,
				owner: ['workflow', 'node'],
				run: () => ({ executionId: undefined, index: 0 }),
				isManual: false,
				shares: true,
			});
			const policy = { timeoutMs: 1, maxRetries: 0, item: singleCall(0) };
			const credential = { baseUrl: 'https://a.example', apiKey: 'key' };
			const key = await answers.keyOf({ path: '/systemone', json: '{}', credential }, {}, policy);
			await (answers.find(key, policy.item) ?? answers.pay(key, {}, send()));
			return answers.end('failed');
		};
		for (const hours of [0, 0.9, 1.8, 2.7]) {
			now.ms = hours * HOUR_MS;
			expect(await runOnce()).toBe(1);
		}
		expect(send).toHaveBeenCalledTimes(1);
	});

	test('holds 32 MiB, of answers and of the requests that they belong to', () => {
		const { keep, store } = storeAt();
		for (let index = 0; index < 40; index++) keep(`${index} ${'x'.repeat(MIB - 1000)}`);
		expect(store.size).toBe(32);
	});

	test('does not store an answer above 1 MiB, and removes no other for it', () => {
		const { keep, isKept } = storeAt();
		keep('small');
		keep('just', { json: 'x'.repeat(MIB) });
		keep('large', { json: 'x'.repeat(MIB + 1) });
		expect(['small', 'just', 'large'].map((request) => isKept(request))).toEqual([true, true, false]);
	});

	test.each([
		['a later try of the same run', { executionId: '1', index: 0 }, true, true],
		['a later pass of the same execution', { executionId: '1', index: 1 }, false, false],
		['another execution', { executionId: '2', index: 0 }, true, false],
		['an execution without an ID', { executionId: undefined, index: 0 }, true, false],
	])(
		'gives %s (%j) an answer after a failed run: %s, after a run that continued: %s',
		(_, taker, afterFailure, afterContinuing) => {
			for (const [isPassedOn, mayTake] of [
				[false, afterFailure],
				[true, afterContinuing],
			]) {
				const { keep, isKept } = storeAt();
				keep('a', { isPassedOn });
				expect(isKept('a', taker, false)).toBe(mayTake);
				const isPass = taker.executionId === '1' && taker.index === 1;
				expect(isKept('a', taker, true)).toBe(!isPass);
			}
		},
	);

	const part = fc.constantFrom(
		'',
		'a',
		'aa',
		'"',
		'","',
		'\n',
		'a\n',
		'/systemone',
		'x'.repeat(2000),
		'x'.repeat(2001),
	);

	const asker = fc.record({
		workflowId: part,
		nodeId: part,
		baseUrl: part,
		apiKey: part,
		path: part,
		json: part,
	});

	test('gives no answer to another workflow, node, URL, API key, path or body', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(asker, { minLength: 2, maxLength: 12 }), async (askers) => {
				const store = new AnswerStore();
				for (const one of askers) {
					const { workflowId, nodeId, baseUrl, apiKey, path, json } = one;
					const answers = new RunAnswers({
						store,
						owner: [workflowId, nodeId],
						run: () => ({ executionId: undefined, index: 0 }),
						isManual: false,
						shares: true,
					});
					const policy = { timeoutMs: 1, maxRetries: 0, item: singleCall(0) };
					const key = await answers.keyOf({ path, json, credential: { baseUrl, apiKey } }, {}, policy);
					const sent = Promise.resolve({ result: one, body: one });
					const answer = await (answers.find(key, policy.item) ?? answers.pay(key, {}, sent));
					expect(JSON.parse(answer.json)).toEqual(one);
					answers.end('failed');
				}
			}),
		);
	});
});

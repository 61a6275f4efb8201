import { byTestId, type Editor } from '../Editor';
import { openEditorForAll, type Setting, takePicture } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;

const question = {
	questions: {
		question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
	},
};

openEditorForAll((opened) => ({ setting, editor } = opened));

afterEach(() => setting.emulator.reset());

test('an error shows what the service said, what to do next, and the trace ID', async () => {
	const options = { model: { __rl: true, mode: 'id', value: 'Kev-5B' }, traceId: 'order-4711' };
	const decide = node('Decide', 'decision', { ...question, options });
	const workflow = rowOf('Unknown model', [{ message: 'My card was stolen!' }], [decide]);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	await editor.openWorkflow(id);
	await editor.openNode('Decide');
	await editor.executeStep();
	expect(await byTestId(editor.output, 'node-error-message').innerText()).toBe('model must be one of Kev-4B');
	const description = await byTestId(editor.output, 'node-error-description').innerText();
	expect(description).toMatch(/model/i);
	expect(description).toContain('order-4711');
	await editor.page.setViewportSize({ width: 1400, height: 700 });
	await editor.parameter('options.traceId').scrollIntoViewIfNeeded();
	expect(await editor.parameter('options.model').isVisible()).toBe(true);
	await takePicture(editor.nodeView, 'error');
});

test('with "Continue (using error output)" only the failed item goes there, with its own fields', async () => {
	const decide = node('Decide', 'decision', question, { onError: 'continueErrorOutput' });
	const items = ['first', 'second', 'third'].map((name) => ({
		name,
		message: `The ${name} card was stolen!`,
	}));
	const workflow = rowOf('Error output', items, [decide]);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	setting.emulator.fault({
		bodyIncludes: 'second card',
		status: 403,
		times: Infinity,
	});
	const { status, outputs } = await setting.session.run(id, 'Start');
	expect(status).toBe('success');
	const [answered, failed] = outputs.Decide!;
	expect(answered!.map(({ json }) => json.name)).toEqual(['first', 'third']);
	expect(failed!.map(({ json }) => json)).toEqual([
		{
			...items[1],
			error: expect.objectContaining({
				message: 'This model requires real-name verification.',
				http_status: 403,
				item_index: 1,
				attempts: 1,
			}) as object,
		},
	]);
});

test('an execution that is stopped closes its connections to the service', async () => {
	const workflow = rowOf(
		'Stopped',
		Array.from({ length: 20 }, (_, number) => ({ message: `Message ${number}` })),
		[node('Decide', 'decision', { ...question, options: { concurrency: 4 } })],
	);
	const id = await setting.session.importWorkflow(workflow, setting.credentials);
	setting.emulator.latencyMs = 60_000;
	const executionId = await setting.session.start(id, 'Start');
	await setting.emulator.waitForRequests(4, 15_000);
	await setting.session.stop(executionId);
	await setting.emulator.waitFor(() => setting.emulator.inFlight === 0, 2000);
	expect(setting.emulator.requests.map(({ closedByClient }) => closedByClient)).toEqual([
		true,
		true,
		true,
		true,
	]);
	expect((await setting.session.settledExecution(executionId)).status).toBe('canceled');
});

const items = Array.from({ length: 20 }, (_, number) => ({ message: `Message ${number}.` }));

const sent = () => setting.emulator.requests.map(({ body }) => (body as { state?: unknown }).state);

/** Decides on twenty messages, one after the other. One of them is refused once. */
async function runRefusedOnce(name: string, settings: object = {}): Promise<string> {
	const decide = node('Decide', 'decision', { ...question, options: { concurrency: 1 } }, settings);
	const workflow = rowOf(name, items, [decide]);
	setting.emulator.fault({ bodyIncludes: 'Message 15.', status: 400 });
	return await setting.session.importWorkflow(workflow, setting.credentials);
}

test('a failed execution that is retried from the list asks only for what is missing', async () => {
	const id = await runRefusedOnce('Retried');
	const failed = await setting.session.run(id, 'Start');
	expect(failed.status).toBe('error');
	expect(sent()).toEqual(items.slice(0, 16));
	const [executionId] = await setting.session.executionIds(id);
	await setting.session.call('POST', `/executions/${executionId}/retry`, { loadWorkflow: false });
	const retried = await setting.session.latestExecution(id);
	expect(retried.status).toBe('success');
	expect(retried.outputs.Decide![0]).toHaveLength(20);
	expect(sent()).toEqual([...items.slice(0, 16), ...items.slice(15)]);
});

test('Retry On Fail asks only for what is missing', async () => {
	const id = await runRefusedOnce('Tried again', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
	const { status, outputs } = await setting.session.run(id, 'Start');
	expect(status).toBe('success');
	expect(outputs.Decide![0]).toHaveLength(20);
	expect(sent()).toEqual([...items.slice(0, 16), ...items.slice(15)]);
});

import { modelUserOf } from './modelUser';
import { useEmulator } from './useEmulator';

// As on n8n before 2.16.
jest.mock('@n8n/ai-node-sdk', () => {
	throw new Error("Cannot find module '@n8n/ai-node-sdk'");
});

const emulator = useEmulator();

test("on an n8n without the SDK for AI nodes, the error's message says which n8n it needs", async () => {
	const useModel = modelUserOf(emulator, 'acme/quick-1');

	const { run, traces } = await useModel(async (model) => await model.invoke('Hi'));

	const needed = 'Inference Chat Model needs n8n 2.16 or later: this n8n does not have the SDK for AI nodes';
	expect(run.data.resultData.error).toMatchObject({
		message: 'Error in sub-node Model',
		description: needed,
	});
	expect(traces[0]!.error!.message).toBe(needed);
	expect(emulator.requests).toEqual([]);
});

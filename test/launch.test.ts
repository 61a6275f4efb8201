import { ExecutionCalls } from '../client/limiter/WaitBudget';
import { launch } from '../nodes/shared/run/launch';

test('after an error no item is begun, although nothing has been stopped', async () => {
	const begun: number[] = [];
	const launched = launch({
		count: 3,
		calls: new ExecutionCalls(1),
		signal: new AbortController().signal,
		run: async (index) => {
			begun.push(index);
			return await Promise.reject(new Error('The budget is used up'));
		},
		itemEnds: () => {},
	});
	await expect(launched).rejects.toThrow('The budget is used up');
	expect(begun).toEqual([0]);
});

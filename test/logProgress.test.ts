import { nodeDriver } from './nodeDriver';
import { useEmulator } from './useEmulator';
import { useLog } from './useLog';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const asking = { questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] } };

beforeAll(async () => await decision.run(asking));

const log = useLog();

async function run(count: number): Promise<string[]> {
	const items = Array.from({ length: count }, (_, n) => ({ n }));
	await decision.run(asking, { items, onError: 'continueRegularOutput' });
	return log.map((line) => /\d+ of \d+ items/.exec(line)?.[0] ?? line);
}

test('a run of 100 items or more writes to the log at every tenth of them', async () => {
	const tenths = Array.from({ length: 10 }, (_, index) => `${(index + 1) * 10} of 100 items`);
	expect(await run(100)).toEqual(tenths);
});

test('a tenth between two items is logged at the next item', async () => {
	const done = [11, 20, 21, 31, 42, 52, 62, 73, 83, 93, 103];
	expect(await run(103)).toEqual(done.map((count) => `${count} of 103 items`));
});

test('a long run logs the time left after its first items', async () => {
	await run(1100);
	const [, seconds] = /: 20 of 1,100 items done, about (\d+) s left$/.exec(log[0]!)!;
	expect(Number(seconds)).toBeLessThan(60);
	expect(log.at(-1)).toMatch(/: 1,100 of 1,100 items done$/);
});

test('failed items count as done', async () => {
	emulator.fault({ status: 400, times: Infinity });
	expect(await run(100)).toHaveLength(10);
});

test('a run of fewer items writes nothing', async () => {
	expect(await run(99)).toEqual([]);
});

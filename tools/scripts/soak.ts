import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Emulator } from '../../emulator/Emulator';
import { useTemporaryUserFolder } from '../../engine/useTemporaryUserFolder';
import type { NodeRunner } from '../strangers/NodeRunner';

/** How many executions are started in a minute, at equal intervals. */
const PER_MINUTE = 1000;

/** In MB, the growth of the heap after a collection, from the end of the first minute to the end of the last. */
const MOST_GROWTH_MB = 20;

const MOST_HANDLES_MORE = 10;

const MODEL = 'acme/quick-1';

const QUESTION = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };

/** The calls that are run in turn, on both transports. The answer shows which execution it belongs to. */
const CALLS = [
	{ type: 'decision', parameters: { questions: { question: [QUESTION] } }, field: 'urgent' },
	{
		type: 'message',
		parameters: {
			model: MODEL,
			messages: { message: [{ role: 'user', content: 'Hello' }] },
			options: { stream: true, includeOtherFields: true },
		},
		field: 'text',
	},
];

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
	const minutes = Number(values.minutes);
	process.env.N8N_LOG_LEVEL = 'silent';
	useTemporaryUserFolder();
	// NodeRunner reads the folder of n8n when it is loaded.
	const runner = await (await import('../strangers/NodeRunner.js')).NodeRunner.load();
	const emulator = await Emulator.start({ latencyMs: 50, recordRequests: false, models: [MODEL] });
	let lost = 0;
	const levels: Array<{ heapMb: number; handles: number }> = [];
	for (let minute = 1; minute <= minutes; minute++) {
		lost += await runMinute(runner, emulator, minute * PER_MINUTE);
		levels.push(await measure());
		console.log(
			`minute ${minute}: ${levels.at(-1)!.heapMb} MB, ${levels.at(-1)!.handles} handles, ${lost} lost`,
		);
	}
	await emulator.close();
	const [first, last] = [levels[0]!, levels.at(-1)!];
	const hasGrown = last.heapMb - first.heapMb > MOST_GROWTH_MB;
	const leftOpen = last.handles - first.handles > MOST_HANDLES_MORE;
	const failed = [lost > 0, hasGrown, leftOpen].filter(Boolean).length;
	console.log(`${3 - failed} passed, ${failed} failed: nothing lost, no growth, nothing left open`);
	process.exitCode = failed > 0 ? 1 : 0;
}

/** Waits for all executions that it starts; returns how many were lost. */
async function runMinute(runner: NodeRunner, emulator: Emulator, first: number): Promise<number> {
	let lost = 0;
	const startedAt = performance.now();
	const runs: Array<Promise<void>> = [];
	for (let n = first; n < first + PER_MINUTE; n++) {
		await setTimeout(Math.max(0, startedAt + ((n - first) * 60_000) / PER_MINUTE - performance.now()));
		const run = runOnce(runner, emulator, n).catch((error: unknown) => {
			lost++;
			console.error(`execution ${n}: ${String(error)}`);
		});
		runs.push(run);
	}
	await Promise.all(runs);
	return lost;
}

async function runOnce(runner: NodeRunner, service: Emulator, n: number): Promise<void> {
	const { field, ...call } = CALLS[n % CALLS.length]!;
	const reuseConnections = n % (2 * CALLS.length) < CALLS.length;
	const items = await runner.run(service, { ...call, item: { json: { n } } }, reuseConnections);
	if (items.length !== 1 || items[0]?.n !== n || items[0][field] === undefined) {
		throw new Error(`came back as ${JSON.stringify(items)}`);
	}
}

async function measure() {
	// Connections that are kept open close by themselves after some seconds.
	await setTimeout(6000);
	if (!globalThis.gc) throw new Error('Run this by npm run soak, which lets it collect garbage');
	globalThis.gc();
	const heapMb = Math.round(process.memoryUsage().heapUsed / 1024 ** 2);
	return { heapMb, handles: readdirSync('/proc/self/fd').length };
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

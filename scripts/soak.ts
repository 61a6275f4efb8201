import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Emulator } from '../emulator/Emulator';
import { useTemporaryUserFolder } from '../engine/useTemporaryUserFolder';
import type { NodeRunner } from '../strangers/NodeRunner';
import { Checklist } from './Checklist';

const USAGE = `Usage: npm run soak -- [options]
  --minutes N   how long to run, default 10`;

/** How many executions are started in a minute. */
const PER_MINUTE = 1000;

/** In MB, the growth of the heap after a collection, from the end of the first minute to the end of the last. */
const MOST_GROWTH_MB = 20;

const MOST_HANDLES_MORE = 10;

const MODEL = 'acme/quick-1';

const QUESTION = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };

interface Levels {
	heapMb: number;
	/** How many files and sockets are open. */
	handles: number;
}

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
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '10' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(USAGE);
	process.env.N8N_LOG_LEVEL = 'silent';
	useTemporaryUserFolder();
	const minutes = Number(values.minutes);
	// NodeRunner reads the folder of n8n when it is loaded.
	const runner = await (await import('../strangers/NodeRunner.js')).NodeRunner.load();
	const emulator = await Emulator.start({ latencyMs: 50, recordRequests: false, models: [MODEL] });
	const checklist = new Checklist();
	try {
		await checklist.check(`${PER_MINUTE} executions a minute for ${minutes} minutes`, async () => {
			const lost: string[] = [];
			const levels: Levels[] = [];
			for (let minute = 0; minute < minutes; minute++) {
				lost.push(...(await runMinute(runner, emulator, minute * PER_MINUTE)));
				levels.push(await measure());
				const { heapMb, handles } = levels.at(-1)!;
				console.log(`      minute ${minute + 1}: ${heapMb} MB, ${handles} handles, ${lost.length} lost`);
			}
			const [first, last] = [levels[0]!, levels.at(-1)!];
			return {
				findings: [
					...lost.slice(0, 5),
					...(last.heapMb - first.heapMb > MOST_GROWTH_MB ? ['The heap has grown'] : []),
					...(last.handles - first.handles > MOST_HANDLES_MORE ? ['Handles are left open'] : []),
				],
				note: `${minutes * PER_MINUTE - lost.length} answered, ${lost.length} lost`,
			};
		});
	} finally {
		await emulator.close();
	}
	checklist.finish();
}

/** Starts executions at equal intervals, and waits for all of them. Returns what was lost, and why. */
async function runMinute(runner: NodeRunner, emulator: Emulator, first: number): Promise<string[]> {
	const lost: string[] = [];
	const startedAt = performance.now();
	const runs: Array<Promise<void>> = [];
	for (let n = 0; n < PER_MINUTE; n++) {
		await setTimeout(Math.max(0, startedAt + (n * 60_000) / PER_MINUTE - performance.now()));
		runs.push(
			runOnce(runner, emulator, first + n).catch((error: unknown) => {
				lost.push(`${first + n}: ${String(error)}`);
			}),
		);
	}
	await Promise.all(runs);
	return lost;
}

async function runOnce(runner: NodeRunner, service: Emulator, n: number): Promise<void> {
	const { field, ...call } = CALLS[n % CALLS.length]!;
	const reuseConnections = n % (2 * CALLS.length) < CALLS.length;
	const items = await runner.run(service, { ...call, item: { json: { n } } }, reuseConnections);
	const [item] = items;
	if (items.length !== 1 || item?.n !== n || item[field] === undefined) {
		throw new Error(`came back as ${JSON.stringify(items)}`);
	}
}

async function measure(): Promise<Levels> {
	// Connections that are kept open close by themselves after some seconds.
	await setTimeout(6000);
	if (!globalThis.gc) throw new Error('Run this by npm run soak, which lets it collect garbage');
	globalThis.gc();
	return {
		heapMb: Math.round(process.memoryUsage().heapUsed / 1024 ** 2),
		handles: readdirSync('/proc/self/fd').length,
	};
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

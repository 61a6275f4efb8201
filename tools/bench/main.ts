import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { pack, unpack } from '../scripts/pack';
import { Bench } from './Bench';
import { describeMachine } from './machine';
import { hasInstalledPeers } from './peers/installed';
import { everyLimit } from './scenarios/everyLimit';
import { memory } from './scenarios/memory';
import { outages } from './scenarios/outages';
import { paidOnce } from './scenarios/paidOnce';
import { rateLimit } from './scenarios/rateLimit';
import { throughput } from './scenarios/throughput';
import { toMarkdown, type Section } from './Section';

const ROOT = resolve(__dirname, '../..');
const RESULTS = join(__dirname, 'RESULTS.md');

const SCENARIOS: Record<string, (bench: Bench) => Promise<Section>> = {
	throughput,
	memory,
	limit: rateLimit,
	everyLimit,
	paidOnce,
	outages,
};

const USAGE = `Usage: npm run bench -- [options]

  --scenario NAME   only this one: ${Object.keys(SCENARIOS).join(', ')}; may be given more than once
  --quick           small counts and few rounds, to see whether the bench itself works
  --beside FOLDER   measure another clone too, such as that of a release; its package must be built

A full run of all writes tools/bench/RESULTS.md. NODE_OPTIONS=--cpu-prof writes CPU profiles.`;

const NO_PEERS = `n8n's own nodes are not installed: run "npm ci" in tools/e2e to compare them with this node.`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			scenario: { type: 'string', multiple: true, default: Object.keys(SCENARIOS) },
			quick: { type: 'boolean', default: false },
			beside: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	const unknown = flags.scenario.find((name) => !(name in SCENARIOS));
	if (flags.help || unknown !== undefined) return console.log(USAGE);
	const withInstalledPeers = hasInstalledPeers();
	if (!withInstalledPeers) console.log(`${NO_PEERS}\n`);

	// At `silent`, n8n's logger looks up the caller of each line before it drops it. At `error`, a debug line costs nothing.
	process.env.N8N_LOG_LEVEL = 'error';
	const startedAt = new Date();
	// The package is measured as it is published. A copy does not change if somebody builds the project during the run.
	const folder = mkdtempSync(join(ROOT, '.tmp-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
	const packageFolder = join(folder, 'package');
	unpack(pack(folder), packageFolder);
	const bench = await Bench.start({
		packageFolder,
		quick: flags.quick,
		withInstalledPeers,
		...(flags.beside !== undefined && { besideFolder: resolve(flags.beside) }),
	});
	const isWritten = flags.scenario.length === Object.keys(SCENARIOS).length && !flags.quick;
	const parts: string[] = [];
	try {
		for (const name of flags.scenario) {
			console.log(name);
			const section = await SCENARIOS[name]!(bench);
			parts.push(toMarkdown(section));
			console.log(`\n${parts.at(-1)}\n`);
		}
	} finally {
		await bench.end();
	}
	const minutes = Math.round((Date.now() - startedAt.getTime()) / 60_000);
	console.log(`Took ${minutes} minutes`);
	if (isWritten) writeFileSync(RESULTS, `${[heading(startedAt, minutes), ...parts].join('\n\n')}\n`);
}

function heading(startedAt: Date, minutes: number): string {
	return `# Benchmark results

\`npm run bench\` on ${startedAt.toISOString().slice(0, 10)}, ${minutes} minutes.

${describeMachine()}

Each run is its own process, which has sent some unmeasured items first, except where memory is measured. The service is the emulator of this
repository, in another process. The peers take turns. Figures are medians, with the lowest and the highest in brackets. "This node" is
the Decision node, as packed for publishing; all nodes run on n8n's engine.`;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

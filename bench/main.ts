import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { pack, unpack } from '../scripts/pack';
import { Bench } from './Bench';
import { makeCertificate } from './certificate';
import { drawLimitCharts } from './drawLimitCharts';
import { describeMachine } from './machine';
import { hasInstalledPeers } from './peers/installed';
import { replaceSections } from './replaceSections';
import { cpu } from './scenarios/cpu';
import { distance } from './scenarios/distance';
import { everyLimit } from './scenarios/everyLimit';
import { hostile } from './scenarios/hostile';
import { loading } from './scenarios/loading';
import { memory } from './scenarios/memory';
import { paidOnce } from './scenarios/paidOnce';
import { rateLimit } from './scenarios/rateLimit';
import { sharedLimit } from './scenarios/sharedLimit';
import { streaming } from './scenarios/streaming';
import { throughput } from './scenarios/throughput';
import { workers } from './scenarios/workers';
import { toMarkdown, type Section } from './Section';

const ROOT = resolve(__dirname, '..');
const RESULTS = join(__dirname, 'RESULTS.md');

const USAGE = `Usage: npm run bench -- [options]

  --scenario N      only this one, 1 to 12; may be given more than once
  --quick           small counts and few rounds, to see whether the bench itself works
  --write           put the sections of --scenario into bench/RESULTS.md; a full run of all writes the whole file anyway
  --chart           measure nothing: draw the README's chart again, from bench/RESULTS.md
  --beside FOLDER   in scenarios 9 to 12, measure another clone too; its package must be built
  --profile FOLDER  write a CPU profile of each peer's first run there`;

const NO_PEERS = `n8n's own nodes and Anthropic's SDK are not installed: run "npm ci" in e2e to compare them with this node.`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			scenario: { type: 'string', multiple: true },
			quick: { type: 'boolean', default: false },
			write: { type: 'boolean', default: false },
			chart: { type: 'boolean', default: false },
			beside: { type: 'string' },
			profile: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	if (flags.chart) return drawLimitCharts(readFileSync(RESULTS, 'utf8'));
	const withInstalledPeers = hasInstalledPeers();
	if (!withInstalledPeers) console.log(`${NO_PEERS}\n`);
	if (flags.profile !== undefined) mkdirSync(flags.profile, { recursive: true });

	const startedAt = new Date();
	const folder = mkdtempSync(join(ROOT, '.tmp-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
	let bench: Bench | undefined;
	try {
		const { packageFolder, tarball } = packPackage(folder);
		bench = await Bench.start({
			packageFolder,
			quick: flags.quick,
			withInstalledPeers,
			besideFolder: flags.beside === undefined ? undefined : resolve(flags.beside),
			profileFolder: flags.profile,
		});
		const scenarios = scenariosOf(bench, folder, tarball);
		const wanted = flags.scenario ?? Object.keys(scenarios);
		const unknown = wanted.find((name) => !(name in scenarios));
		if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}\n\n${USAGE}`);
		const parts: string[] = [];
		for (const name of wanted) {
			console.log(`Scenario ${name}`);
			const part = toMarkdown(await scenarios[name]!());
			console.log(`\n${part}\n`);
			parts.push(part);
		}
		const minutes = Math.round((Date.now() - startedAt.getTime()) / 60_000);
		console.log(`Took ${minutes} minutes`);
		if (flags.scenario === undefined && (!flags.quick || flags.write)) {
			const head = heading(startedAt, minutes, withInstalledPeers, flags.quick);
			writeResults(`${[head, ...parts].join('\n\n')}\n`);
		} else if (flags.write) {
			writeResults(replaceSections(readFileSync(RESULTS, 'utf8'), parts.map(datedOn(startedAt))));
		}
	} finally {
		await bench?.end();
	}
}

/** Writes the results, and draws the README's chart again, because it shows them. */
function writeResults(results: string): void {
	writeFileSync(RESULTS, results);
	drawLimitCharts(results);
}

/** Packs the package, because it is measured as published. A build during the run does not change the copy. */
function packPackage(folder: string): { packageFolder: string; tarball: string } {
	const tarball = pack(folder);
	const packageFolder = join(folder, 'package');
	unpack(tarball, packageFolder);
	return { packageFolder, tarball };
}

function scenariosOf(bench: Bench, folder: string, tarball: string): Record<string, () => Promise<Section>> {
	return {
		'1': async () => await throughput(bench),
		'2': async () => await cpu(bench),
		'3': async () => await distance(bench, makeCertificate(folder)),
		'4': async () => await rateLimit(bench),
		'5': async () => await workers(bench),
		'6': async () => await memory(bench),
		'7': async () => await streaming(bench),
		'8': async () => await loading(bench, tarball),
		'9': async () => await hostile(bench),
		'10': async () => await sharedLimit(bench),
		'11': async () => await everyLimit(bench),
		'12': async () => await paidOnce(bench),
	};
}

/** Adds the date to a section that was measured by itself, because the heading has only the date of the full run. */
function datedOn(startedAt: Date): (part: string) => string {
	const note = `Measured by itself on ${startedAt.toISOString().slice(0, 10)}.`;
	return (part) => part.replace('\n\n', `\n\n${note} `);
}

function heading(startedAt: Date, minutes: number, withInstalledPeers: boolean, isQuick: boolean): string {
	return `# Benchmark results

The last full run of \`npm run bench\` was on ${startedAt.toISOString().slice(0, 10)} and took ${minutes} minutes. A section that was measured by itself since then says so.
${isQuick ? '\n**Not a full run:** small counts and two rounds. It shows the order of things, not their exact size.\n' : ''}
${describeMachine()}
${withInstalledPeers ? '' : `\n${NO_PEERS}\n`}
Each run is its own process, which has sent some unmeasured items first, except where memory is measured. The service is the emulator of this
repository, in another process. The peers take turns, and each round begins with another one. Figures are medians, with the lowest and
the highest in brackets; ratios are ratios of medians. n8n's own nodes come from n8n's packages and run on the same engine as this
package's nodes. "This node" is the Decision node, as packed for publishing; "pooled" has Reuse Connections switched on in its credential.`;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

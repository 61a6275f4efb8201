import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import type { Bench } from '../Bench';
import { fixed, spread, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const SCRIPT = resolve(__dirname, '..', 'measureLoading.mts');

interface Loading {
	nodes: number;
	milliseconds: number;
	residentMb: number;
	heapMb: number;
}

/** Scenario 8: what the package costs before it does anything. */
export async function loading(bench: Bench, tarball: string): Promise<Section> {
	const run = promisify(execFile);
	const samples: Loading[] = [];
	for (let round = 0; round < bench.size(11, 3); round++) {
		const args = ['--expose-gc', SCRIPT, bench.options.packageFolder];
		const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
		samples.push(JSON.parse(stdout) as Loading);
	}
	const medianOf = (figure: (sample: Loading) => number) => median(samples.map(figure));
	const milliseconds = medianOf((sample) => sample.milliseconds);
	const residentMb = medianOf((sample) => sample.residentMb);
	const tarballKb = statSync(tarball).size / 1000;
	return {
		title: '8. Loading',
		setting: `The ${samples[0]!.nodes} nodes of the package in a fresh process that has loaded n8n-workflow; ${samples.length} times.`,
		table: table(
			['', 'measured'],
			[
				[
					'time',
					`${spread(
						milliseconds,
						samples.map((sample) => sample.milliseconds),
						1,
					)} ms`,
				],
				[
					'resident memory',
					`${spread(
						residentMb,
						samples.map((sample) => sample.residentMb),
						1,
					)} MB`,
				],
				[
					'heap, after a collection',
					`${fixed(
						medianOf(({ heapMb }) => heapMb),
						1,
					)} MB`,
				],
				['tarball', `${fixed(tarballKb, 0)} kB`],
			],
		),
		goals: [
			{ what: 'time', figure: milliseconds, digits: 1, unit: ' ms', atMost: 30 },
			{ what: 'resident memory', figure: residentMb, digits: 1, unit: ' MB', atMost: 15 },
			{ what: 'tarball', figure: tarballKb, digits: 0, unit: ' kB', atMost: 150 },
		],
	};
}

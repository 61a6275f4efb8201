import { resolve } from 'node:path';

import type { Bench } from '../Bench';
import { Child } from '../Child';
import { HOSTILE_BODIES, HostileServer, type HostileBody } from '../HostileServer';
import { fixed, table } from '../markdown';
import type { HostileJob, HostileMeasurement } from '../measureHostile';
import type { Goal, Section } from '../Section';

const MEASURE = resolve(__dirname, '..', 'measureHostile.ts');

const PATIENCE_MS = 60_000;

/** A process that uses more is ended, so that the machine does not run out of memory. */
const MOST_MB = 1500;

/** The maximum megabytes above idle, by how many items are in flight. */
const MOST_ABOVE_IDLE: Record<number, number> = { 1: 200, 8: 600 };

const LONGEST_BLOCK_MS = 300;

type Outcome = HostileMeasurement | { outcome: string };

/** Scenario 9: what the bodies of a hostile service do to the process. */
export async function hostile(bench: Bench): Promise<Section> {
	const { packageFolder, besideFolder } = bench.options;
	const packages = [
		{ label: 'this package', folder: packageFolder },
		...(besideFolder === undefined ? [] : [{ label: 'other clone', folder: besideFolder }]),
	];
	const server = await HostileServer.start();
	const rows: string[][] = [];
	const goals: Goal[] = [];
	try {
		for (const side of ['below', 'above'] as const) {
			for (const body of HOSTILE_BODIES[side]) {
				for (const atOnce of [1, 8]) {
					for (const reuseConnections of [false, true]) {
						for (const { label, folder } of packages) {
							const outcome = await measure(server, body, {
								packageFolder: folder,
								atOnce,
								reuseConnections,
							});
							const name = `${body.name}, ${atOnce} at once, ${reuseConnections ? 'pooled' : 'default'}`;
							bench.log(`${label}: ${name}: ${JSON.stringify(outcome)}`);
							rows.push([label, name, ...cellsOf(outcome)]);
							if (folder === packageFolder) goals.push(...goalsOf(name, side, atOnce, outcome));
						}
					}
				}
			}
		}
	} finally {
		await server.close();
	}
	return {
		title: '9. Answers of a hostile service: memory and blocks of the event loop',
		setting: `Each body goes to a fresh process that has had one ordinary answer. The limit is 16 MiB, decompressed. "Below" is 15 MiB. "Above" is 1 GiB of gzip, an endless stream, 200 MiB that are not JSON, 400 MiB of JSON, or 200 MiB of opening brackets. A process of more than ${MOST_MB} MB is ended.`,
		table: table(['', '', 'MB above idle', 'longest block, ms', 'seconds', 'outcome'], rows),
		goals,
	};
}

async function measure(
	server: HostileServer,
	{ name, node }: HostileBody,
	job: Pick<HostileJob, 'packageFolder' | 'atOnce' | 'reuseConnections'>,
): Promise<Outcome> {
	const child = Child.start(MEASURE);
	const watch = setInterval(() => {
		if (child.residentMb > MOST_MB) void child.end('SIGKILL');
	}, 50);
	try {
		return await child.ask<HostileMeasurement>({
			...job,
			node,
			ordinaryUrl: server.urlOf('ordinary'),
			hostileUrl: server.urlOf(name),
			patienceMs: PATIENCE_MS,
		} satisfies HostileJob);
	} catch (error) {
		return { outcome: child.wasEnded ? `ended at ${MOST_MB} MB` : String(error) };
	} finally {
		clearInterval(watch);
		await child.end();
	}
}

function cellsOf(outcome: Outcome): string[] {
	if (!('seconds' in outcome)) return ['', '', '', outcome.outcome];
	const { aboveIdleMb, longestBlockMs, seconds } = outcome;
	return [fixed(aboveIdleMb, 0), fixed(longestBlockMs, 0), fixed(seconds, 2), outcome.outcome];
}

function goalsOf(name: string, side: 'below' | 'above', atOnce: number, outcome: Outcome): Goal[] {
	const { aboveIdleMb = Infinity, longestBlockMs = Infinity } = outcome as Partial<HostileMeasurement>;
	return [
		{
			what: `${name}: above idle`,
			figure: aboveIdleMb,
			digits: 0,
			unit: ' MB',
			atMost: MOST_ABOVE_IDLE[atOnce],
		},
		...(side === 'above'
			? [
					{
						what: `${name}: longest block`,
						figure: longestBlockMs,
						digits: 0,
						unit: ' ms',
						atMost: LONGEST_BLOCK_MS,
					},
				]
			: []),
	];
}

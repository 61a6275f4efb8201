import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram } from '../e2e/findProgram';
import { freePorts } from '../../test/support/freePorts';
import { ManagedProcess } from '../e2e/ManagedProcess';
import { Emulator } from '../../emulator/Emulator';
import { useTemporaryUserFolder } from '../../engine/useTemporaryUserFolder';
import { Checklist } from '../scripts/Checklist';
import { installPackage } from '../scripts/installPackage';
import type { NodeRunner } from './NodeRunner';
import { MODEL, NODE_TRIALS } from './nodeTrials';
import { SERVERS } from './servers';
import type { Abilities, StrangeServer } from './StrangeServer';

const USAGE = `Usage: npm run strangers -- [words]

Tries the nodes with third-party servers. With words: only with the servers whose name contains one of
them, such as Prism. nginx and HAProxy are skipped where they are not installed.`;

const TOKEN_DELAY_MS = 40;

const MAX_START_MS = 60_000;

const TRANSPORTS = [
	{ label: 'default transport', reuseConnections: false },
	{ label: 'reused connections', reuseConnections: true },
];

async function main(words: string[]): Promise<void> {
	if (words.includes('--help')) return console.log(USAGE);
	await installPackage(__dirname);
	process.env.N8N_LOG_LEVEL = 'silent';
	useTemporaryUserFolder();
	// This import comes after the lines above, because NodeRunner reads n8n's user folder when it is loaded.
	const runner = await (await import('./NodeRunner.js')).NodeRunner.load();
	const emulator = await Emulator.start({ models: [MODEL], tokenDelayMs: TOKEN_DELAY_MS });
	const checklist = new Checklist();
	try {
		for (const server of SERVERS) {
			if (words.length > 0 && !words.some((word) => server.name.includes(word))) continue;
			const program = findProgram(...server.programs);
			if (program === undefined) checklist.skip(server.name, 'not installed');
			else await tryServer(server, program, runner, emulator, checklist);
		}
	} finally {
		await emulator.close();
	}
	checklist.finish();
}

/** Tries every node with a server, on both transports. */
async function tryServer(
	{ name, serves, argumentsFor, basePath }: StrangeServer,
	program: string,
	runner: NodeRunner,
	emulator: Emulator,
	checklist: Checklist,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
	const [port = 0] = await freePorts(1);
	const url = `http://127.0.0.1:${port}${basePath}`;
	const started = new ManagedProcess({
		command: program,
		args: argumentsFor(port, new URL(emulator.url), folder),
		env: process.env as Record<string, string>,
		cwd: folder,
		logFile: join(folder, 'log'),
	});
	try {
		await started.waitUntil(async () => await responds(`${url}/user/info`), MAX_START_MS);
		for (const trial of NODE_TRIALS.filter(({ needs }) => canDo(serves, needs))) {
			for (const { label, reuseConnections } of TRANSPORTS) {
				emulator.reset();
				await checklist.check(`${name} · ${trial.title} · ${label}`, async () => {
					const access = { url, apiKey: emulator.apiKey };
					await trial.run(async (call) => await runner.run(access, call, reuseConnections));
					return { findings: [] };
				});
			}
		}
	} finally {
		await started.stop();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

function canDo(serves: Abilities, needs: Abilities): boolean {
	return (!needs.callsTools || serves.callsTools) && (needs.streams === 'whole' || serves.streams === 'live');
}

/** Returns whether the server sends a response, whatever its status. */
async function responds(url: string): Promise<boolean> {
	try {
		await (await fetch(url, { signal: AbortSignal.timeout(2000) })).arrayBuffer();
		return true;
	} catch {
		return false;
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

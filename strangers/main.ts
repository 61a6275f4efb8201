import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Emulator } from '../emulator/Emulator';
import { useTemporaryUserFolder } from '../engine/useTemporaryUserFolder';
import { Checklist } from '../scripts/Checklist';
import { installPackage } from '../scripts/installPackage';
import { MODEL } from './model';

const USAGE = `Usage: npm run strangers -- [words]

Tries the nodes with third-party servers, and the emulator with third-party clients. With words: only
the trials whose line contains one of them, such as Prism or OpenAI. nginx, HAProxy and Java must be
installed on this machine; without them, their trials are skipped.`;

const TOKEN_DELAY_MS = 40;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { help: { type: 'boolean' } },
	});
	if (values.help) return console.log(USAGE);
	installPackage(__dirname);
	process.env.N8N_LOG_LEVEL = 'silent';
	useTemporaryUserFolder();
	// These modules import what the installation brings, or read the folder of n8n, so they are loaded only now.
	const [{ tryServers }, { tryClients }] = await Promise.all([
		import('./tryServers.js'),
		import('./tryClients.js'),
	]);
	const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const emulator = await Emulator.start({ models: [MODEL], tokenDelayMs: TOKEN_DELAY_MS });
	const checklist = new Checklist();
	const isWanted = (title: string) =>
		positionals.length === 0 || positionals.some((word) => title.includes(word));
	try {
		await tryServers({ emulator, checklist, folder, isWanted });
		await tryClients({ emulator, checklist, isWanted });
	} finally {
		await emulator.close();
	}
	checklist.finish();
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

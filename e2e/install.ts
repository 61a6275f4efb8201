import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { E2E_FOLDER, N8N_PROGRAM } from './paths';

const STAMP_FILE = join(E2E_FOLDER, 'node_modules/.installed');

/** Installs n8n and the browser's driver, unless what the lock file says is installed already. Takes some minutes. */
export function install(): void {
	const stamp = createHash('sha256')
		.update(readFileSync(join(E2E_FOLDER, 'package-lock.json')))
		.update(process.version)
		.digest('hex');
	if (existsSync(N8N_PROGRAM) && existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === stamp) return;
	console.log('Installing n8n into e2e/node_modules (about 2 GB; takes some minutes) ...');
	const started = performance.now();
	execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: E2E_FOLDER,
		stdio: 'inherit',
		timeout: 15 * 60_000,
		// The variable in .npmrc is the shell's, which still names the folder that npm was called in.
		env: { ...process.env, PWD: E2E_FOLDER },
	});
	writeFileSync(STAMP_FILE, stamp);
	console.log(`Installed in ${Math.round((performance.now() - started) / 1000)} s`);
}

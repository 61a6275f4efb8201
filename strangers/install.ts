import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { STRANGERS_FOLDER } from './paths';

const STAMP_FILE = join(STRANGERS_FOLDER, 'node_modules/.installed');

/** Installs what the lock file of this folder says, unless it is installed already. None of its scripts are run. */
export function install(): void {
	const stamp = createHash('sha256')
		.update(readFileSync(join(STRANGERS_FOLDER, 'package-lock.json')))
		.digest('hex');
	if (existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === stamp) return;
	console.log('Installing servers and clients of others into strangers/node_modules (about 200 MB) ...');
	execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: STRANGERS_FOLDER,
		stdio: 'inherit',
		timeout: 10 * 60_000,
	});
	writeFileSync(STAMP_FILE, stamp);
}

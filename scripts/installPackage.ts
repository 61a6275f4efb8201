import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the dependencies of a private package from its lock file, unless they are installed already. */
export function installPackage(folder: string): void {
	const stampFile = join(folder, 'node_modules/.installed');
	const stamp = createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.update(process.version)
		.digest('hex');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { description: string };
	console.log(`Installing into ${folder}: ${manifest.description} ...`);
	const started = performance.now();
	execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: folder,
		stdio: 'inherit',
		timeout: 15 * 60_000,
		// e2e/.npmrc uses the shell's variable PWD, which still names the folder in which npm was called.
		env: { ...process.env, PWD: folder },
	});
	writeFileSync(stampFile, stamp);
	console.log(`Installed in ${Math.round((performance.now() - started) / 1000)} s`);
}

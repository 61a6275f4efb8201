import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT_ROOT = resolve(__dirname, '../..');

/** Builds and packs the package into a folder, as `npm publish` does. Returns the tarball's path. */
export function pack(folder: string): string {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
		cwd: PROJECT_ROOT,
		// The compiler writes its errors to standard output, which is shown on standard error (2).
		stdio: ['ignore', 2, 'inherit'],
		// On Windows, npm is a batch file, which only a shell can run.
		shell: process.platform === 'win32',
		timeout: 600_000,
	});
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack has left no tarball');
	return join(folder, tarball);
}

/** Unpacks a tarball, without the folder that npm puts everything in. */
export function unpack(tarball: string, folder: string): void {
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { timeout: 30_000 });
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageName, rootFolder } from './paths';

/** Builds and packs the package into a folder; the tarball's path. */
export function packPackage(folder: string): string {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
		cwd: rootFolder,
		stdio: ['ignore', 'ignore', 'inherit'],
		timeout: 180_000,
	});
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack has left no tarball');
	return join(folder, tarball);
}

/**
 * Puts a tarball into n8n's user folder as its installer of community packages does: unpacked below `nodes`, without
 * the lists of dependencies that n8n does not install.
 */
export function installAsCommunityPackage(tarball: string, userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n/nodes');
	const packageFolder = join(nodesFolder, 'node_modules', packageName);
	mkdirSync(packageFolder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1'], { timeout: 30_000 });
	const packageFile = join(packageFolder, 'package.json');
	const {
		devDependencies: _development,
		peerDependencies: _peer,
		...manifest
	} = JSON.parse(readFileSync(packageFile, 'utf8')) as { name: string; version: string } & Record<
		string,
		unknown
	>;
	writeJson(packageFile, manifest);
	writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
}

function writeJson(file: string, value: unknown): void {
	writeFileSync(file, JSON.stringify(value, null, 2));
}

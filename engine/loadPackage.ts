import { existsSync, readdirSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const ROOT = resolve(__dirname, '..');
const SOURCES = ['client', 'contract', 'credentials', 'nodes', 'gulpfile.js', 'tsconfig.build.json'];

/** Loads the built package with n8n's own loader. Builds it first if a source file is newer than the last build. */
export async function loadPackage(): Promise<{
	nodeTypes: Record<string, INodeType>;
	credentialTypes: Record<string, ICredentialType>;
}> {
	buildIfNeeded();
	const loader = new PackageDirectoryLoader(ROOT);
	await loader.loadAll();
	return {
		nodeTypes: Object.fromEntries(
			Object.entries(loader.nodeTypes).map(([name, { type }]) => [
				`${loader.packageName}.${name}`,
				type as INodeType,
			]),
		),
		credentialTypes: Object.fromEntries(
			Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type]),
		),
	};
}

function buildIfNeeded(): void {
	const builtAt = existsSync(join(ROOT, 'dist')) ? newestIn(join(ROOT, 'dist')) : 0;
	if (SOURCES.every((source) => newestIn(join(ROOT, source)) <= builtAt)) return;
	console.log('Building the package …');
	execFileSync(
		process.execPath,
		[join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js'), 'build', '--silent'],
		{ cwd: ROOT, stdio: 'inherit' },
	);
}

/** Returns the Unix milliseconds of the last change to a file, or to any file in a folder. */
function newestIn(path: string): number {
	const stats = statSync(path);
	if (!stats.isDirectory()) return stats.mtimeMs;
	return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

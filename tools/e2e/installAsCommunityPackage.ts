import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { unpack } from '../scripts/pack';
import { PACKAGE_NAME } from './paths';

/**
 * Installs a tarball into n8n's user folder as n8n does with a community package: it is unpacked below `nodes`, and its
 * package.json loses the lists of dependencies that n8n does not install.
 */
export function installAsCommunityPackage(tarball: string, userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n/nodes');
	const packageFolder = join(nodesFolder, 'node_modules', PACKAGE_NAME);
	unpack(tarball, packageFolder);
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

import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const E2E = resolve(__dirname, '..', '..', 'e2e');

const requireFromE2e = createRequire(join(E2E, 'package.json'));

/** Whether the whole n8n that the peers come from is installed. */
export function hasInstalledPeers(): boolean {
	return existsSync(join(E2E, 'node_modules', 'n8n-nodes-base'));
}

/** A module of the n8n installed in `e2e`, on this repository's copy of n8n's engine. */
export function loadInstalled<Exports>(path: string): Exports {
	shareEngine();
	return requireFromE2e(join(E2E, 'node_modules', path)) as Exports;
}

let isShared = false;

/** With their own engine in addition to the one that runs them, the nodes would need more memory than in n8n. */
function shareEngine(): void {
	if (isShared) return;
	isShared = true;
	const engine = new Map(
		['n8n-core', 'n8n-workflow'].map((name) => [name, pathToFileURL(require.resolve(name)).href]),
	);
	registerHooks({
		resolve: (specifier, context, next) => {
			const url = engine.get(specifier);
			return url === undefined ? next(specifier, context) : { url, format: 'commonjs', shortCircuit: true };
		},
	});
}

import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const E2E = resolve(__dirname, '..', '..', 'e2e');

const requireFromE2e = createRequire(join(E2E, 'package.json'));

/** Returns whether n8n is installed in `tools/e2e`, from which the peers come. */
export function hasInstalledPeers(): boolean {
	return existsSync(join(E2E, 'node_modules', 'n8n-nodes-base'));
}

/** Loads a module of the n8n in `tools/e2e`, but with this repository's copy of n8n's engine. */
export function loadInstalled<Exports>(path: string): Exports {
	shareEngine();
	return requireFromE2e(join(E2E, 'node_modules', path)) as Exports;
}

let isShared = false;

/** Makes n8n's nodes use the engine that runs them. With a second copy, they would need more memory than in n8n. */
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

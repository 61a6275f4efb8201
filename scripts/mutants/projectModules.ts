import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join, sep } from 'node:path';

import { compile } from './compile';
import { ROOT } from './paths';

interface CompilableModule extends NodeModule {
	_compile: (code: string, filename: string) => void;
}

const { _extensions: LOADERS } = Module as unknown as {
	_extensions: Record<string, (module: CompilableModule, filename: string) => void>;
};

const LIBRARIES = join(ROOT, 'node_modules') + sep;
const MUTATOR = join(ROOT, 'scripts', 'mutants') + sep;

/** Sources that stand in for those of files, by absolute path. */
export type Replacements = ReadonlyMap<string, string>;

let replacements: Replacements = new Map();

/** From now on, files of the project load as the tests compile them, with some sources replaced. */
export function replaceSources(sources: Replacements): void {
	replacements = sources;
	LOADERS['.ts'] = (module, filename) => {
		module._compile(
			compile(filename, replacements.get(filename) ?? readFileSync(filename, 'utf8')),
			filename,
		);
	};
	preferTypeScript();
}

/** `X.node.ts` stands beside `X.node.json`, and Node tries the endings in the order of its loaders. */
function preferTypeScript(): void {
	for (const ending of Object.keys(LOADERS).filter((other) => other !== '.ts')) {
		const loader = LOADERS[ending]!;
		delete LOADERS[ending];
		LOADERS[ending] = loader;
	}
}

/** Loads a file with all that it needs of the project anew. Libraries load once for the process. */
export function loadAnew(file: string): void {
	for (const loaded of Object.keys(require.cache)) {
		if (loaded.startsWith(ROOT) && !loaded.startsWith(LIBRARIES) && !loaded.startsWith(MUTATOR)) {
			delete require.cache[loaded];
		}
	}
	// With the parent of its own, a module that was loaded before can be collected.
	createRequire(file)(file);
}

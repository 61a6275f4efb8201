import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { sep } from 'node:path';

import { transformSync, type Options } from '@swc/core';

interface CompilableModule extends NodeModule {
	_compile: (code: string, filename: string) => void;
}

const { _extensions: LOADERS } = Module as unknown as {
	_extensions: Record<string, (module: CompilableModule, filename: string) => void>;
};

// The options with which @swc/jest compiles for `npm test`.
const OPTIONS = {
	swcrc: false,
	module: { type: 'commonjs' },
	jsc: {
		target: 'es2022',
		parser: { syntax: 'typescript' },
		transform: { hidden: { jest: true } },
	},
} as Options;

const COMPILED = new Map<string, string>();

/**
 * After this call, TypeScript is compiled as the tests compile it, and each file only once.
 * @param whileLoading is given what runs a file, and runs it
 */
export function compileAsJestDoes(whileLoading: (load: () => void) => void): void {
	LOADERS['.ts'] = (module, filename) => {
		let code = COMPILED.get(filename);
		if (code === undefined) {
			code = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename }).code;
			COMPILED.set(filename, code);
		}
		whileLoading(() => module._compile(code, filename));
	};
	// `X.node.ts` is next to `X.node.json`, and Node tries the endings in the order of its loaders.
	for (const ending of Object.keys(LOADERS).filter((other) => other !== '.ts')) {
		const loader = LOADERS[ending]!;
		delete LOADERS[ending];
		LOADERS[ending] = loader;
	}
}

/**
 * Loads a file again, with everything that it needs of the project in the working folder. Libraries are loaded only
 * once.
 */
export function loadAgain(file: string): void {
	for (const loaded of Object.keys(require.cache)) {
		if (loaded.startsWith(process.cwd() + sep)) delete require.cache[loaded];
	}
	// With a separate `require`, a module that was loaded before can be garbage-collected.
	createRequire(file)(file);
}

import { transformSync, type Options } from '@swc/core';

// As @swc/jest compiles for `npm test`.
const OPTIONS: Options = {
	swcrc: false,
	module: { type: 'commonjs' },
	jsc: {
		target: 'es2022',
		parser: { syntax: 'typescript' },
		transform: { hidden: { jest: true } },
	},
} as Options;

const COMPILED = new Map<string, { source: string; code: string }>();

/** Compiles TypeScript to a CommonJS module, and keeps the last version of each file. */
export function compile(filename: string, source: string): string {
	const known = COMPILED.get(filename);
	if (known?.source === source) return known.code;
	const { code } = transformSync(source, { ...OPTIONS, filename });
	COMPILED.set(filename, { source, code });
	return code;
}

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Returns the path of the first of these programs that exists. Names without a folder are looked up in PATH. */
export function findProgram(...programs: string[]): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return programs
		.flatMap((program) => (isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program))))
		.find((path) => existsSync(path));
}

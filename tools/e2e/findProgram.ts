import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of the first of these programs that exists. Names are searched in PATH. */
export function findProgram(...programs: string[]): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return programs
		.flatMap((program) => (isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program))))
		.find((path) => existsSync(path));
}

import { posix } from 'node:path';

import ts from 'typescript';

/** The files that import each file, of the given ones. */
export function importersOf(sources: ReadonlyMap<string, ts.SourceFile>): Map<string, string[]> {
	const importers = new Map<string, string[]>();
	for (const [file, { text }] of sources) {
		for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
			const imported = `${posix.join(posix.dirname(file), fileName)}.ts`;
			if (sources.has(imported)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
		}
	}
	return importers;
}

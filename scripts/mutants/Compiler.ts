import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { ROOT } from './paths';

/** Says whether a file would still compile with another text. */
export class Compiler {
	private readonly changed = new Map<string, { text: string; version: number }>();

	private readonly service: ts.LanguageService;

	/** @param files relative to the project */
	constructor(files: string[]) {
		const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
		const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
		const names = files.map((file) => join(ROOT, file));
		this.service = ts.createLanguageService({
			getCompilationSettings: () => options,
			getScriptFileNames: () => names,
			getScriptVersion: (name) => String(this.changed.get(name)?.version ?? 0),
			getScriptSnapshot: (name) => {
				const text = this.changed.get(name)?.text ?? textOf(name);
				return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
			},
			getCurrentDirectory: () => ROOT,
			getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
			fileExists: ts.sys.fileExists,
			readFile: ts.sys.readFile,
			directoryExists: ts.sys.directoryExists,
			getDirectories: ts.sys.getDirectories,
			realpath: ts.sys.realpath,
		});
	}

	/**
	 * Of texts of some files, by file, those that compile. Files that import a changed one are not looked at. Many at once
	 * share the work of reading the libraries' types.
	 */
	accepted(texts: ReadonlyMap<string, string>): Set<string> {
		const together = this.compiling(texts);
		// What does not compile may have failed for a type that another of the texts has changed.
		const others = [...texts].filter(([file]) => !together.has(file));
		const alone = texts.size === 1 ? [] : others.filter((text) => this.compiling(new Map([text])).size > 0);
		return new Set([...together, ...alone.map(([file]) => file)]);
	}

	private compiling(texts: ReadonlyMap<string, string>): Set<string> {
		for (const [file, text] of texts) this.set(join(ROOT, file), text);
		const files = [...texts.keys()].filter((file) => this.compiles(join(ROOT, file)));
		for (const file of texts.keys()) this.set(join(ROOT, file), readFileSync(join(ROOT, file), 'utf8'));
		return new Set(files);
	}

	private compiles(name: string): boolean {
		return (
			this.service.getSyntacticDiagnostics(name).length === 0 &&
			this.service.getSemanticDiagnostics(name).every(({ code }) => UNUSED.has(code))
		);
	}

	private set(name: string, text: string): void {
		this.changed.set(name, { text, version: (this.changed.get(name)?.version ?? 0) + 1 });
	}
}

/** What is declared and not used makes no other program: locals, parameters, and all of an import. */
const UNUSED = new Set([6133, 6192, 6196, 6198, 6199]);

function textOf(name: string): string | undefined {
	return ts.sys.readFile(name);
}

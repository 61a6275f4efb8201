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

	/** Whether the file compiles with this text. Files that import it are not looked at. */
	accepts(file: string, text: string): boolean {
		const name = join(ROOT, file);
		this.set(name, text);
		const accepted =
			this.service.getSyntacticDiagnostics(name).length === 0 &&
			this.service.getSemanticDiagnostics(name).every(({ code }) => UNUSED.has(code));
		this.set(name, readFileSync(name, 'utf8'));
		return accepted;
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

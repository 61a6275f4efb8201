import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Coverage } from './Coverage';
import { hash, type Mutant } from './Mutant';
import { CACHE } from './paths';

/**
 * `refused`: the compiler does not take it. `unstable`: tests fail with it, and then without it. `undecided`: it has survived
 * the quick tests, and the others have not been run.
 */
export type Status = 'refused' | 'killed' | 'timed out' | 'survived' | 'undecided' | 'unstable';

export interface Result {
	status: Status;
	/** The test that noticed. */
	by?: { testFile: string; name: string };
	/** What that test says, or that no test enters the mutant's region. */
	note?: string;
}

interface Line extends Result {
	key: string;
	/** A hash of all tests. */
	tests: string;
}

const FILE = join(CACHE, 'results.jsonl');

/** What became of mutants, in this run and earlier ones. */
export class Results {
	private readonly lines = new Map<string, Line>();

	/** @param tests a hash of all tests */
	constructor(private readonly tests: string) {
		if (!existsSync(FILE)) return;
		for (const text of readFileSync(FILE, 'utf8').split('\n').filter(Boolean)) {
			const line = JSON.parse(text) as Line;
			this.lines.set(line.key, line);
		}
	}

	/** What is known of a mutant of this text of its file. A survivor is known until the tests change. */
	find(mutant: Mutant, text: string, coverage: Coverage): Result | undefined {
		const line = this.lines.get(keyOf(mutant, text));
		if (!line || line.status === 'refused') return line;
		if (line.status === 'unstable') return undefined;
		if (line.by) return coverage.has(line.by.testFile, line.by.name) ? line : undefined;
		return line.tests === this.tests ? line : undefined;
	}

	add(mutant: Mutant, text: string, result: Result): void {
		const line: Line = { key: keyOf(mutant, text), tests: this.tests, ...result };
		this.lines.set(line.key, line);
		mkdirSync(CACHE, { recursive: true });
		appendFileSync(FILE, `${JSON.stringify(line)}\n`);
	}
}

function keyOf({ start, end, replacement }: Mutant, text: string): string {
	return hash([text, start, end, replacement].join('\n'));
}

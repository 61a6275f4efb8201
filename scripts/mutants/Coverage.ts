import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fileOfKey, regionKey, type CoveredTest, type CoverReply } from './messages';
import { hash } from './Mutant';
import { CACHE, ROOT } from './paths';
import type { Worker } from './Worker';

const LIMIT_MS = 300_000;

const ATTEMPTS = 4;

/** Nine tests of ten take no longer, together a ninth of the time of all: those that wait for a clock come after them. */
const BRIEF_MS = 100;

/** Some tests of one file. */
export interface Selection {
	testFile: string;
	only: string[];
	/** How long they took without a mutant. */
	milliseconds: number;
}

/** Which tests enter which regions of the product. */
export class Coverage {
	private readonly replies = new Map<string, CoverReply>();

	/**
	 * @param files of the product, in the order of their numbers
	 * @param importers of each file of the product, those that import it
	 */
	constructor(
		private readonly files: string[],
		private readonly importers: ReadonlyMap<string, string[]>,
	) {}

	/** Runs all tests of a file, unless they and the product are those of an earlier run. */
	async measure(testFile: string, worker: Worker): Promise<void> {
		const texts = [testFile, ...this.files].map((file) => readFileSync(join(ROOT, file), 'utf8'));
		const cached = join(CACHE, 'coverage', `${hash(texts.join('\n'))}.json`);
		if (existsSync(cached)) {
			this.replies.set(testFile, JSON.parse(readFileSync(cached, 'utf8')) as CoverReply);
			return;
		}
		const reply = await this.runWithoutFailure(testFile, worker);
		mkdirSync(join(CACHE, 'coverage'), { recursive: true });
		writeFileSync(cached, JSON.stringify(reply));
		this.replies.set(testFile, reply);
	}

	/** Some tests measure time, so on a busy machine they may fail. */
	private async runWithoutFailure(testFile: string, worker: Worker): Promise<CoverReply> {
		for (let attempt = 1; ; attempt++) {
			const reply = await worker.cover({ testFile, files: this.files }, LIMIT_MS);
			const failed = reply.tests.find(({ error }) => error !== undefined);
			if (!failed) return reply;
			if (attempt === ATTEMPTS) {
				throw new Error(`Without a mutant, ${testFile} fails: ${failed.name}: ${failed.error}`);
			}
		}
	}

	/** Whether there is such a test. */
	has(testFile: string, name: string): boolean {
		return this.replies.get(testFile)?.tests.some((test) => test.name === name) ?? false;
	}

	/**
	 * The tests that enter a region, of each file the brief ones and the others. Of a region that is entered as files are
	 * loaded, such as a constant's, all tests that enter its file or one that imports it, and those that enter nothing and
	 * look at what was loaded.
	 */
	testsOf(file: string, region: number): Selection[] {
		const key = regionKey(this.files.indexOf(file), region);
		const near = new Set([file, ...(this.importers.get(file) ?? [])].map((each) => this.files.indexOf(each)));
		return [...this.replies].flatMap(([testFile, { loaded, tests }]) => {
			const isLoaded = loaded.includes(key);
			const chosen = tests.filter(
				({ regions }) =>
					regions.includes(key) ||
					(isLoaded && (regions.length === 0 || regions.some((each) => near.has(fileOfKey(each))))),
			);
			const [brief, long] = [
				chosen.filter(({ milliseconds }) => milliseconds <= BRIEF_MS),
				chosen.filter(({ milliseconds }) => milliseconds > BRIEF_MS),
			];
			return [brief, long].filter((lot) => lot.length > 0).map((lot) => selectionOf(testFile, lot));
		});
	}
}

function selectionOf(testFile: string, tests: CoveredTest[]): Selection {
	const milliseconds = tests.reduce((sum, test) => sum + test.milliseconds, 0);
	return { testFile, only: tests.map(({ name }) => name), milliseconds };
}

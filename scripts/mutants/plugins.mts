// StrykerJS loads this in each of its processes. It says how tests are run, and which mutants are tried.
import { hash } from 'node:crypto';
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { CheckStatus, type Checker, type CheckResult } from '@stryker-mutator/api/check';
import {
	INSTRUMENTER_CONSTANTS,
	type Mutant,
	type MutantCoverage,
	type StrykerOptions,
} from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
	DryRunStatus,
	MutantRunStatus,
	TestStatus,
	type DryRunResult,
	type MutantRunOptions,
	type MutantRunResult,
	type TestResult,
	type TestRunner,
	type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';

import { compileAsJestDoes } from './projectModules.js';
import { runTestFile, type TestOutcome } from './runTestFile.js';

/** Some tests measure time, and fail now and then on a busy machine. */
const ATTEMPTS = 4;

/**
 * Nine of ten tests take no longer than this, and together only a ninth of the total time. Tests that wait for a clock
 * come after them.
 */
const BRIEF_MS = 100;

/** The data of mutated code, as StrykerJS's instrumenter expects it. */
interface Instruments {
	activeMutant?: string;
	currentTestId?: string;
	hitCount?: number;
	hitLimit?: number;
	mutantCoverage?: MutantCoverage;
}

/** Runs tests in a process that keeps n8n's packages loaded, because loading them takes longer than most tests. */
class InProcessTestRunner implements TestRunner {
	static readonly inject = tokens(commonTokens.logger);

	private readonly instruments: Instruments = {};

	constructor(private readonly log: Logger) {
		Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: this.instruments });
	}

	capabilities(): TestRunnerCapabilities {
		return { reloadEnvironment: true };
	}

	async init(): Promise<void> {
		// A mutant's code may still fail after its tests are over.
		process.on('uncaughtException', () => {});
		await import('n8n-core');
		// Code that runs once when a file is loaded belongs to no test, not even to one that loads the file.
		compileAsJestDoes((load) => {
			const { currentTestId } = this.instruments;
			this.instruments.currentTestId = undefined;
			load();
			this.instruments.currentTestId = currentTestId;
		});
	}

	async dryRun(): Promise<DryRunResult> {
		const tests: TestResult[] = [];
		for (const testFile of globSync('test/**/*.test.ts').toSorted()) {
			const startedAt = performance.now();
			const outcomes = await this.runWithoutMutant(testFile);
			const loadingMs =
				performance.now() - startedAt - outcomes.reduce((sum, test) => sum + test.milliseconds, 0);
			// Stryker adds the time that belongs to no test to every mutant, as if n8n were loaded each time.
			if (outcomes[0]) outcomes[0].milliseconds += Math.max(0, loadingMs);
			tests.push(...outcomes.map((outcome) => passed(testFile, outcome)));
		}
		this.instruments.currentTestId = undefined;
		const { static: staticCoverage, perTest } = this.instruments.mutantCoverage!;
		const inOrder = briefOnesFirst(tests).filter(({ id }) => perTest[id]);
		return {
			status: DryRunStatus.Complete,
			tests,
			mutantCoverage: {
				static: staticCoverage,
				perTest: Object.fromEntries(inOrder.map(({ id }) => [id, perTest[id]!])),
			},
		};
	}

	async mutantRun({ activeMutant, hitLimit, testFilter = [] }: MutantRunOptions): Promise<MutantRunResult> {
		for (const [testFile, names] of byFile(testFilter)) {
			const failed = (await this.runWith(activeMutant, hitLimit, testFile, names)).find(hasFailed);
			if (this.instruments.hitCount! > (hitLimit ?? Infinity)) return { status: MutantRunStatus.Timeout };
			if (failed && (await this.isNoticed(activeMutant, hitLimit, testFile, failed.name))) {
				return {
					status: MutantRunStatus.Killed,
					killedBy: [idOf(testFile, failed.name)],
					failureMessage: failed.error!,
					nrOfTests: testFilter.length,
				};
			}
		}
		return { status: MutantRunStatus.Survived, nrOfTests: testFilter.length };
	}

	private async runWith(
		mutant: Mutant | undefined,
		hitLimit: number | undefined,
		testFile: string,
		only: ReadonlySet<string> | undefined,
	): Promise<TestOutcome[]> {
		Object.assign(this.instruments, { activeMutant: mutant?.id, hitCount: mutant && 0, hitLimit });
		return await runTestFile(resolve(testFile), { only, stopAtFailure: true });
	}

	/** Whether a test that failed with a mutant fails again with it, and passes without it. */
	private async isNoticed(
		mutant: Mutant,
		hitLimit: number | undefined,
		testFile: string,
		name: string,
	): Promise<boolean> {
		const only = name === '' ? undefined : new Set([name]);
		const without = await this.runWith(undefined, undefined, testFile, only);
		// Earlier mutants may have damaged the process, so Stryker tries again in a new one.
		if (without.some(hasFailed)) throw new Error(`Without the mutant, ${testFile} fails: ${name}`);
		return (await this.runWith(mutant, hitLimit, testFile, only)).some(hasFailed);
	}

	/** The results of the tests of a file. Those that fail run again, a few times. */
	private async runWithoutMutant(testFile: string): Promise<TestOutcome[]> {
		const onStart = (name: string) => {
			this.instruments.currentTestId = idOf(testFile, name);
		};
		const run = async (only?: ReadonlySet<string>) =>
			await runTestFile(resolve(testFile), { only, stopAtFailure: false, onStart });
		let outcomes = await run();
		for (let attempt = 2; attempt <= ATTEMPTS && outcomes.some(hasFailed); attempt++) {
			const again = await run(new Set(outcomes.filter(hasFailed).map(({ name }) => name)));
			outcomes = outcomes.map((before) => again.find(({ name }) => name === before.name) ?? before);
		}
		// Code that is loaded next belongs to no test.
		this.instruments.currentTestId = undefined;
		for (const { name, error } of outcomes.filter(hasFailed)) {
			this.log.warn(`Left out, for it fails without a mutant: ${testFile}: ${name}: ${error}`);
		}
		return outcomes.filter((outcome) => !hasFailed(outcome));
	}
}

function hasFailed({ error }: TestOutcome): boolean {
	return error !== undefined;
}

function idOf(testFile: string, name: string): string {
	return `${testFile}\n${name}`;
}

function passed(testFile: string, { name, milliseconds }: TestOutcome): TestResult {
	return {
		id: idOf(testFile, name),
		name,
		fileName: resolve(testFile),
		timeSpentMs: milliseconds,
		status: TestStatus.Success,
	};
}

/** Stryker orders a mutant's tests by their coverage. The files whose brief tests end soonest should come first. */
function briefOnesFirst(tests: TestResult[]): TestResult[] {
	const lots = [true, false].flatMap((isBrief) => {
		const lot = tests.filter(({ timeSpentMs }) => timeSpentMs <= BRIEF_MS === isBrief);
		return [...Map.groupBy(lot, ({ fileName }) => fileName).values()].toSorted((a, b) => total(a) - total(b));
	});
	return lots.flat();
}

function total(tests: TestResult[]): number {
	return tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
}

/** Groups tests by file, as long as they follow each other. */
function byFile(ids: string[]): Array<[testFile: string, names: Set<string>]> {
	const lots: Array<[string, Set<string>]> = [];
	for (const id of ids) {
		const [testFile, name] = id.split('\n', 2) as [string, string];
		const last = lots.at(-1);
		if (last?.[0] === testFile) last[1].add(name);
		else lots.push([testFile, new Set([name])]);
	}
	return lots;
}

export const NOT_CHOSEN = 'not in the sample';

/** Accepts a sample: the first mutants in an order that depends only on the seed. */
class SampleChecker implements Checker {
	static readonly inject = tokens(commonTokens.options);

	constructor(private readonly options: StrykerOptions) {}

	async init(): Promise<void> {}

	async group(mutants: Mutant[]): Promise<string[][]> {
		return [mutants.map(({ id }) => id)];
	}

	async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
		const { sample, seed } = this.options as unknown as { sample: number; seed: string };
		const rank = new Map(mutants.map((mutant) => [mutant, hash('sha256', `${seed}\n${identityOf(mutant)}`)]));
		const inOrder = mutants.toSorted((a, b) => (rank.get(a)! < rank.get(b)! ? -1 : 1));
		return Object.fromEntries(
			inOrder.map(({ id }, index): [string, CheckResult] => [
				id,
				index < sample
					? { status: CheckStatus.Passed }
					: { status: CheckStatus.CompileError, reason: NOT_CHOSEN },
			]),
		);
	}
}

function identityOf({ fileName, location, mutatorName, replacement }: Mutant): string {
	return JSON.stringify([relative('', fileName), location, mutatorName, replacement]);
}

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessTestRunner),
	declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker),
];

export const strykerValidationSchema = {
	properties: { sample: { type: 'number' }, seed: { type: 'string' } },
};

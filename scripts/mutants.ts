import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type ts from 'typescript';

import { Compiler } from './mutants/Compiler';
import { Coverage, type Selection } from './mutants/Coverage';
import { importersOf } from './mutants/importersOf';
import {
	describeMutant,
	hash,
	mutantsOf,
	mutatedText,
	parseSource,
	sampleOf,
	type Mutant,
} from './mutants/Mutant';
import { ROOT } from './mutants/paths';
import { Priorities, quickOnes } from './mutants/Priorities';
import { regionOf, regionsOf } from './mutants/regions';
import { isKilled, scoreOf, writeBaseline, writeReport, type TriedMutant } from './mutants/report';
import { Results, type Result } from './mutants/Results';
import { tryMutant } from './mutants/tryMutant';
import { Worker } from './mutants/Worker';

const USAGE = `Usage: npm run mutants -- [--sample 600] [--seed 1] [--file PATTERN] [--only ID] [--workers 2] [--quick] [--write] [--baseline]

Changes the product in one place at a time, and runs the tests that enter the place. Prints what no test noticed.
--file and --only take some files, by a regular expression for their path, or one mutant, and all of their mutants unless --sample is
given: --file '^(?!client/limiter/)' leaves the limiter out.
--quick leaves out the tests that take long: what only these would notice counts as survived.
--write puts the table into test/MUTANTS.md. --baseline keeps its scores as those to compare with.`;

const DEFAULT_SAMPLE = 600;

/** Of mutants that are compiled at once. */
const LARGEST_BATCH = 16;

class MutationRun {
	private readonly priorities = new Priorities();

	private constructor(
		private readonly sources: ReadonlyMap<string, ts.SourceFile>,
		private readonly compiler: Compiler,
		private readonly coverage: Coverage,
		private readonly results: Results,
		private readonly workers: Worker[],
	) {}

	/** Finds out which tests enter what. */
	static async prepare(workerCount: number): Promise<MutationRun> {
		const files = globSync('{client,nodes,credentials}/**/*.ts', { cwd: ROOT }).toSorted();
		const testFiles = globSync('test/**/*.test.ts', { cwd: ROOT }).toSorted();
		const sources = new Map(files.map((file) => [file, parseSource(file)]));
		const tests = globSync('{test,emulator,engine}/**/*.ts', { cwd: ROOT }).toSorted();
		const results = new Results(hash(tests.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')));
		const workers = Array.from({ length: workerCount }, () => new Worker());
		const coverage = new Coverage(files, importersOf(sources));
		await shareOut(testFiles, workers, async (testFile, worker) => await coverage.measure(testFile, worker));
		return new MutationRun(sources, new Compiler(files), coverage, results, workers);
	}

	/** All mutants, in the order of the seed. */
	mutants(seed: number): Mutant[] {
		return sampleOf([...this.sources.values()].flatMap(mutantsOf), seed);
	}

	/** Tries mutants with quick tests, until as many as wanted have compiled. */
	async tryQuickly(mutants: Mutant[], wanted: number): Promise<TriedMutant[]> {
		const tried: TriedMutant[] = [];
		await shareOut(this.compiling(mutants, wanted), this.workers, async (mutant, worker) => {
			const result = await this.resultOfQuick(mutant, worker);
			tried.push({ mutant, result });
			console.log(`${tried.length} ${result.status} ${describeMutant(mutant)}`);
		});
		return tried;
	}

	/** Tries what the quick tests have left undecided with all tests. */
	async tryThoroughly(tried: TriedMutant[]): Promise<void> {
		const undecided = tried.filter(({ result }) => result.status === 'undecided');
		await shareOut(undecided, this.workers, async (one, worker) => {
			const { mutant } = one;
			one.result = this.note(mutant, await this.try(mutant, this.selectionsFor(mutant), worker));
			console.log(`${one.result.status} ${describeMutant(mutant)}`);
		});
	}

	close(): void {
		for (const worker of this.workers) worker.stop();
	}

	private *compiling(mutants: Mutant[], wanted: number): Iterable<Mutant> {
		let count = 0;
		for (const batch of batchesOf(mutants)) {
			this.refuseSome(batch);
			for (const mutant of batch.filter((each) => this.known(each)?.status !== 'refused')) {
				if (count === wanted) return;
				count++;
				yield mutant;
			}
		}
	}

	/** Notes which of the mutants the compiler does not take. */
	private refuseSome(batch: Mutant[]): void {
		const unknown = batch.filter((mutant) => !this.known(mutant));
		const texts = new Map(
			unknown.map((mutant) => [mutant.file, mutatedText(mutant, this.sources.get(mutant.file)!)]),
		);
		const accepted = this.compiler.accepted(texts);
		for (const mutant of unknown.filter(({ file }) => !accepted.has(file))) {
			this.results.add(mutant, this.sources.get(mutant.file)!.text, { status: 'refused' });
		}
	}

	private known(mutant: Mutant): Result | undefined {
		return this.results.find(mutant, this.sources.get(mutant.file)!.text, this.coverage);
	}

	private async resultOfQuick(mutant: Mutant, worker: Worker): Promise<Result> {
		const known = this.known(mutant);
		if (known?.by) this.priorities.killed(mutant.file, known.by.testFile);
		if (known) return known;
		const selections = this.selectionsFor(mutant);
		const quick = quickOnes(selections);
		const result = await this.try(mutant, quick, worker);
		const isUndecided = result.status === 'survived' && quick.length < selections.length;
		return this.note(mutant, isUndecided ? { status: 'undecided' } : result);
	}

	private selectionsFor(mutant: Mutant): Selection[] {
		const region = regionOf(regionsOf(this.sources.get(mutant.file)!), mutant.noticedIn ?? mutant);
		return this.priorities.order(mutant.file, this.coverage.testsOf(mutant.file, region));
	}

	private async try(mutant: Mutant, selections: Selection[], worker: Worker): Promise<Result> {
		return await tryMutant(mutant, mutatedText(mutant, this.sources.get(mutant.file)!), selections, worker);
	}

	private note(mutant: Mutant, result: Result): Result {
		this.results.add(mutant, this.sources.get(mutant.file)!.text, result);
		if (result.by) this.priorities.killed(mutant.file, result.by.testFile);
		return result;
	}
}

/** The mutants in their order, a few at a time, no two of them of one file. */
function* batchesOf(mutants: Mutant[]): Iterable<Mutant[]> {
	let batch = new Map<string, Mutant>();
	for (const mutant of mutants) {
		if (batch.has(mutant.file) || batch.size === LARGEST_BATCH) {
			yield [...batch.values()];
			batch = new Map();
		}
		batch.set(mutant.file, mutant);
	}
	yield [...batch.values()];
}

/** Hands the next of the values to whoever is free. */
async function shareOut<Value>(
	values: Iterable<Value>,
	workers: Worker[],
	run: (value: Value, worker: Worker) => Promise<void>,
): Promise<void> {
	const iterator = values[Symbol.iterator]();
	await Promise.all(
		workers.map(async (worker) => {
			for (let next = iterator.next(); !next.done; next = iterator.next()) await run(next.value, worker);
		}),
	);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			file: { type: 'string', default: '' },
			only: { type: 'string' },
			workers: { type: 'string', default: '2' },
			quick: { type: 'boolean', default: false },
			write: { type: 'boolean', default: false },
			baseline: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(USAGE);
	const isPart = values.file !== '' || values.only !== undefined;
	const wanted = values.sample === undefined ? (isPart ? Infinity : DEFAULT_SAMPLE) : Number(values.sample);
	const run = await MutationRun.prepare(Number(values.workers));
	try {
		const files = new RegExp(values.file);
		const mutants = run
			.mutants(Number(values.seed))
			.filter(({ file, id }) => files.test(file) && (values.only ?? id) === id);
		const tried = await run.tryQuickly(mutants, wanted);
		if (!values.quick) await run.tryThoroughly(tried);
		for (const { mutant, result } of tried) {
			if (!isKilled(result)) console.log(`${result.status}: ${describeMutant(mutant)}`);
		}
		console.log(`${tried.length} mutants, ${scoreOf(tried)} killed`);
		if (values.baseline) writeBaseline(tried);
		if (values.write) {
			const left = values.quick ? ', quick tests only' : '';
			await writeReport(tried, `${tried.length} mutants, seed ${values.seed}${left}`);
		}
	} finally {
		run.close();
	}
}

void main();

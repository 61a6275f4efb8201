import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackage } from '../installPackage';
import { describeRun } from './describeRun';

const USAGE = `Usage: npm run mutants -- [--sample 150] [--seed TEXT] [--file GLOB ...] [--workers 2] [--write]

Changes the product in one place at a time, with StrykerJS, and runs the tests that execute that place. Prints the changes that
no test noticed.
--seed decides which mutants are in the sample; without it, each run has other ones.
--file chooses files, such as 'client/limiter/**', and tries all of their mutants unless --sample is given.
--write puts the result into test/MUTANTS.md.`;

const ROOT = join(__dirname, '..', '..');

const PRODUCT = '{client,nodes,credentials}/**/*.ts';

/** The source text of some of these functions becomes n8n expressions, which must not call what StrykerJS adds. */
const EXPRESSIONS = 'nodes/Decision/{storedDecision,outputs,hints,toolDescription,subtitle}.ts';

const NODE_ARGS = ['--import', 'tsx', '--no-deprecation'];

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: String(Date.now()) },
			file: { type: 'string', multiple: true, default: [] },
			workers: { type: 'string', default: '2' },
			write: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(USAGE);
	process.chdir(ROOT);
	await installPackage(__dirname);
	process.env.N8N_LOG_LEVEL = 'silent';
	const files = values.file.length > 0 ? values.file : [PRODUCT];
	const sample = Number(values.sample ?? (values.file.length > 0 ? Number.MAX_SAFE_INTEGER : 150));
	const { Stryker } = await import('@stryker-mutator/core');
	const stryker = new Stryker({
		mutate: [...files, `!${EXPRESSIONS}`],
		mutator: { excludedMutations: ['StringLiteral'] },
		testRunner: 'in-process',
		checkers: ['sample'],
		plugins: [join(__dirname, 'plugins.mts')],
		testRunnerNodeArgs: NODE_ARGS,
		checkerNodeArgs: NODE_ARGS,
		concurrency: Number(values.workers),
		coverageAnalysis: 'perTest',
		ignoreStatic: true,
		disableTypeChecks: false,
		// On a busy machine, tests may take several times as long as in the first run.
		timeoutFactor: 5,
		timeoutMS: 50_000,
		dryRunTimeoutMinutes: 60,
		// Mutants leave data behind, which fills the process's memory.
		maxTestRunnerReuse: 40,
		reporters: ['progress'],
		tempDirName: '.tmp-mutants',
		...{ sample, seed: values.seed },
	});
	const report = describeRun(await stryker.runMutationTest(), values.seed, ROOT);
	console.log(report);
	if (values.write) writeFileSync(join(ROOT, 'test', 'MUTANTS.md'), report);
}

void main();

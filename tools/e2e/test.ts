import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackage } from '../scripts/installPackage';
import { pack } from '../scripts/pack';
// This file must not import the browser's driver, which is only there after `installPackage` has run.
import { findChromium } from './findChromium';
import { ManagedProcess } from './ManagedProcess';
import { N8n } from './N8n';
import { N8nSession } from './N8nSession';
import { E2E_FOLDER, NODE_PROGRAM, ROOT_FOLDER } from './paths';
import { Teardown } from './Teardown';

const USAGE = `Usage: npm run test:e2e -- [options] [names of test files]
  --pictures    take the README's pictures, into docs/images
  --tarball F   test this tarball, instead of packing the tree
  --keep        leave the temporary folder, with n8n's log, when done`;

interface Counts {
	passed: number;
	failed: number;
}

async function main(teardown: Teardown): Promise<Counts | undefined> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			tarball: { type: 'string' },
			pictures: { type: 'boolean' },
			keep: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return undefined;
	}
	if (findChromium() === undefined) {
		throw new Error(
			'No Chromium found: install it (Debian: apt-get install chromium), or name it in CHROMIUM',
		);
	}
	await installPackage(__dirname);
	const folder = mkdtempSync(join(tmpdir(), 'inference-e2e-'));
	teardown.add('temporary folder', () => {
		if (values.keep) console.log(`Left for you: ${folder}`);
		else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	const typesAreRight = checkTypes();
	const tarball = values.tarball ?? pack(folder);
	const started = performance.now();
	const userFolder = join(folder, 'n8n');
	const n8n = await N8n.start({ folder: userFolder, tarball });
	teardown.add('n8n', async () => await n8n.stop());
	await N8nSession.setUp(n8n.url);
	console.log(`n8n is ready after ${Math.round((performance.now() - started) / 1000)} s`);
	const views = join(E2E_FOLDER, 'views');
	rmSync(views, { recursive: true, force: true });
	mkdirSync(views);
	const resultsFile = join(folder, 'results.json');
	const jest = new ManagedProcess({
		command: NODE_PROGRAM,
		args: [
			join(ROOT_FOLDER, 'node_modules/jest/bin/jest.js'),
			'--config',
			join(E2E_FOLDER, 'jest.config.js'),
			...['--json', '--outputFile', resultsFile],
			...positionals,
		],
		cwd: ROOT_FOLDER,
		env: {
			...(process.env as Record<string, string>),
			// If the browser's driver is stopped in the middle of a test, it leaves files behind.
			TMPDIR: folder,
			E2E_N8N_URL: n8n.url,
			E2E_N8N_FOLDER: userFolder,
			E2E_TARBALL: tarball,
			E2E_VIEWS: views,
			...(values.pictures ? { E2E_PICTURES: join(ROOT_FOLDER, 'docs/images') } : {}),
		},
	});
	teardown.add('tests', async () => await jest.stop());
	const exitCode = await jest.ended;
	if (exitCode !== 0 && !teardown.hasBegun) {
		console.error(
			`What the pages showed last is in ${views}; n8n's log ends like this:\n${n8n.process.logTail()}`,
		);
	}
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readResults(resultsFile);
	const failures = numFailedTests + numRuntimeErrorTestSuites + (typesAreRight ? 0 : 1);
	return { passed: numPassedTests, failed: Math.max(failures, exitCode === 0 ? 0 : 1) };
}

interface Results {
	numPassedTests: number;
	numFailedTests: number;
	/** Counts the test files that could not be loaded. */
	numRuntimeErrorTestSuites: number;
}

function readResults(file: string): Results {
	if (!existsSync(file)) return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
	return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

/** Checks the types of this folder. This is done here, because it needs n8n and the browser's driver installed. */
function checkTypes(): boolean {
	const compiler = join(ROOT_FOLDER, 'node_modules/typescript/bin/tsc');
	const { status } = spawnSync(NODE_PROGRAM, [compiler, '-p', join(E2E_FOLDER, 'tsconfig.json')], {
		stdio: 'inherit',
		timeout: 120_000,
	});
	if (status !== 0) console.error('The types of e2e/ are wrong');
	return status === 0;
}

const teardown = new Teardown();
main(teardown)
	.catch((error: unknown): Counts => {
		if (!teardown.hasBegun) console.error(error);
		return { passed: 0, failed: 1 };
	})
	.then(async (counts) => {
		await teardown.run();
		if (counts === undefined) return;
		console.log(`${counts.passed} passed, ${counts.failed} failed`);
		process.exitCode = counts.failed > 0 ? 1 : 0;
	})
	.catch(console.error);

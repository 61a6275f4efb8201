import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// @ts-expect-error: a configuration file, without types
import jestConfig from '../jest.config.js';

const ROOT = resolve(__dirname, '..');

/** The suites that run nodes on the engine. */
const SUITES = [
	'test/Decision',
	'test/route',
	'test/errors',
	'test/Message',
	'test/message',
	'test/Voice',
	'test/Batch',
	'test/Account',
	'test/credential',
	'test/savedWorkflows',
];

const USAGE = `Usage: npm run compatibility -- VERSION [VERSION ...]

Runs the engine suites on other versions of n8n-core, such as 2.0.0, each installed into a temporary folder.`;

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	testResults: Array<{ assertionResults: Array<{ status: string; fullName: string }> }>;
}

function main(versions: string[]): void {
	if (versions.length === 0) return console.log(USAGE);
	const rows = versions.map((version) => {
		const folder = mkdtempSync(join(tmpdir(), 'n8n-core-'));
		try {
			const workflow = install(version, folder);
			const { numPassedTests, numFailedTests, testResults } = runSuites(folder);
			const failed = testResults.flatMap(({ assertionResults }) =>
				assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
			);
			for (const name of failed) console.log(`${version}: failed: ${name}`);
			return `| ${version} | ${workflow} | ${numPassedTests} | ${numFailedTests} |`;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
	console.log(['| n8n-core | n8n-workflow | passed | failed |', '|---|---|---|---|', ...rows].join('\n'));
}

/** Returns the version of n8n-workflow that belongs to it. */
function install(version: string, folder: string): string {
	const manifest = {
		private: true,
		allowScripts: { 'cpu-features': false, 'isolated-vm': true, ssh2: false },
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const npm = (...args: string[]) =>
		execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
	const workflow = npm('view', `n8n-core@${version}`, 'dependencies.n8n-workflow');
	npm('install', '--no-audit', '--no-fund', `n8n-core@${version}`, `n8n-workflow@${workflow}`);
	return workflow;
}

function runSuites(folder: string): JestReport {
	const modules = join(folder, 'node_modules');
	const config = {
		...jestConfig,
		rootDir: ROOT,
		cacheDirectory: join(folder, 'cache'),
		transform: {
			'^.+\\.(ts|js|mjs)$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
		},
		// Older hosts depend on packages that are ES modules only, which jest cannot require as they are.
		transformIgnorePatterns: ['/node_modules/(?!(is-network-error|p-retry|p-queue|eventemitter3|uuid)/)'],
		moduleNameMapper: Object.fromEntries(
			['n8n-core', 'n8n-workflow', 'reflect-metadata', '@n8n/di'].map((name) => [
				`^${name}$`,
				join(modules, name),
			]),
		),
	};
	mkdirSync(join(folder, 'run'));
	const configFile = join(folder, 'run', 'jest.config.json');
	const report = join(folder, 'run', 'report.json');
	writeFileSync(configFile, JSON.stringify(config));
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	spawnSync(
		process.execPath,
		[jest, '--ci', '--silent', '--forceExit', '-c', configFile, '--json', '--outputFile', report, ...SUITES],
		{
			cwd: ROOT,
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
	return JSON.parse(readFileSync(report, 'utf8')) as JestReport;
}

main(process.argv.slice(2));

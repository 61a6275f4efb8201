import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

// @ts-expect-error: a configuration file, without types
import jestConfig from '../../jest.config.js';
import manifest from '../../package.json';
import { CAPABILITIES } from '../../test/support/host';

const ROOT = resolve(__dirname, '../..');

const SDK = '@n8n/ai-node-sdk';

/** The suites run on these packages of n8n, in matching versions. */
const PARTS = ['n8n-core', 'n8n-workflow', SDK];

/**
 * The title of a test that checks for a feature of n8n begins like this. Where it fails, tests that need the feature are skipped.
 */
const CAPABILITY_TITLE = 'this n8n has the capability ';

/** The names of the test files that run nodes on the engine begin with these. Case does not matter. */
const SUITES = [
	...manifest.n8n.nodes.map((file) => basename(file, '.node.js')).filter((name) => name !== 'ChatModel'),
	...['route', 'errors', 'evaluate', 'credential', 'savedWorkflows'],
];

const USAGE = `Usage: npm run compatibility -- VERSION [VERSION ...]

Runs the engine suites on the engines of other versions of n8n, such as 2.0.0, each installed into a temporary folder.`;

interface TestResult {
	status: 'passed' | 'failed' | 'pending';
	fullName: string;
	failureMessages: string[];
}

function main(versions: string[]): void {
	if (versions.length === 0) return console.log(USAGE);
	const rows = versions.map((version) => {
		const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
		try {
			const parts = install(version, folder);
			return [version, parts['n8n-core'], ...summarize(runSuites(folder, parts))];
		} catch (error) {
			// A version may depend on one that is not on the registry. The others are tested all the same.
			return [version, '', 0, 0, 0, `not tested: ${(error as Error).message}`];
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
	const head = [
		'| n8n | n8n-core | passed | failed | skipped | what does not work there |',
		'|---|---|---|---|---|---|',
	];
	console.log([...head, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'));
}

/** Returns how many tests passed, failed and were skipped, and what this version of n8n lacks. */
function summarize(results: TestResult[]): Array<string | number> {
	const withStatus = (status: TestResult['status']) =>
		results.filter((result) => !result.fullName.startsWith(CAPABILITY_TITLE) && result.status === status);
	for (const { fullName, failureMessages } of withStatus('failed')) {
		console.log(`failed: ${fullName}\n${failureMessages[0] ?? ''}\n`);
	}
	const missing = Object.entries(CAPABILITIES)
		.filter(([name]) =>
			results.some(({ status, fullName }) => status === 'failed' && fullName === CAPABILITY_TITLE + name),
		)
		.map(([, { without }]) => without);
	const counts = (['passed', 'failed', 'pending'] as const).map((status) => withStatus(status).length);
	return [...counts, missing.join('; ') || 'nothing'];
}

/** Installs the packages of a version of n8n. Returns their versions by name. */
function install(version: string, folder: string): Record<string, string> {
	const allowScripts = { 'cpu-features': false, 'isolated-vm': true, ssh2: false };
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts }));
	const npm = (...args: string[]) =>
		execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	const dependencies = JSON.parse(npm('view', `n8n@${version}`, 'dependencies', '--json')) as object;
	const parts = Object.entries(dependencies).filter(([name]) => PARTS.includes(name));
	npm('install', '--no-audit', '--no-fund', ...parts.map((part) => part.join('@')));
	return Object.fromEntries(parts);
}

function runSuites(folder: string, parts: Record<string, string>): TestResult[] {
	const modules = join(folder, 'node_modules');
	// This file stands in for a module that this n8n does not have. Otherwise, jest would find the project's own copy.
	const absent = join(folder, 'absent.js');
	writeFileSync(absent, `throw new Error("Cannot find module '${SDK}'");`);
	const replaced = ['n8n-core', 'n8n-workflow', 'reflect-metadata', '@n8n/di', '@n8n/config'];
	const config = {
		...jestConfig,
		rootDir: ROOT,
		cacheDirectory: join(folder, 'cache'),
		moduleNameMapper: {
			...Object.fromEntries(replaced.map((name) => [`^${name}$`, join(modules, name)])),
			[`^${SDK}$`]: SDK in parts ? join(modules, SDK) : absent,
		},
	};
	const [configFile, report] = [join(folder, 'jest.json'), join(folder, 'report.json')];
	writeFileSync(configFile, JSON.stringify(config));
	const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
	const options = ['-w1', '--ci', '--silent', '--forceExit', '-c', configFile];
	const chatModel = SDK in parts ? 'ChatModel' : 'oldHost';
	const suites = [...SUITES, chatModel].map((suite) => `/${suite}[^/]*\\.test\\.ts$`);
	spawnSync(process.execPath, [jest, ...options, '--json', '--outputFile', report, ...suites], {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
		testResults: Array<{ assertionResults: TestResult[] }>;
	};
	return testResults.flatMap(({ assertionResults }) => assertionResults);
}

main(process.argv.slice(2));

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

// @ts-expect-error: a configuration file, without types
import jestConfig from '../jest.config.js';
import manifest from '../package.json';
import { CAPABILITIES } from '../test/host';

const ROOT = resolve(__dirname, '..');

/** The suites that run nodes on the engine. jest treats these as the beginnings of names, and ignores case. */
const SUITES = [
	...manifest.n8n.nodes.map((file) => basename(file, '.node.js')).filter((name) => name !== 'ChatModel'),
	...['route', 'errors', 'evaluate', 'credential', 'savedWorkflows'],
];

/** Its tests fail for each feature that this n8n lacks. Tests that need such a feature are skipped. */
const HOST_SUITE = 'test/host.test.ts';

/** The suites of the chat model, for an n8n with the SDK for AI nodes and for one without it. */
const CHAT_MODEL_SUITES = { withSdk: 'test/ChatModel.test', withoutSdk: 'test/chatModelOldHost' };

const SDK = '@n8n/ai-node-sdk';

/** The packages of n8n that the suites run on, in matching versions. */
const PARTS = ['n8n-core', 'n8n-workflow', SDK];

const USAGE = `Usage: npm run compatibility -- VERSION [VERSION ...]

Runs the engine suites on the engines of other versions of n8n, such as 2.0.0, each installed into a temporary folder.`;

interface JestReport {
	testResults: Array<{ name: string; assertionResults: TestResult[] }>;
}

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
			const { testResults } = runSuites(folder, parts);
			const [host, others] = [true, false].map((isHost) =>
				testResults
					.filter(({ name }) => name.endsWith(HOST_SUITE) === isHost)
					.flatMap(({ assertionResults }) => assertionResults),
			) as [TestResult[], TestResult[]];
			const withStatus = (status: TestResult['status']) => others.filter((one) => one.status === status);
			for (const { fullName, failureMessages } of withStatus('failed')) {
				console.log(`${version}: failed: ${fullName}\n${failureMessages[0] ?? ''}\n`);
			}
			const counts = (['passed', 'failed', 'pending'] as const).map((status) => withStatus(status).length);
			return `| ${[version, parts['n8n-core'], ...counts, missingOn(host)].join(' | ')} |`;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
	console.log(
		[
			'| n8n | n8n-core | passed | failed | skipped | what does not work there |',
			'|---|---|---|---|---|---|',
			...rows,
		].join('\n'),
	);
}

/** What does not work on an n8n, from the results of the tests of its capabilities. */
function missingOn(host: TestResult[]): string {
	const missing = Object.entries(CAPABILITIES).flatMap(([name, { without }]) =>
		host.some(({ fullName, status }) => status === 'failed' && fullName.endsWith(` ${name}`))
			? [without]
			: [],
	);
	return missing.join('; ') || 'nothing';
}

/** Installs the parts of a version of n8n; returns their versions by name. */
function install(version: string, folder: string): Record<string, string> {
	const manifest = {
		private: true,
		allowScripts: { 'cpu-features': false, 'isolated-vm': true, ssh2: false },
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const npm = (...args: string[]) =>
		execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
	const dependencies = JSON.parse(npm('view', `n8n@${version}`, 'dependencies', '--json')) as Record<
		string,
		string
	>;
	const parts = Object.fromEntries(Object.entries(dependencies).filter(([name]) => PARTS.includes(name)));
	npm('install', '--no-audit', '--no-fund', ...Object.entries(parts).map((part) => part.join('@')));
	return parts;
}

function runSuites(folder: string, parts: Record<string, string>): JestReport {
	const modules = join(folder, 'node_modules');
	const suites = [
		HOST_SUITE,
		...SUITES.map((suite) => `test/${suite}`),
		SDK in parts ? CHAT_MODEL_SUITES.withSdk : CHAT_MODEL_SUITES.withoutSdk,
	];
	const config = {
		...jestConfig,
		rootDir: ROOT,
		cacheDirectory: join(folder, 'cache'),
		transform: {
			'^.+\\.(ts|js|mjs)$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
		},
		// Older hosts depend on packages that are ES modules only, which jest cannot require as they are.
		transformIgnorePatterns: ['/node_modules/(?!(is-network-error|p-retry|p-queue|eventemitter3|uuid)/)'],
		moduleNameMapper: {
			...Object.fromEntries(
				['n8n-core', 'n8n-workflow', 'reflect-metadata', '@n8n/di'].map((name) => [
					`^${name}$`,
					join(modules, name),
				]),
			),
			[`^${SDK}$`]: SDK in parts ? join(modules, SDK) : absentModule(folder),
		},
	};
	mkdirSync(join(folder, 'run'));
	const configFile = join(folder, 'run', 'jest.config.json');
	const report = join(folder, 'run', 'report.json');
	writeFileSync(configFile, JSON.stringify(config));
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const options = ['--ci', '--silent', '--forceExit', '--json', ...['-w', '1'], ...['-c', configFile]];
	spawnSync(process.execPath, [jest, ...options, '--outputFile', report, ...suites], {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return JSON.parse(readFileSync(report, 'utf8')) as JestReport;
}

/** Replaces a module that this n8n does not have. Otherwise, the project's own copy would be found. */
function absentModule(folder: string): string {
	const file = join(folder, 'absent.js');
	writeFileSync(file, `throw new Error("Cannot find module '${SDK}'");`);
	return file;
}

main(process.argv.slice(2));

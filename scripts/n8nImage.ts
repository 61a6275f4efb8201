import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installAsCommunityPackage } from '../e2e/installAsCommunityPackage';
import { Emulator } from '../emulator/Emulator';
import { behindTrigger } from '../engine/behindTrigger';
import { Checklist } from './Checklist';
import { IMAGE_RUNS } from './imageRuns';
import { pack } from './pack';

const USAGE = `Usage: npx tsx scripts/n8nImage.ts IMAGE | --program FILE
  IMAGE           a Docker image of n8n, such as docker.n8n.io/n8nio/n8n:3.0.0
  --program FILE  the bin/n8n of an installed n8n, instead of an image

Installs the package in an n8n without its editor, and runs one workflow for each node against the emulator.`;

/** The folder of n8n's user inside a container. */
const USER_FOLDER = '/data';

const CREDENTIAL = { id: 'service', name: 'Inference Service', type: 'inferenceServiceApi' };

const RUN_WITHIN_MS = 180_000;

/** Runs a command of n8n's, and returns all that it wrote. */
type RunN8n = (...args: string[]) => Promise<string>;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { program: { type: 'string' }, help: { type: 'boolean' } },
	});
	const [image] = positionals;
	if (values.help || (image === undefined) === (values.program === undefined)) return console.log(USAGE);
	const folder = mkdtempSync(join(tmpdir(), 'n8n-image-'));
	const emulator = await Emulator.start();
	try {
		installAsCommunityPackage(pack(folder), folder);
		const n8n = image === undefined ? n8nOf(values.program!, folder) : n8nInDocker(image, folder);
		await checkRuns(n8n, folder, image === undefined ? folder : USER_FOLDER, emulator);
	} finally {
		await emulator.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function checkRuns(
	n8n: RunN8n,
	folder: string,
	folderInside: string,
	emulator: Emulator,
): Promise<void> {
	const checklist = new Checklist();
	console.log(`n8n ${(await n8n('--version')).trim()}`);
	const credentials = [{ ...CREDENTIAL, data: { baseUrl: emulator.url, apiKey: emulator.apiKey } }];
	writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials));
	const workflows = IMAGE_RUNS.map(({ type, parameters }, index) => ({
		id: `run${index}`,
		name: `${type} ${index}`,
		active: false,
		settings: {},
		...behindTrigger({
			type: `n8n-nodes-inference-service.${type}`,
			typeVersion: 1,
			parameters,
			credentials: { [CREDENTIAL.type]: { id: CREDENTIAL.id, name: CREDENTIAL.name } },
		}),
	}));
	writeFileSync(join(folder, 'workflows.json'), JSON.stringify(workflows));
	await n8n('import:credentials', `--input=${folderInside}/credentials.json`);
	await n8n('import:workflow', `--input=${folderInside}/workflows.json`);
	for (const [index, { type, field }] of IMAGE_RUNS.entries()) {
		await checklist.check(`${type}, ${field}`, async () => {
			const output = await n8n('execute', `--id=run${index}`, '--rawOutput');
			return { findings: output.includes(`"${field}"`) ? [] : [output.slice(-2000)] };
		});
	}
	checklist.finish();
}

function n8nOf(program: string, folder: string): RunN8n {
	return async (...args) => await run(process.execPath, [program, ...args], { N8N_USER_FOLDER: folder });
}

/**
 * Runs on the host's network, where the emulator listens, and as this user, so that this user can remove the folder.
 */
function n8nInDocker(image: string, folder: string): RunN8n {
	mkdirSync(join(folder, '.n8n'), { recursive: true });
	chmodSync(folder, 0o777);
	const user = `${process.getuid?.()}:${process.getgid?.()}`;
	const variables = Object.entries({ ...settings(), N8N_USER_FOLDER: USER_FOLDER, HOME: USER_FOLDER });
	const options = ['--network=host', `--user=${user}`, `--volume=${folder}:${USER_FOLDER}`];
	const environment = variables.map(([name, value]) => `--env=${name}=${value}`);
	return async (...args) =>
		await run('docker', ['run', '--rm', ...options, ...environment, image, ...args], {});
}

function settings(): Record<string, string> {
	return {
		// This is off by default in n8n 3 and later.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_ENCRYPTION_KEY: 'image-check',
		N8N_RUNNERS_BROKER_PORT: '5699',
	};
}

async function run(command: string, args: string[], environment: Record<string, string>): Promise<string> {
	const child = spawn(command, args, {
		env: { ...process.env, ...settings(), ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: RUN_WITHIN_MS,
	});
	const parts: string[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (part: string) => parts.push(part));
	}
	const [exitCode] = (await once(child, 'close')) as [number | null];
	const output = parts.join('');
	if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}:\n${output.slice(-2000)}`);
	return output;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installAsCommunityPackage } from '../e2e/installAsCommunityPackage';
import { ACCEPTED_MODELS, Emulator } from '../../emulator/Emulator';
import { behindTrigger } from '../../engine/behindTrigger';
import { Checklist } from './Checklist';
import { pack } from './pack';

const USAGE = `Usage: npx tsx tools/scripts/n8nImage.ts IMAGE | --program FILE
  IMAGE           a Docker image of n8n, such as docker.n8n.io/n8nio/n8n:3.0.0
  --program FILE  the bin/n8n of an installed n8n, instead of an image

Installs the package in an n8n without its editor, and runs one workflow for each node against the emulator.`;

/** The folder of n8n's user inside a container. */
const USER_FOLDER = '/data';

const CREDENTIAL = { id: 'service', name: 'Inference Service', type: 'inferenceServiceApi' };

const DECISION = {
	questions: { question: [{ id: 'urgent', instructions: 'Is it urgent?' }] },
	stateSource: 'text',
	stateText: 'Help!',
};

/** Nodes, each with a field that its item must have. */
const RUNS = [
	{ type: 'decision', parameters: DECISION, field: 'urgent_yes' },
	// The outputs of this operation come from an expression over the parameters.
	{ type: 'decision', parameters: { ...DECISION, operation: 'route' }, field: 'route' },
	{
		type: 'message',
		parameters: { model: ACCEPTED_MODELS[0]!, messages: { message: [{ content: 'Hello!' }] } },
		field: 'text',
	},
	{
		type: 'voice',
		parameters: {
			operation: 'upload',
			audioSource: 'dataUri',
			audioDataUri: 'data:audio/mpeg;base64,SUQzBAAAAAAA',
			customName: 'my-voice',
			text: 'Hello!',
			model: 'vendor/voice-model',
		},
		field: 'customName',
	},
	{ type: 'batch', parameters: { batchId: 'batch_000001' }, field: 'status' },
	{ type: 'account', parameters: { operation: 'getBalance' }, field: 'total_balance' },
];

const SETTINGS = {
	// This is off by default in n8n 3 and later.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_ENCRYPTION_KEY: 'image-check',
	N8N_RUNNERS_BROKER_PORT: '5699',
};

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { program: { type: 'string' }, help: { type: 'boolean' } },
	});
	const [image] = positionals;
	if (values.help || (image === undefined) === (values.program === undefined)) return console.log(USAGE);
	const folder = mkdtempSync(join(tmpdir(), 'n8n-image-'));
	const folderInside = image === undefined ? folder : USER_FOLDER;
	const command = image === undefined ? [process.execPath, values.program!] : dockerRun(image, folder);
	const env = { ...process.env, ...SETTINGS, ...(image === undefined && { N8N_USER_FOLDER: folder }) };
	const n8n = async (...args: string[]) => await run([...command, ...args], env);
	const emulator = await Emulator.start();
	const checklist = new Checklist();
	try {
		installAsCommunityPackage(pack(folder), folder);
		console.log(`n8n ${(await n8n('--version')).trim()}`);
		writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentialsFor(emulator)));
		writeFileSync(join(folder, 'workflows.json'), JSON.stringify(workflows()));
		await n8n('import:credentials', `--input=${folderInside}/credentials.json`);
		await n8n('import:workflow', `--input=${folderInside}/workflows.json`);
		for (const [index, { type, field }] of RUNS.entries()) {
			await checklist.check(`${type}, ${field}`, async () => {
				const output = await n8n('execute', `--id=run${index}`, '--rawOutput');
				return { findings: output.includes(`"${field}"`) ? [] : [output.slice(-2000)] };
			});
		}
	} finally {
		await emulator.close();
		rmSync(folder, { recursive: true, force: true });
	}
	checklist.finish();
}

function credentialsFor({ url, apiKey }: Emulator) {
	return [{ ...CREDENTIAL, data: { baseUrl: url, apiKey } }];
}

function workflows() {
	const credentials = { [CREDENTIAL.type]: { id: CREDENTIAL.id, name: CREDENTIAL.name } };
	return RUNS.map(({ type: name, parameters }, index) => {
		const type = `n8n-nodes-inference-service.${name}`;
		const nodes = behindTrigger({ type, typeVersion: 1, parameters, credentials });
		return { id: `run${index}`, name: `${name} ${index}`, active: false, settings: {}, ...nodes };
	});
}

/** Runs on the host's network, where the emulator listens, and as this user, who can then remove the folder. */
function dockerRun(image: string, folder: string): string[] {
	mkdirSync(join(folder, '.n8n'), { recursive: true });
	chmodSync(folder, 0o777);
	const user = `${process.getuid?.()}:${process.getgid?.()}`;
	const variables = Object.entries({ ...SETTINGS, N8N_USER_FOLDER: USER_FOLDER, HOME: USER_FOLDER });
	const options = ['--network=host', `--user=${user}`, `--volume=${folder}:${USER_FOLDER}`];
	const environment = variables.map(([name, value]) => `--env=${name}=${value}`);
	return ['docker', 'run', '--rm', ...options, ...environment, image];
}

/** Runs a program, and returns all that it wrote. */
async function run([program, ...args]: string[], env: NodeJS.ProcessEnv): Promise<string> {
	const child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
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

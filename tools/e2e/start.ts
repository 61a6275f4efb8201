import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { INode } from 'n8n-workflow';

import { ADMIN_PREFIX } from '../../emulator/addAdminRoutes';
import { decideByMeaning } from '../../emulator/decideByMeaning';
import { ACCEPTED_MODELS, Emulator } from '../../emulator/Emulator';
import { installPackage } from '../scripts/installPackage';
import { pack } from '../scripts/pack';
import { isFree } from '../../test/support/freePorts';
import { Mailbox } from './Mailbox';
import { N8n } from './N8n';
import { N8nSession, owner, type WorkflowFile } from './N8nSession';
import { PACKAGE_NAME } from './paths';
import { Teardown } from './Teardown';
import { MODEL_OF_TEMPLATES, readTemplate, templateFiles } from './templates';
import { uploadStyle, VOICE_MODEL } from './uploadStyle';

const USAGE = `Usage: npm start -- [options]
  --port N      n8n's port, default 5678
  --url URL     the service's base URL, with /v1, instead of the emulator
  --key KEY     the API key for it`;

const NOTE_TYPE = 'n8n-nodes-base.stickyNote';

const NOTE_HEIGHT = 120;

const GENERATING_TYPES = ['message', 'chatModel'].map((name) => `${PACKAGE_NAME}.${name}`);

/** The emulator begins with these voice styles. */
const VOICE_STYLES = ['narrator', 'test-1', 'test-2'];

/** This template should be the first in n8n's list of workflows. */
const FIRST_TEMPLATE = 'sort-my-inbox.json';

const ABOUT_EMULATOR = `
An emulator on this machine answers. Decisions come from a small model; messages and
chats are made up. Neither says anything about the real service.

Try it: open the workflow "Sort my inbox", press Execute workflow, and send "Please refund my last
payment". Then replace Sales and Support with your own teams. "Review queue" asks by mail: send "Hm",
and answer in the mailbox.
`;

interface Options {
	port: number;
	service: { url: string; key: string } | undefined;
}

function readOptions(): Options {
	const { values } = parseArgs({
		options: { port: { type: 'string', default: '5678' }, url: { type: 'string' }, key: { type: 'string' } },
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new TypeError('--port must be a port number');
	}
	const { url, key } = values;
	if ((url === undefined) !== (key === undefined)) throw new TypeError('--url and --key go together');
	return { port, service: url === undefined || key === undefined ? undefined : { url, key } };
}

async function startService(teardown: Teardown): Promise<{ url: string; key: string }> {
	const emulator = await Emulator.start({
		decide: decideByMeaning,
		latencyMs: 150,
		tokenDelayMs: 40,
		models: [...ACCEPTED_MODELS, MODEL_OF_TEMPLATES],
	});
	teardown.add('emulator', async () => await emulator.close());
	const service = { url: emulator.url, key: emulator.apiKey };
	for (const name of VOICE_STYLES) await uploadStyle(service, name);
	return service;
}

/** Returns the names of the imported workflows. */
async function importTemplates(
	session: N8nSession,
	service: { url: string; key: string },
	mailbox: Mailbox,
	isEmulated: boolean,
): Promise<string[]> {
	const credential = await session.createCredential('Inference Service', 'inferenceServiceApi', {
		baseUrl: service.url,
		apiKey: service.key,
	});
	const smtp = await session.createCredential('Mailbox', 'smtp', mailbox.credential);
	const names: string[] = [];
	// n8n lists the latest workflow first, so they are imported in reverse order.
	const files = templateFiles().filter((file) => file !== FIRST_TEMPLATE);
	for (const file of [...files.reverse(), FIRST_TEMPLATE]) {
		const template = readTemplate(file);
		for (const node of template.nodes) {
			if (node.type.endsWith('.emailSend')) node.credentials = { smtp };
		}
		await session.importWorkflow(isEmulated ? withNote(template) : template, {
			inferenceServiceApi: credential,
		});
		names.unshift(template.name);
	}
	return names;
}

/** Adds a note to a workflow that generates text, which says what to enter as its model here. */
function withNote(template: WorkflowFile): WorkflowFile {
	const about = template.nodes.find(({ type }) => type === NOTE_TYPE);
	const needsModel = template.nodes.some(({ type }) => GENERATING_TYPES.includes(type));
	if (!needsModel || !about) return template;
	const [left, top] = about.position;
	const note: INode = {
		...about,
		id: randomUUID(),
		name: 'About the Emulator',
		position: [left, top - NOTE_HEIGHT - 20],
		parameters: {
			content: `### Here, an emulator answers\n\nIts replies are made up. As the model, enter \`${ACCEPTED_MODELS[0]}\`.`,
			width: 480,
			height: NOTE_HEIGHT,
		},
	};
	return { ...template, nodes: [...template.nodes, note] };
}

async function main(teardown: Teardown, { port, service: given }: Options): Promise<void> {
	if (!(await isFree(port))) {
		throw new TypeError(
			`Port ${port} is in use: stop the program that uses it, or choose another port with --port`,
		);
	}
	await installPackage(__dirname);
	const folder = mkdtempSync(join(tmpdir(), 'inference-n8n-'));
	teardown.add('temporary folder', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	console.log('Building the package ...');
	const tarball = pack(folder);
	console.log('Starting n8n ...');
	const service = given ?? (await startService(teardown));
	const n8n = await N8n.start({ folder: join(folder, 'n8n'), tarball, port });
	teardown.add('n8n', async () => await n8n.stop());
	const mailbox = await Mailbox.start();
	teardown.add('mailbox', async () => await mailbox.close());
	const session = await N8nSession.setUp(n8n.url);
	const templates = await importTemplates(session, service, mailbox, given === undefined);
	const admin = new URL(ADMIN_PREFIX, service.url).href;
	const ofEmulator = `API key      ${service.key}
Models       ${ACCEPTED_MODELS[0]} (for Inference Message), ${VOICE_MODEL} (for Inference Voice)
`;
	console.log(`
n8n          ${n8n.url}/home/workflows
Sign in      ${owner.email}
Password     ${owner.password}
Base URL     ${service.url}${given === undefined ? ` (the emulator; control it at ${admin})` : ''}
${given === undefined ? ofEmulator : ''}Credential   Inference Service
Mailbox      ${mailbox.url} (has the mails of the workflows; none is delivered)
Workflows    ${templates.join('\n             ') || 'none'}
Log          ${n8n.process.logFile}
${given === undefined ? ABOUT_EMULATOR : ''}
Press Ctrl-C to end it. Everything in it is then deleted.`);
	await n8n.process.ended;
	if (!teardown.hasBegun) throw new Error(`n8n has ended:\n${n8n.process.logTail()}`);
}

const teardown = new Teardown();
Promise.resolve()
	.then(async () => await main(teardown, readOptions()))
	.catch((error: unknown) => {
		if (teardown.hasBegun) return;
		const isUsage = error instanceof TypeError;
		console.error(isUsage ? `${error.message}\n\n${USAGE}` : error);
		process.exitCode = isUsage ? 2 : 1;
	})
	.then(async () => await teardown.run())
	.catch(console.error);

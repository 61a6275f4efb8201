import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Emulator } from '../../emulator/Emulator';
import { Checklist } from '../scripts/Checklist';
import { installPackage } from '../scripts/installPackage';
import { pack } from '../scripts/pack';
import { N8n } from './N8n';
import { N8nSession, type StoredCredential } from './N8nSession';
import { Teardown } from './Teardown';
import { node, rowOf } from './workflows';

const ITEMS = 40;

const QUESTION = { id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' };

/** Two hosts, with different keys: the credential is edited to lead from one to the other. */
interface Attacked {
	checklist: Checklist;
	session: N8nSession;
	before: Emulator;
	after: Emulator;
}

interface Service {
	url: string;
	apiKey: string;
	reuseConnections?: boolean;
}

const typeAndData = ({ url, apiKey, reuseConnections = false }: Service) => ({
	type: 'inferenceServiceApi',
	data: { baseUrl: url, apiKey, reuseConnections },
});

async function create(session: N8nSession, service: Service): Promise<StoredCredential> {
	const { type, data } = typeAndData(service);
	return await session.createCredential('Attacked', type, data);
}

async function edit(session: N8nSession, { id, name }: StoredCredential, service: Service): Promise<void> {
	await session.call('PATCH', `/credentials/${id}`, { name, ...typeAndData(service) });
}

/** A workflow whose node asks about each item, one after the other. */
async function importDecisions(session: N8nSession, credential: StoredCredential, count: number) {
	const items = Array.from({ length: count }, (_, n) => ({ n }));
	const decide = node('Decide', 'decision', {
		questions: { question: [QUESTION] },
		options: { concurrency: 1 },
	});
	return await session.importWorkflow(rowOf('Attacked', items, [decide]), {
		inferenceServiceApi: credential,
	});
}

const keysAt = ({ requests }: Emulator): string[] => [
	...new Set(requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))),
];

/** A person edits the credential while an execution uses it. */
async function editDuringRun({ checklist, session, before, after }: Attacked): Promise<void> {
	for (const reuseConnections of [false, true]) {
		const by = reuseConnections ? 'reused connections' : 'default transport';
		await checklist.check(`a credential that is edited during a run, ${by}`, async () => {
			for (const emulator of [before, after]) emulator.reset();
			before.latencyMs = 100;
			const { url, apiKey } = before;
			const credential = await create(session, { url, apiKey, reuseConnections });
			const id = await importDecisions(session, credential, ITEMS);
			const executionId = await session.start(id, 'Start');
			await before.waitFor(() => before.requests.length >= ITEMS / 4, 20_000);
			await edit(session, credential, { url: after.url, apiKey: after.apiKey, reuseConnections });
			const { status, outputs } = await session.settledExecution(executionId);
			assert.deepEqual([status, outputs.Decide?.[0]?.length], ['success', ITEMS]);
			assert.deepEqual([keysAt(before), keysAt(after)], [[before.apiKey], []]);
			await session.run(id, 'Start');
			assert.deepEqual([keysAt(before), keysAt(after)], [[before.apiKey], [after.apiKey]]);
			return { findings: [] };
		});
	}
}

/** A person edits the credential after a run that failed, whose answers are kept, and before the next one. */
async function editBeforeNextRun({ checklist, session, before, after }: Attacked): Promise<void> {
	for (const changed of ['key', 'URL', 'key and URL']) {
		await checklist.check(`kept answers, with another ${changed} in the credential`, async () => {
			for (const emulator of [before, after]) emulator.reset();
			before.latencyMs = 0;
			const first = { url: before.url, apiKey: 'key-before-4711' };
			const second = {
				url: changed === 'key' ? before.url : after.url,
				apiKey: changed === 'URL' ? first.apiKey : 'key-after-4712',
			};
			before.apiKey = first.apiKey;
			const credential = await create(session, first);
			const id = await importDecisions(session, credential, 10);
			before.fault({ bodyIncludes: '"n":9', status: 400 });
			assert.equal((await session.run(id, 'Start')).status, 'error');
			assert.equal(before.requests.length, 10);
			const next = changed === 'key' ? before : after;
			next.apiKey = second.apiKey;
			await edit(session, credential, second);
			before.requests.length = 0;
			assert.equal((await session.run(id, 'Start')).status, 'success');
			assert.deepEqual([next.requests.length, keysAt(next)], [10, [second.apiKey]]);
			before.apiKey = first.apiKey;
			await edit(session, credential, first);
			before.requests.length = 0;
			assert.equal((await session.run(id, 'Start')).status, 'success');
			assert.equal(before.requests.length, 1);
			return { findings: [] };
		});
	}
}

/** Tests the credential test, whose rules n8n interprets in its own way. */
async function testCredential({ checklist, session, before }: Attacked): Promise<void> {
	await checklist.check("the credential's test with a status of every type", async () => {
		before.reset();
		const test = async () =>
			(await session.call('POST', '/credentials/test', {
				credentials: { id: '', name: 'Tested', ...typeAndData(before) },
			})) as { status: string };
		assert.equal((await test()).status, 'OK');
		for (const status of [false, 0, 1, '', 'true', null, [], [true], {}, { ok: true }]) {
			before.fault({ status: 200, body: { code: 1, message: 'x', status, data: {} } });
			assert.equal((await test()).status, 'Error', JSON.stringify(status));
		}
		return { findings: [] };
	});
}

async function main(teardown: Teardown): Promise<void> {
	await installPackage(__dirname);
	const folder = mkdtempSync(join(tmpdir(), 'inference-attack-'));
	teardown.add('temporary folder', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const n8n = await N8n.start({ folder: join(folder, 'n8n'), tarball: pack(folder) });
	teardown.add('n8n', async () => await n8n.stop());
	const before = await Emulator.start({ apiKey: 'key-before-4711' });
	teardown.add('emulator', async () => await before.close());
	const after = await Emulator.start({ apiKey: 'key-after-4712' });
	teardown.add('emulator', async () => await after.close());
	const checklist = new Checklist();
	const attacked = { checklist, session: await N8nSession.setUp(n8n.url), before, after };
	for (const attack of [editDuringRun, editBeforeNextRun, testCredential]) await attack(attacked);
	checklist.finish();
}

const teardown = new Teardown();
main(teardown)
	.catch((error: unknown) => {
		if (teardown.hasBegun) return;
		console.error(error);
		process.exitCode = 1;
	})
	.then(async () => await teardown.run())
	.catch(console.error);

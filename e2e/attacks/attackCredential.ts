import assert from 'node:assert/strict';

import { Emulator } from '../../emulator/Emulator';
import { rowOf } from '../workflows';
import type { Attacks } from './Attacks';
import { decide, type AttackedN8n } from './AttackedN8n';

const ITEMS = 40;

/** A person edits the credential while an execution uses it. */
export async function attackCredential(attacks: Attacks): Promise<void> {
	const n8n = await attacks.startN8n();
	const before = await Emulator.start({ apiKey: 'key-before-4711', latencyMs: 100 });
	const after = await Emulator.start({ apiKey: 'key-after-4712' });
	try {
		for (const reuseConnections of [false, true]) {
			const by = reuseConnections ? 'reused connections' : 'default transport';
			await attacks.attack(`a credential that is edited during a run, ${by}`, async () => {
				for (const emulator of [before, after]) emulator.requests.length = 0;
				const credential = await n8n.createCredential(before, { reuseConnections });
				const items = Array.from({ length: ITEMS }, (_, n) => ({ n }));
				const id = await n8n.import(rowOf('Edited', items, [decide({ concurrency: 1 })]), credential);
				const executionId = await n8n.session.start(id, 'Start');
				await before.waitFor(() => before.requests.length >= ITEMS / 4, 20_000);
				await n8n.session.call('PATCH', `/credentials/${credential.id}`, {
					name: credential.name,
					type: 'inferenceServiceApi',
					data: { baseUrl: after.url, apiKey: after.apiKey, reuseConnections },
				});
				const { status, outputs } = await n8n.session.settledExecution(executionId);
				assert.equal(status, 'success');
				assert.equal(outputs.Decide?.[0]?.length, ITEMS);
				assert.deepEqual([keysAt(before), keysAt(after)], [[before.apiKey], []]);
				await n8n.session.run(id, 'Start');
				assert.deepEqual([keysAt(before), keysAt(after)], [[before.apiKey], [after.apiKey]]);
				return `${before.requests.length} requests with the old key to the old host, the next run's with the new key to the new one`;
			});
		}
		await attackRerun(attacks, { n8n, before, after });
		await attackTest(attacks, before, n8n.session.call.bind(n8n.session));
	} finally {
		await before.close();
		await after.close();
		await n8n.stop();
	}
}

/** A person edits the credential after a run that failed, whose answers are kept, and before the next one. */
async function attackRerun(
	attacks: Attacks,
	{ n8n, before, after }: { n8n: AttackedN8n; before: Emulator; after: Emulator },
): Promise<void> {
	for (const changed of ['key', 'URL', 'key and URL']) {
		await attacks.attack(`kept answers, with another ${changed} in the credential`, async () => {
			for (const emulator of [before, after]) emulator.reset();
			before.latencyMs = 0;
			before.apiKey = 'key-before-4711';
			after.apiKey = changed === 'URL' ? before.apiKey : 'key-after-4712';
			const credential = await n8n.createCredential(before);
			const items = Array.from({ length: 10 }, (_, n) => ({ n }));
			const id = await n8n.import(rowOf('Kept', items, [decide({ concurrency: 1 })]), credential);
			before.fault({ bodyIncludes: '"n":9', status: 400 });
			assert.equal((await n8n.session.run(id, 'Start')).status, 'error');
			assert.equal(before.requests.length, 10);
			const edit = async (service: { url: string; apiKey: string }) =>
				await n8n.session.call('PATCH', `/credentials/${credential.id}`, {
					name: credential.name,
					type: 'inferenceServiceApi',
					data: { baseUrl: service.url, apiKey: service.apiKey },
				});
			if (changed === 'key') before.apiKey = after.apiKey;
			const next = changed === 'key' ? before : after;
			await edit(next);
			before.requests.length = 0;
			// A run that succeeds forgets only the answers to its own requests.
			assert.equal((await n8n.session.run(id, 'Start')).status, 'success');
			assert.equal(next.requests.length, 10);
			const [key] = keysAt(next);
			assert.equal(key, next.apiKey);
			before.apiKey = 'key-before-4711';
			await edit(before);
			before.requests.length = 0;
			assert.equal((await n8n.session.run(id, 'Start')).status, 'success');
			assert.equal(before.requests.length, 1);
			return 'all 10 are asked anew; edited back, the 9 kept answers are taken';
		});
	}
}

/** Tests the credential test, whose rules n8n interprets in its own way. */
async function attackTest(
	attacks: Attacks,
	service: Emulator,
	call: (method: string, path: string, body: unknown) => Promise<unknown>,
): Promise<void> {
	const test = async () =>
		(await call('POST', '/credentials/test', {
			credentials: {
				id: '',
				name: 'Tested',
				type: 'inferenceServiceApi',
				data: { baseUrl: service.url, apiKey: service.apiKey },
			},
		})) as { status: string; message: string };
	await attacks.attack("the credential's test with a status of every type", async () => {
		assert.equal((await test()).status, 'OK');
		for (const status of [false, 0, 1, '', 'true', null, [], [true], {}, { ok: true }]) {
			service.fault({ status: 200, body: { code: 1, message: 'x', status, data: {} } });
			const result = await test();
			assert.equal(result.status, 'Error', `${JSON.stringify(status)}: ${result.message}`);
		}
	});
}

const keysAt = ({ requests }: Emulator): string[] => [
	...new Set(requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))),
];

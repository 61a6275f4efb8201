import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import { Emulator } from '../../emulator/Emulator';
import type { Execution } from '../N8nSession';
import { rowOf } from '../workflows';
import type { Attacks } from './Attacks';
import { decide, write, type AttackedN8n } from './AttackedN8n';

const TIMEOUT_S = 3;

/** How long after the timeout an execution may end, and its connections close. Part of it is n8n's own time. */
const MOST_DELAY_MS = 2500;

/** This is longer than the timeout. */
const RETRY_AFTER_S = 6;

const RATE_LIMITED = { status: 429, times: Infinity, body: { message: 'RPM limit reached', data: '' } };

const DELTA =
	'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"more "}}\n\n';

/** n8n ends an execution that takes longer than the instance, or the workflow, allows. */
export async function attackWithTimeouts(attacks: Attacks): Promise<void> {
	const n8n = await attacks.startN8n({ EXECUTIONS_TIMEOUT: String(TIMEOUT_S) });
	const emulator = await Emulator.start();
	try {
		const attack = async (title: string, run: () => Promise<string>) => {
			emulator.reset();
			// With a separate key, each attack has its own limiter.
			emulator.apiKey = title.replaceAll(/\W/g, '-');
			await attacks.attack(title, run);
		};
		for (const reuseConnections of [false, true]) {
			const by = reuseConnections ? 'reused connections' : 'default transport';
			const timeOut = async (nodes: Parameters<AttackedN8n['run']>[2]) => {
				const credential = await n8n.createCredential(emulator, { reuseConnections });
				return await expectEnd(async () => await n8n.run(credential, numbered(20), nodes), emulator);
			};
			await attack(`the execution's timeout while the node waits for a rate limit, ${by}`, async () => {
				emulator.fault({ ...RATE_LIMITED, headers: { 'retry-after': String(RETRY_AFTER_S) } });
				const told = await timeOut([decide()]);
				emulator.clearFaults();
				await setTimeout(RETRY_AFTER_S * 1000);
				await n8n.survives(await n8n.createCredential(emulator, { reuseConnections }));
				return `${told}; the next execution is answered`;
			});
			await attack(`the execution's timeout while the service is silent, ${by}`, async () => {
				emulator.latencyMs = 60_000;
				return await timeOut([decide()]);
			});
			await attack(`the execution's timeout in the middle of a run, and the run again, ${by}`, async () => {
				emulator.latencyMs = 400;
				const credential = await n8n.createCredential(emulator, { reuseConnections });
				const id = await n8n.import(rowOf('Again', numbered(20), [decide({ concurrency: 2 })]), credential);
				const told = await expectEnd(async () => await n8n.session.run(id, 'Start'), emulator);
				const before = emulator.requests.length;
				assert.ok(before > 4 && before < 20, `${before} requests`);
				emulator.latencyMs = 0;
				const { status, outputs } = await n8n.session.run(id, 'Start');
				assert.equal(status, 'success');
				assert.deepEqual(
					outputs.Decide?.[0]?.map(({ json }) => [json.n, typeof json.urgent]),
					numbered(20).map(({ n }) => [n, 'number']),
				);
				assert.ok(emulator.requests.length <= 22, `${emulator.requests.length} requests in both runs`);
				return `${told}; again, ${emulator.requests.length - before} requests for 20 items`;
			});
			await attack(`the execution's timeout while a reply is streamed, ${by}`, async () => {
				emulator.fault({ stream: [{ bytes: DELTA, delayMs: 50, times: Infinity }], times: Infinity });
				return await timeOut([write()]);
			});
		}
	} finally {
		await emulator.close();
		await n8n.stop();
	}
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

async function expectEnd(run: () => Promise<Execution>, emulator: Emulator): Promise<string> {
	const startedAt = performance.now();
	const { status, outputs } = await run();
	const tookMs = Math.round(performance.now() - startedAt);
	assert.equal(status, 'canceled');
	assert.deepEqual(
		Object.keys(outputs).filter((name) => outputs[name]?.flat().length !== 0),
		['Start'],
	);
	assert.ok(tookMs < TIMEOUT_S * 1000 + MOST_DELAY_MS, `ended after ${tookMs} ms`);
	await emulator.waitFor(() => emulator.inFlight === 0, MOST_DELAY_MS);
	const requests = emulator.requests.length;
	await setTimeout(3000);
	assert.equal(emulator.requests.length, requests, 'requests after the end');
	return `ended after ${tookMs} ms, with ${requests} requests and none later`;
}

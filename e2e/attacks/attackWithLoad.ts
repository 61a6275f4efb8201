import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import { Emulator } from '../../emulator/Emulator';
import { chain, node } from '../workflows';
import type { Attacks } from './Attacks';
import { decide, type AttackedN8n } from './AttackedN8n';

/** Before the first measurement, until n8n has loaded and compiled what it needs. */
const WARM_UP_MINUTES = 1;

/** In MB from one minute's end to another's: n8n's own memory goes up and down by more than a package's leak would in an hour. */
const MOST_GROWTH_MB = 250;

const MOST_HANDLES_MORE = 20;

const WEBHOOK_PATH = 'load';

const ANSWERED_WITHIN_MS = 60_000;

export interface Load {
	minutes: number;
	/** Executions started. */
	perMinute: number;
}

/** Short executions, one after the other and side by side, for minutes: nothing is lost, and nothing is left behind. */
export async function attackWithLoad(attacks: Attacks, load: Load): Promise<void> {
	const n8n = await attacks.startN8n({ EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' });
	const emulator = await Emulator.start({ recordRequests: false, latencyMs: 50 });
	try {
		const credential = await n8n.createCredential(emulator);
		const webhook = node(
			'Webhook',
			'n8n-nodes-base.webhook',
			{ httpMethod: 'POST', path: WEBHOOK_PATH, responseMode: 'lastNode', options: {} },
			{ typeVersion: 2, webhookId: WEBHOOK_PATH },
		);
		await n8n.session.publish(await n8n.import(chain('Load', [webhook, decide()]), credential));
		await runMinutes(n8n, { ...load, minutes: WARM_UP_MINUTES });
		await attacks.attack(`${load.perMinute} executions a minute for ${load.minutes} minutes`, async () => {
			const before = { residentMb: n8n.residentMb, handles: n8n.handles };
			const { lost, times } = await runMinutes(n8n, load);
			await emulator.waitFor(() => emulator.inFlight === 0);
			await setTimeout(10_000);
			const [grownMb, moreHandles] = [n8n.residentMb - before.residentMb, n8n.handles - before.handles];
			times.sort((a, b) => a - b);
			const [median, slow] = [0.5, 0.99].map((share) => Math.round(times[Math.floor(times.length * share)]!));
			assert.deepEqual(lost, []);
			assert.ok(grownMb < MOST_GROWTH_MB, `${Math.round(grownMb)} MB more`);
			assert.ok(moreHandles < MOST_HANDLES_MORE, `${moreHandles} handles more`);
			return `${times.length} answered, none lost; ${median} ms in the middle, ${slow} ms for the slowest 1 %; ${Math.round(grownMb)} MB and ${moreHandles} handles more`;
		});
	} finally {
		await emulator.close();
		await n8n.stop();
	}
}

async function runMinutes(
	n8n: AttackedN8n,
	{ minutes, perMinute }: Load,
): Promise<{ lost: unknown[]; times: number[] }> {
	const lost: unknown[] = [];
	const times: number[] = [];
	const calls: Array<Promise<void>> = [];
	const startedAt = performance.now();
	for (let call = 0; call < perMinute * minutes; call++) {
		await setTimeout(Math.max(0, startedAt + (call * 60_000) / perMinute - performance.now()));
		const calledAt = performance.now();
		calls.push(
			callWebhook(n8n.n8n.url, call).then(
				() => void times.push(performance.now() - calledAt),
				(error: unknown) => void lost.push({ call, error: String(error) }),
			),
		);
		if ((call + 1) % perMinute === 0) {
			const { residentMb, handles } = n8n;
			console.log(
				`      minute ${(call + 1) / perMinute}: ${Math.round(residentMb)} MB, ${handles} handles, ${lost.length} lost`,
			);
		}
	}
	await Promise.all(calls);
	return { lost, times };
}

async function callWebhook(url: string, call: number): Promise<void> {
	const response = await fetch(`${url}/webhook/${WEBHOOK_PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ call, message: `Message ${call}` }),
		signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
	});
	const answer = (await response.json()) as { urgent?: unknown; body?: { call?: unknown } };
	assert.equal(response.status, 200);
	assert.equal(typeof answer.urgent, 'number');
	assert.equal(answer.body?.call, call);
}

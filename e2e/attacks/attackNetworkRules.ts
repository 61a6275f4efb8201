import assert from 'node:assert/strict';

import { Emulator } from '../../emulator/Emulator';
import type { Attacks } from './Attacks';
import { decide, failureOf } from './AttackedN8n';

const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** n8n's guard against requests to its own network. */
export async function attackNetworkRules(attacks: Attacks): Promise<void> {
	await attackGuarded(attacks, 'forbids the host', {}, false);
	await attackGuarded(attacks, 'allows the host', { N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' }, true);
}

async function attackGuarded(
	attacks: Attacks,
	rule: string,
	env: Record<string, string>,
	isAllowed: boolean,
): Promise<void> {
	const n8n = await attacks.startN8n({ N8N_SSRF_PROTECTION_ENABLED: 'true', ...env });
	const emulator = await Emulator.start();
	try {
		for (const reuseConnections of [false, true]) {
			const by = reuseConnections ? 'reused connections' : 'default transport';
			await attacks.attack(`n8n's SSRF guard ${rule}, ${by}`, async () => {
				emulator.reset();
				const service = { url: emulator.url.replace('127.0.0.1', 'localhost'), apiKey: emulator.apiKey };
				const credential = await n8n.createCredential(service, { reuseConnections });
				const execution = await n8n.run(credential, [{ n: 1 }], [decide({}, CONTINUE)]);
				if (isAllowed) {
					assert.equal(typeof execution.outputs.Decide?.[0]?.[0]?.json.urgent, 'number');
					return;
				}
				const { message, description, attempts } = failureOf(execution, 'Decide');
				assert.match(description, /network rules/);
				assert.equal(emulator.requests.length, 0);
				assert.equal(emulator.connections, 0);
				assert.equal(attempts, 1);
				return message;
			});
		}
	} finally {
		await emulator.close();
		await n8n.stop();
	}
}

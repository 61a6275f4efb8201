import assert from 'node:assert/strict';

import { makeCertificate } from '../../bench/certificate';
import { Emulator } from '../../emulator/Emulator';
import { HttpProxy } from '../../test/HttpProxy';
import type { Attacks } from './Attacks';
import { decide, failureOf, write } from './AttackedN8n';

const LOGIN = 'user:word';

/** A company's proxy is in front of n8n. Plain HTTP requests go to the proxy, and HTTPS through a tunnel. */
export async function attackBehindProxy(attacks: Attacks): Promise<void> {
	const { file, ...tls } = makeCertificate(attacks.folder);
	const proxy = await HttpProxy.start(LOGIN);
	const plain = await Emulator.start();
	const secure = await Emulator.start({ tls });
	const url = proxy.url(LOGIN);
	const n8n = await attacks.startN8n({ HTTP_PROXY: url, HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: file });
	try {
		for (const [name, service] of [
			['HTTP', plain],
			['HTTPS', secure],
		] as const) {
			const attack = async (title: string, login: string | undefined, run: () => Promise<string | void>) => {
				proxy.login = login;
				proxy.seen.length = 0;
				service.reset();
				await attacks.attack(`${name} behind a proxy ${title}`, run);
			};
			// For an IP address, n8n's agent for proxies checks the certificate as if the host were "localhost".
			const named = { url: service.url.replace('127.0.0.1', 'localhost'), apiKey: service.apiKey };
			const credential = await n8n.createCredential(named);
			for (const [title, login] of [
				['that wants a password', LOGIN],
				['that wants none', undefined],
			] as const) {
				await attack(title, login, async () => {
					const { error, outputs } = await n8n.run(credential, [{ n: 1 }], [decide(), write()]);
					assert.equal(error?.message, undefined);
					assert.equal(typeof outputs.Write?.[0]?.[0]?.json.text, 'string');
					assert.equal(proxy.seen.length, 2);
					assert.ok(proxy.seen.every((seen) => seen.login === LOGIN));
				});
			}
			await attack('that refuses the password', 'other:word', async () => {
				const failing = decide({ maxRetries: 0 }, { onError: 'continueRegularOutput' });
				const { message, description } = failureOf(
					await n8n.run(credential, [{ n: 1 }], [failing]),
					'Decide',
				);
				assert.equal(service.requests.length, 0);
				assert.match(`${message} ${description}`, /proxy/i);
				return `${message} · ${description}`;
			});
			await attack('with reused connections, which bypass it', LOGIN, async () => {
				const reusing = await n8n.createCredential(named, { reuseConnections: true });
				await n8n.survives(reusing);
				assert.equal(proxy.seen.length, 0);
			});
		}
	} finally {
		await Promise.all([proxy.close(), plain.close(), secure.close()]);
		await n8n.stop();
	}
}

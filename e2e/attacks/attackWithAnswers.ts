import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import { HOSTILE_BODIES, HostileServer } from '../../bench/HostileServer';
import { Emulator } from '../../emulator/Emulator';
import type { Attacks } from './Attacks';
import { decide, failureOf, write, type AttackedN8n } from './AttackedN8n';

const READABLE =
	/larger than 16 MiB|more than 16777216 characters|not valid JSON|nested too deeply|is not read/;

/** In MB. This includes n8n's server; the bench has the limits of the package alone. */
const MOST_ABOVE_IDLE_MB = 1000;

/** How long n8n may be busy before it answers a person's request. */
const MOST_SILENCE_MS = 1500;

/** Sends answers that are far too large, too deep or endless, one at a time and eight at once, on both transports. */
export async function attackWithAnswers(attacks: Attacks): Promise<void> {
	const n8n = await attacks.startN8n();
	const emulator = await Emulator.start();
	const server = await HostileServer.start();
	try {
		const ordinary = await n8n.createCredential(emulator);
		await n8n.survives(ordinary);
		const idleMb = n8n.residentMb;
		for (const reuseConnections of [false, true]) {
			for (const { name, node } of HOSTILE_BODIES.above) {
				const service = { url: server.urlOf(name), apiKey: 'sk-hostile-4711' };
				const hostile = await n8n.createCredential(service, { reuseConnections });
				for (const atOnce of [1, 8]) {
					const title = `${name}, ${atOnce} at once, ${reuseConnections ? 'reused connections' : 'default transport'}`;
					await attacks.attack(title, async () => {
						const items = Array.from({ length: atOnce }, (_, n) => ({ n }));
						const make = node === 'decision' ? decide : write;
						const attacked = make({ concurrency: atOnce }, { onError: 'continueRegularOutput' });
						const watch = watchSilence(n8n);
						const execution = await n8n.run(hostile, items, [attacked]);
						const silenceMs = await watch.end();
						assert.equal(execution.outputs[attacked.name]?.[0]?.length, atOnce);
						assert.match(failureOf(execution, attacked.name).message, READABLE);
						await n8n.survives(ordinary);
						assert.ok(silenceMs < MOST_SILENCE_MS, `silent for ${silenceMs} ms`);
						const aboveIdleMb = n8n.peakMb - idleMb;
						assert.ok(aboveIdleMb < MOST_ABOVE_IDLE_MB, `${aboveIdleMb} MB above idle`);
						return `silent for at most ${silenceMs} ms, so far at most ${Math.round(aboveIdleMb)} MB above idle`;
					});
				}
			}
		}
	} finally {
		await server.close();
		await emulator.close();
		await n8n.stop();
	}
}

/** Sends n8n requests again and again, and measures how long it is busy before it answers. */
function watchSilence(n8n: AttackedN8n): { end: () => Promise<number> } {
	let isOver = false;
	let longestMs = 0;
	const watch = (async () => {
		while (!isOver) {
			const workedBeforeMs = n8n.workedMs;
			await fetch(`${n8n.n8n.url}/healthz`);
			longestMs = Math.max(longestMs, Math.round(n8n.workedMs - workedBeforeMs));
			await setTimeout(20);
		}
	})();
	return {
		end: async () => {
			isOver = true;
			await watch;
			return longestMs;
		},
	};
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { Emulator, type EmulatorOptions } from '../emulator/Emulator';
import { answerParent } from './answerParent';
import { DelayingProxy } from './DelayingProxy';
import type { Service } from './Job';

/** What the process that runs the services is asked. */
export type HostQuestion =
	| { do: 'start'; options: EmulatorOptions; delayMs?: number }
	| { do: 'start-stream'; events: number; everyMs: number }
	| { do: 'count'; url: string }
	| { do: 'stop'; url: string };

export interface Counts {
	/** Zero if requests are not recorded, and so is `refused`. */
	requests: number;
	refused: number;
	maxInFlight: number;
	connections: number;
}

interface Running {
	counts(): Counts;
	stop(): Promise<void>;
}

const running = new Map<string, Running>();

function runningAt(url: string): Running {
	const found = running.get(url);
	if (!found) throw new Error(`Nothing runs at ${url}`);
	return found;
}

async function start(options: EmulatorOptions, delayMs: number | undefined): Promise<Service> {
	const emulator = await Emulator.start({ recordRequests: false, ...options });
	const { port } = new URL(emulator.url);
	const proxy = delayMs === undefined ? undefined : await DelayingProxy.start(Number(port), delayMs);
	const url = proxy ? emulator.url.replace(port, String(proxy.port)) : emulator.url;
	running.set(url, {
		counts: () => ({
			requests: emulator.requests.length,
			refused: emulator.requests.filter(({ status }) => status === 429).length,
			maxInFlight: emulator.maxInFlight,
			connections: emulator.connections,
		}),
		stop: async () => {
			proxy?.close();
			await emulator.close();
		},
	});
	return { url, apiKey: emulator.apiKey };
}

/** Streams a message. Each word is the moment at which it is written, in nanoseconds of the system's steady clock. */
async function startStream(events: number, everyMs: number): Promise<Service> {
	const server: Server = createServer((request, response) => {
		request.resume();
		const write = (event: { type: string } & Record<string, unknown>) =>
			response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
		const stream = async () => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const usage = { input_tokens: 1, output_tokens: events };
			const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'acme/quick-1', content: [] };
			write({
				type: 'message_start',
				message: { ...message, stop_reason: null, stop_sequence: null, usage },
			});
			write({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
			for (let sent = 0; sent < events; sent++) {
				await setTimeout(everyMs);
				const text = `${process.hrtime.bigint()} `;
				write({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
			}
			write({ type: 'content_block_stop', index: 0 });
			write({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
			write({ type: 'message_stop' });
			response.end('data: [DONE]\n\n');
		};
		stream().catch((error: unknown) => response.destroy(error as Error));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	running.set(url, {
		counts: () => ({ requests: 0, refused: 0, maxInFlight: 0, connections: 0 }),
		stop: async () => {
			server.closeAllConnections();
			server.close();
		},
	});
	return { url, apiKey: 'any' };
}

answerParent<HostQuestion>(async (asked) => {
	switch (asked.do) {
		case 'start':
			return await start(asked.options, asked.delayMs);
		case 'start-stream':
			return await startStream(asked.events, asked.everyMs);
		case 'count':
			return runningAt(asked.url).counts();
		case 'stop':
			await runningAt(asked.url).stop();
			running.delete(asked.url);
			return undefined;
	}
});

import { setTimeout as wait } from 'node:timers/promises';

import { Emulator, type EmulatorOptions } from '../../emulator/Emulator';
import type { Fault } from '../../emulator/Fault';
import { answerParent } from './answerParent';
import type { Service } from './Job';

/** Describes the questions that the process of the services gets. */
export type HostQuestion =
	| { do: 'start'; options: EmulatorOptions }
	| { do: 'fail'; url: string; failure: ServiceFailure }
	| { do: 'stop'; url: string };

/** Describes what goes wrong with a service from the beginning of a trial on. */
export interface ServiceFailure {
	/** Holds what requests get, or `refuse connections`, as a service does that restarts. */
	as: Omit<Fault, 'times' | 'respond'> | 'refuse connections';
	/** Holds the milliseconds after which the service is well again. If it is undefined, one request gets `as`. Infinity is as long as the trial. */
	forMs?: number;
}

/** Describes the requests that a service had counted when it was stopped. Both are zero if it does not record requests. */
export interface Counts {
	requests: number;
	refused: number;
}

/** Holds each service by its URL. One that refuses connections for a while is pending until it takes them again. */
const running = new Map<string, Promise<Emulator>>();

async function start(options: EmulatorOptions): Promise<Service> {
	const emulator = await Emulator.start({ recordRequests: false, ...options });
	running.set(emulator.url, Promise.resolve(emulator));
	return { url: emulator.url, apiKey: emulator.apiKey };
}

async function fail(url: string, { as, forMs }: ServiceFailure): Promise<void> {
	const emulator = await running.get(url)!;
	if (as === 'refuse connections') {
		const { apiKey, latencyMs } = emulator;
		await emulator.close();
		const options = { apiKey, latencyMs, port: Number(new URL(url).port) };
		running.set(
			url,
			wait(forMs).then(async () => await Emulator.start(options)),
		);
		return;
	}
	emulator.fault({ ...as, times: forMs === undefined ? 1 : Infinity });
	if (forMs !== undefined && forMs < Infinity) setTimeout(() => emulator.clearFaults(), forMs);
}

async function stop(url: string): Promise<Counts> {
	const emulator = await running.get(url)!;
	running.delete(url);
	await emulator.close();
	const refused = emulator.requests.filter(({ status }) => status === 429);
	return { requests: emulator.requests.length, refused: refused.length };
}

answerParent<HostQuestion>(async (asked) => {
	switch (asked.do) {
		case 'start':
			return await start(asked.options);
		case 'fail':
			return await fail(asked.url, asked.failure);
		case 'stop':
			return await stop(asked.url);
	}
});

import { Emulator, type EmulatorOptions } from '../../emulator/Emulator';
import { answerParent } from './answerParent';
import type { Service } from './Job';

/** Describes the questions that the process of the services gets. */
export type HostQuestion = { do: 'start'; options: EmulatorOptions } | { do: 'stop'; url: string };

/** Describes the requests that a service had counted when it was stopped. Both are zero if it does not record requests. */
export interface Counts {
	requests: number;
	refused: number;
}

const running = new Map<string, Emulator>();

async function start(options: EmulatorOptions): Promise<Service> {
	const emulator = await Emulator.start({ recordRequests: false, ...options });
	running.set(emulator.url, emulator);
	return { url: emulator.url, apiKey: emulator.apiKey };
}

async function stop(url: string): Promise<Counts> {
	const emulator = running.get(url)!;
	running.delete(url);
	await emulator.close();
	const refused = emulator.requests.filter(({ status }) => status === 429);
	return { requests: emulator.requests.length, refused: refused.length };
}

answerParent<HostQuestion>(async (asked) =>
	asked.do === 'start' ? await start(asked.options) : await stop(asked.url),
);

import { Emulator, type EmulatorOptions } from '../../emulator/Emulator';
import { answerParent } from './answerParent';
import type { Service } from './Job';

/** What the process that runs the services is asked. */
export type HostQuestion = { do: 'start'; options: EmulatorOptions } | { do: 'stop'; url: string };

/** What a service counted until it was stopped; zero if requests are not recorded. */
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

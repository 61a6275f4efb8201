import type { Emulator } from '../emulator/Emulator';
import type { Checklist } from '../scripts/Checklist';
import { NodeRunner } from './NodeRunner';
import { isServed, KEV_TRIALS, NODE_TRIALS } from './nodeTrials';
import { AIMOCK } from './servers/aimock';
import { haproxy } from './servers/haproxy';
import { KEV } from './servers/kev';
import { nginx } from './servers/nginx';
import { PRISM_MOCK, PRISM_PROXY } from './servers/prism';
import { WIREMOCK } from './servers/wiremock';
import type { StrangeServer } from './StrangeServer';

const SERVERS: StrangeServer[] = [
	PRISM_MOCK,
	PRISM_PROXY,
	AIMOCK,
	KEV,
	WIREMOCK,
	nginx('on'),
	nginx('off'),
	haproxy('on'),
	haproxy('off'),
];

const TRANSPORTS = [
	{ label: 'default transport', reuseConnections: false },
	{ label: 'reused connections', reuseConnections: true },
];

/** Where the trials of servers run, and which of them. */
export interface ServerTrials {
	emulator: Emulator;
	checklist: Checklist;
	/** The folder for the servers' files. */
	folder: string;
	isWanted: (title: string) => boolean;
}

/** Tries every node with every server, on both transports. */
export async function tryServers(trials: ServerTrials): Promise<void> {
	const runner = await NodeRunner.load();
	for (const server of SERVERS) {
		const missing = server.missing?.();
		if (missing === undefined) await tryServer(server, runner, trials);
		else if (trials.isWanted(server.name)) trials.checklist.skip(server.name, missing);
	}
}

async function tryServer(
	server: StrangeServer,
	runner: NodeRunner,
	{ emulator, checklist, folder, isWanted }: ServerTrials,
): Promise<void> {
	const trials = server === KEV ? [...NODE_TRIALS, ...KEV_TRIALS] : NODE_TRIALS;
	const lines = trials
		.filter((trial) => isServed(trial, server))
		.flatMap((trial) =>
			TRANSPORTS.map(({ label, reuseConnections }) => ({
				trial,
				reuseConnections,
				title: `${server.name} · ${trial.title} · ${label}`,
			})),
		);
	const wanted = lines.filter(({ title }) => isWanted(title));
	if (wanted.length === 0) return;
	let started: Awaited<ReturnType<StrangeServer['start']>> | undefined;
	await checklist.check(`${server.name} · starts`, async () => {
		started = await server.start(emulator, folder);
		return { findings: [] };
	});
	if (started === undefined) return;
	const running = started;
	try {
		for (const { trial, title, reuseConnections } of wanted) {
			emulator.reset();
			await checklist.check(title, async () => {
				await trial.run(async (call) => await runner.run(running, call, reuseConnections));
				return { findings: [] };
			});
		}
	} finally {
		await running.stop();
	}
}

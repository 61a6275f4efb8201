import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { IDataObject, INodeType } from 'n8n-workflow';

import { behindTrigger } from '../engine/behindTrigger';
import { outputsOf, runWorkflow } from '../engine/runWorkflow';
import { answerParent } from './answerParent';
import type { HostileBody } from './HostileServer';
import { QUESTION } from './items';
import { loadBuilt, loadCredentialType } from './peers/decision';

/** What a process is asked to do, once. */
export interface HostileJob {
	/** The built package, unpacked. */
	packageFolder: string;
	node: HostileBody['node'];
	/** The base URL, with `/v1`. */
	ordinaryUrl: string;
	hostileUrl: string;
	/** How many items there are, all in flight together. */
	atOnce: number;
	reuseConnections: boolean;
	/** Stops the execution after this time. */
	patienceMs: number;
}

export interface HostileMeasurement {
	seconds: number;
	/** The highest resident memory above that of the idle process. */
	aboveIdleMb: number;
	/**
	 * The longest time between two turns of the event loop, in milliseconds of the main thread's CPU time, so that other
	 * processes do not count.
	 */
	longestBlockMs: number;
	/** The outcome of the first item. */
	outcome: string;
}

const PARAMETERS = {
	decision: { questions: { question: [QUESTION] } },
	message: { model: 'acme/quick-1', messages: { message: [{ role: 'user', content: 'Hello' }] } },
};

async function measure(job: HostileJob): Promise<HostileMeasurement> {
	const run = await runnerOf(job);
	// This may fail: it only matters that all code has been loaded.
	await run(job.ordinaryUrl, 1, AbortSignal.timeout(job.patienceMs));
	const idleMb = process.memoryUsage.rss() / 1024 ** 2;
	if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5');
	const endWatch = watchBlocks();
	const startedAt = performance.now();
	const outcome = await run(job.hostileUrl, job.atOnce, AbortSignal.timeout(job.patienceMs));
	const seconds = (performance.now() - startedAt) / 1000;
	// A block that has just ended is counted only at the next tick.
	await new Promise((resolve) => setTimeout(resolve, 30));
	return { seconds, aboveIdleMb: readPeakMb() - idleMb, longestBlockMs: endWatch(), outcome };
}

async function runnerOf({ packageFolder, node, reuseConnections }: HostileJob) {
	const name = node === 'decision' ? 'Decision' : 'Message';
	const exported = loadBuilt<Record<string, new () => INodeType>>(
		packageFolder,
		`nodes/${name}/${name}.node.js`,
	);
	const nodeType = new exported[name]!();
	const credentialType = loadCredentialType(packageFolder);
	const type = `n8n-nodes-inference-service.${node}`;
	return async (baseUrl: string, atOnce: number, signal: AbortSignal): Promise<string> => {
		const run = await runWorkflow({
			workflow: behindTrigger({
				type,
				typeVersion: 1,
				parameters: {
					...PARAMETERS[node],
					options: { concurrency: atOnce, maxRetries: 0, ...(node === 'message' ? { stream: true } : {}) },
				},
				onError: 'continueRegularOutput',
				credentials: { [credentialType.name]: { id: '1', name: 'Service' } },
			}),
			nodeTypes: { [type]: nodeType },
			credentialTypes: { [credentialType.name]: credentialType },
			credentials: { [credentialType.name]: { baseUrl, apiKey: 'sk-hostile-4711', reuseConnections } },
			items: Array.from({ length: atOnce }, (_, n) => ({ json: { n } })),
			signal,
		});
		if (signal.aborted) return 'stopped';
		const [first] = outputsOf(run, 'Node')[0] ?? [];
		const { error } = (first?.json ?? {}) as { error?: IDataObject };
		return error ? String(error.message).slice(0, 60) : 'answered';
	};
}

function watchBlocks(): () => number {
	let longestMs = 0;
	let lastMs = threadMs();
	const timer = setInterval(() => {
		longestMs = Math.max(longestMs, threadMs() - lastMs);
		lastMs = threadMs();
	}, 5);
	return () => {
		clearInterval(timer);
		return longestMs;
	};
}

function threadMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

function readPeakMb(): number {
	const kilobytes = existsSync('/proc/self/status')
		? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
		: undefined;
	return Number(kilobytes ?? process.resourceUsage().maxRSS) / 1024;
}

answerParent<HostileJob>(measure);

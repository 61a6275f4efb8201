import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { answerParent } from './answerParent';
import { makeItems } from './items';
import type { Job, Measurement } from './Job';
import { loadPeer } from './peers/loadPeer';
import type { Peer } from './peers/Peer';

/** Describes the questions that a measuring process gets, in this order. */
export type MeasureQuestion = { do: 'load'; job: Job } | { do: 'run' };

const WARM_UP_ITEMS = 300;

let loaded: { job: Job; peer: Peer } | undefined;

async function load(job: Job): Promise<void> {
	// The TypeScript loader turns source maps on, which n8n does not use, and which slow down every error.
	process.setSourceMapsEnabled(false);
	loaded = { job, peer: await loadPeer(job) };
	if (job.warmUp) {
		const count = Math.min(WARM_UP_ITEMS, job.items);
		const answered = await loaded.peer(makeItems(count), job.warmUp);
		if (answered < count) throw new Error(`${job.peer} answers only ${answered} of ${count} items`);
	}
}

async function run(): Promise<Measurement> {
	if (!loaded) throw new Error('Nothing is loaded');
	const { job, peer } = loaded;
	const items = makeItems(job.items);
	resetPeak();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const delivered = await peer(items, job.service);
	const seconds = (performance.now() - startedAt) / 1000;
	const { user, system } = process.cpuUsage(cpuBefore);
	const peakMb = readPeakMb();
	return { seconds, cpuSeconds: (user + system) / 1e6, peakMb, delivered };
}

const LINUX_STATUS = '/proc/self/status';
const LINUX_CLEAR = '/proc/self/clear_refs';

/** Makes Linux forget the peak memory so far, which includes that of the parent process. On other systems, nothing is reset. */
function resetPeak(): void {
	if (existsSync(LINUX_CLEAR)) writeFileSync(LINUX_CLEAR, '5');
}

function readPeakMb(): number {
	const kilobytes = existsSync(LINUX_STATUS)
		? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(LINUX_STATUS, 'utf8'))?.[1]
		: undefined;
	return Number(kilobytes ?? process.resourceUsage().maxRSS) / 1024;
}

answerParent<MeasureQuestion>(async (asked) => (asked.do === 'load' ? await load(asked.job) : await run()));

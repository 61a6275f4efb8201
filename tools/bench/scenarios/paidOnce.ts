import { Emulator } from '../../../emulator/Emulator';
import type { Bench } from '../Bench';
import { makeItems } from '../items';
import { fixed, table } from '../../../test/support/markdown';
import { runSaved } from '../peers/decision';
import type { Section } from '../Section';

/** Describes how a run fails, and how it is run again. */
interface Rerun {
	name: string;
	/** Holds the position of the refused item, as a share of all items. */
	refusedAt: number;
	/** Counts the requests for that item that are refused. */
	times: number;
	executions: number;
	/** Holds the settings of the node, such as On Error. */
	settings: object;
}

const RERUNS: Rerun[] = [
	{
		name: 'requests, On Error: Stop, one refused near the nine hundredth, run again',
		refusedAt: 0.9,
		times: 1,
		executions: 2,
		settings: {},
	},
	{
		name: 'requests, On Error: Continue, the first always refused, Retry On Fail with three tries',
		refusedAt: 0,
		times: 10,
		executions: 1,
		settings: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	},
];

/** Scenario 5 counts the requests of a run that fails and is run again. */
export async function paidOnce(bench: Bench): Promise<Section> {
	const count = bench.size(1000, 50);
	const { packageFolder, besideFolder } = bench.options;
	const figures: Array<{ name: string; figure: number; atMost: number; beside: string }> = [];
	for (const rerun of RERUNS) {
		const beside = besideFolder && String(await countRequests(besideFolder, count, rerun));
		figures.push({
			name: rerun.name,
			figure: await countRequests(packageFolder, count, rerun),
			atMost: count + 10,
			beside: beside ?? '',
		});
	}
	return {
		title: '5. Nothing is paid for twice',
		setting: `Of ${count} decisions one fails: how many requests the service gets until every decision that can succeed has succeeded. Default transport, 8 at once.`,
		table: table(
			['', 'figure', ...(besideFolder === undefined ? [] : ['other version'])],
			figures.map((row) => [
				row.name,
				fixed(row.figure, 0),
				...(besideFolder === undefined ? [] : [row.beside]),
			]),
		),
		goals: figures.map(({ name: what, figure, atMost }) => ({ what, figure, digits: 0, atMost })),
	};
}

async function countRequests(packageFolder: string, count: number, rerun: Rerun): Promise<number> {
	const emulator = await Emulator.start();
	try {
		const rows = makeItems(count);
		const { id } = rows[Math.floor(rerun.refusedAt * count)]!;
		emulator.fault({ bodyIncludes: `Message ${String(id)}:`, times: rerun.times, status: 400 });
		const items = rows.map((json) => ({ json }));
		for (let execution = 1; execution <= rerun.executions; execution++) {
			const run = { workflowId: rerun.name, executionId: String(execution), items };
			await runSaved(packageFolder, emulator, run, rerun.settings);
		}
		return emulator.requests.length;
	} finally {
		await emulator.close();
	}
}

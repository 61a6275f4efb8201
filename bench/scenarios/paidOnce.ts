import type { INodeType } from 'n8n-workflow';

import { Emulator } from '../../emulator/Emulator';
import { behindTrigger } from '../../engine/behindTrigger';
import { runWorkflow } from '../../engine/runWorkflow';
import type { Bench } from '../Bench';
import { makeItems, QUESTION } from '../items';
import { table } from '../markdown';
import { loadBuilt, loadCredentialType } from '../peers/decision';
import type { Section } from '../Section';

const TYPE = 'n8n-nodes-inference-service.decision';

/** How a run fails, and how it is run again. */
interface Rerun {
	name: string;
	/** The position of the refused item, as a share of all items. */
	refusedAt: number;
	/** How many requests for it are refused. */
	times: number;
	executions: number;
	settings: object;
}

const RERUNS: Rerun[] = [
	{
		name: 'On Error: Stop, one refused near the nine hundredth, run again',
		refusedAt: 0.9,
		times: 1,
		executions: 2,
		settings: {},
	},
	{
		name: 'On Error: Continue, the first always refused, Retry On Fail with three tries',
		refusedAt: 0,
		times: Infinity,
		executions: 1,
		settings: { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	},
];

/** Scenario 12: what a failing run costs. */
export async function paidOnce(bench: Bench): Promise<Section> {
	const count = bench.size(1000, 50);
	const { packageFolder, besideFolder } = bench.options;
	const rows: Array<{ name: string; now: number; beside: number | undefined }> = [];
	for (const rerun of RERUNS) {
		rows.push({
			name: rerun.name,
			now: await countRequests(packageFolder, count, rerun),
			beside: besideFolder === undefined ? undefined : await countRequests(besideFolder, count, rerun),
		});
	}
	return {
		title: `12. ${count} decisions of which one fails`,
		setting:
			'How many requests the service gets until every decision that can succeed has succeeded. Default transport, 8 at once.',
		table: table(
			['', ...(besideFolder === undefined ? [] : ['other clone']), 'requests'],
			rows.map(({ name, now, beside }) => [
				name,
				...(beside === undefined ? [] : [String(beside)]),
				String(now),
			]),
		),
		goals: rows.map(({ name, now }) => ({
			what: name,
			figure: now,
			digits: 0,
			unit: ' requests',
			atMost: count * 1.01,
		})),
	};
}

async function countRequests(packageFolder: string, count: number, rerun: Rerun): Promise<number> {
	const emulator = await Emulator.start();
	try {
		const items = makeItems(count);
		const { id } = items[Math.floor(rerun.refusedAt * count)]!;
		emulator.fault({ bodyIncludes: `Message ${String(id)}:`, times: rerun.times, status: 400 });
		const { Decision } = loadBuilt<{ Decision: new () => INodeType }>(
			packageFolder,
			'nodes/Decision/Decision.node.js',
		);
		const credentialType = loadCredentialType(packageFolder);
		for (let execution = 1; execution <= rerun.executions; execution++) {
			await runWorkflow({
				workflow: behindTrigger({
					type: TYPE,
					typeVersion: 1,
					parameters: { stateFields: 'text', questions: { question: [QUESTION] } },
					credentials: { [credentialType.name]: { id: '1', name: 'Service' } },
					...rerun.settings,
				}),
				workflowId: rerun.name,
				executionId: String(execution),
				nodeTypes: { [TYPE]: new Decision() },
				credentialTypes: { [credentialType.name]: credentialType },
				credentials: {
					[credentialType.name]: { baseUrl: emulator.url, apiKey: emulator.apiKey },
				},
				items: items.map((json) => ({ json })),
			});
		}
		return emulator.requests.length;
	} finally {
		await emulator.close();
	}
}

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Emulator } from '../../emulator/Emulator';
import { N8n } from '../N8n';
import { N8nSession, type WorkflowFile } from '../N8nSession';
import { readTemplate } from '../templates';

/** n8n polls no more often than once a minute. */
const POLLED_WITHIN_MS = 75_000;

const TEST_WITHIN_MS = 5 * 60_000;

let emulator: Emulator;
let n8n: N8n | undefined;
let start: () => Promise<N8nSession>;

beforeAll(async () => {
	emulator = await Emulator.start();
	const folder = mkdtempSync(join(tmpdir(), 'polled-'));
	start = async () => {
		const isFirst = n8n === undefined;
		await n8n?.stop();
		n8n = await N8n.start({ folder, tarball: process.env.E2E_TARBALL! });
		return await (isFirst ? N8nSession.setUp(n8n.url) : N8nSession.signIn(n8n.url));
	};
});

afterAll(async () => {
	await n8n?.stop();
	await emulator?.close();
});

/** The alert, polled every minute, with a step in place of the email. */
function alertEveryMinute(): WorkflowFile {
	const template = readTemplate('low-balance-alert-once.json');
	return {
		...template,
		nodes: template.nodes.map((node) => {
			if (node.name === 'Send Alert') {
				return { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
			}
			if (node.name !== 'Balance Is Low') return node;
			return { ...node, parameters: { ...node.parameters, pollTimes: { item: [{ mode: 'everyMinute' }] } } };
		}),
	};
}

/** Controls the emulator from outside, as another process does. */
async function answer(fault: object): Promise<void> {
	const faults = `${new URL(emulator.url).origin}/emulator/faults`;
	await fetch(faults, { method: 'DELETE' });
	const response = await fetch(faults, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ path: '/user/info', times: 1_000_000, ...fault }),
	});
	expect(response.status).toBe(200);
}

async function setBalance(totalBalance: string): Promise<void> {
	const data = { id: 'user_1', balance: '0', chargeBalance: totalBalance, totalBalance };
	await answer({ status: 200, body: { code: 20000, message: 'OK', status: true, data } });
}

test(
	'a published trigger tells once of each fall, over a failed poll and restarts of n8n',
	async () => {
		const log: string[] = [];
		const executions: string[] = [];
		const begun = performance.now();

		/** Waits for the next poll, and writes down what came of it. */
		const note = async (what: string, polledBefore: number) => {
			await emulator.waitFor(() => emulator.requests.length > polledBefore, POLLED_WITHIN_MS);
			// n8n starts an execution some moments after the poll.
			await new Promise((resolve) => setTimeout(resolve, 2500));
			const ids = (await session.executionIds(workflowId)).filter((id) => !executions.includes(id));
			executions.push(...ids);
			const results = await Promise.all(
				ids.map(async (id) => {
					const { status, error, outputs } = await session.settledExecution(id);
					const alerts = outputs['Send Alert']?.[0]?.map(({ json }) => String(json.total_balance_text)) ?? [];
					return status === 'success' ? `alert ${alerts.join()}` : `${status}: ${error?.message}`;
				}),
			);
			// How often it polled depends on the second at which n8n was started. Only what it reported counts.
			log.push([what, ...results].join(', '));
			const seconds = Math.round((performance.now() - begun) / 1000);
			writeFileSync(join(process.env.E2E_VIEWS!, 'polls.txt'), `${seconds} s: ${log.at(-1)}\n`, {
				flag: 'a',
			});
		};

		let session = await start();
		const credential = await session.createCredential('Inference Service', 'inferenceServiceApi', {
			baseUrl: emulator.url,
			apiKey: emulator.apiKey,
		});
		const workflowId = await session.importWorkflow(alertEveryMinute(), {
			inferenceServiceApi: credential,
		});
		const polls = () => emulator.requests.length;

		await setBalance('25');
		let before = polls();
		await session.publish(workflowId);
		await note('published at 25', before);

		await setBalance('9.99');
		await note('9.99', polls());

		await answer({ status: 400, body: { code: 20015, message: 'Not now' } });
		await note('failed poll', polls());

		await setBalance('9.99');
		before = polls();
		session = await start();
		await note('restarted at 9.99', before);

		await setBalance('12');
		await note('12', polls());

		await setBalance('3');
		before = polls();
		session = await start();
		await note('restarted at 3', before);

		expect(log).toEqual([
			'published at 25',
			'9.99, alert 9.99',
			'failed poll, error: Not now',
			'restarted at 9.99',
			'12',
			'restarted at 3, alert 3',
		]);
	},
	TEST_WITHIN_MS,
);

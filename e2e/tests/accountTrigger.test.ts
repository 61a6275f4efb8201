import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { Emulator } from '../../emulator/Emulator';
import { N8n } from '../N8n';
import { N8nSession, type WorkflowFile } from '../N8nSession';
import { readTemplate } from '../templates';

/** n8n has no poll time that is more frequent than once a minute, but a trigger may have several poll times. */
const SECONDS_OF_POLLS = [0, 15, 30, 45];

const POLLED_WITHIN_MS = 75_000;

/** n8n starts an execution a moment after the poll. */
const EXECUTED_WITHIN_MS = 30_000;
const NOT_EXECUTED_FOR_MS = 2500;

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

/** The alert with a step in place of the email, polled several times a minute. */
function alertPolledOften(): WorkflowFile {
	const template = readTemplate('low-balance-alert-once.json');
	const item = SECONDS_OF_POLLS.map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	}));
	return {
		...template,
		nodes: template.nodes.map((node) => {
			if (node.name === 'Send Alert') {
				return { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
			}
			if (node.name !== 'Balance Is Low') return node;
			return { ...node, parameters: { ...node.parameters, pollTimes: { item } } };
		}),
	};
}

/**
 * Tells the emulator, as another process would, how to answer the next polls. The last answer applies to all later
 * ones.
 */
async function answer(...answers: object[]): Promise<void> {
	const faults = `${new URL(emulator.url).origin}/emulator/faults`;
	await fetch(faults, { method: 'DELETE' });
	const response = await fetch(faults, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(
			answers.map((one, index) => ({
				path: '/user/info',
				times: index === answers.length - 1 ? 1_000_000 : 1,
				...one,
			})),
		),
	});
	expect(response.status).toBe(200);
}

function balance(totalBalance: string): object {
	const data = { id: 'user_1', balance: '0', chargeBalance: totalBalance, totalBalance };
	return { status: 200, body: { code: 20000, message: 'OK', status: true, data } };
}

test(
	'a published trigger reports each fall once, despite a failed poll and restarts of n8n',
	async () => {
		const log: string[] = [];
		const executions: string[] = [];
		const begun = performance.now();

		const newExecutions = async () =>
			(await session.executionIds(workflowId)).filter((id) => !executions.includes(id));

		/** Waits for the next poll and, if it should report something, for that execution. Adds the result to the log. */
		const note = async (what: string, polledBefore: number, isReported = false) => {
			await emulator.waitFor(() => emulator.requests.length > polledBefore, POLLED_WITHIN_MS);
			const polled = performance.now();
			let ids: string[];
			do {
				await setTimeout(isReported ? 250 : NOT_EXECUTED_FOR_MS);
				ids = await newExecutions();
			} while (isReported && ids.length === 0 && performance.now() - polled < EXECUTED_WITHIN_MS);
			executions.push(...ids);
			const results = await Promise.all(
				ids.map(async (id) => {
					const { status, error, outputs } = await session.settledExecution(id);
					const alerts = outputs['Send Alert']?.[0]?.map(({ json }) => String(json.total_balance_text)) ?? [];
					return status === 'success' ? `alert ${alerts.join()}` : `${status}: ${error?.message}`;
				}),
			);
			// The number of polls depends on the second at which n8n was started, so only the reports are compared.
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
		const workflowId = await session.importWorkflow(alertPolledOften(), {
			inferenceServiceApi: credential,
		});
		const polls = () => emulator.requests.length;

		await answer(balance('25'));
		let before = polls();
		await session.publish(workflowId);
		await note('published at 25', before);

		await answer(balance('9.99'));
		await note('9.99', polls(), true);

		await answer({ status: 400, body: { code: 20015, message: 'Not now' } }, balance('9.99'));
		await note('failed poll', polls(), true);

		before = polls();
		session = await start();
		await note('restarted at 9.99', before);

		await answer(balance('12'));
		await note('12', polls());

		await answer(balance('3'));
		before = polls();
		session = await start();
		await note('restarted at 3', before, true);

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

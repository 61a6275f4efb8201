import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Emulator } from '../../emulator/Emulator';
import { installPackage } from '../scripts/installPackage';
import { pack } from '../scripts/pack';
import { N8n } from './N8n';
import { N8nSession, type StoredCredential } from './N8nSession';
import { findPostgres, Postgres } from './Postgres';
import { findRedis, Redis } from './Redis';
import { Teardown } from './Teardown';
import { node, chain } from './workflows';

const USAGE = `Usage: npm run test:queue -- [options]
  --tarball F   test this tarball, instead of packing the tree
  --keep        leave the temporary folder, with all logs, when done`;

const CALLS = 300;
const CALLS_AT_ONCE = 30;
const CALL_TIMEOUT_MS = 60_000;
/** A worker runs so many executions at once. */
const WORKER_CONCURRENCY = 5;
const WORKERS = 2;

/**
 * Describes the workflow's answer to a webhook call, or the status of a failed one. Status 0 means that there was no response.
 */
interface Answer {
	call: number;
	status: number;
	execution?: string;
	urgent?: boolean;
}

/** Describes n8n in queue mode, with what the tests need of it. */
interface Cluster {
	main: N8n;
	workers: N8n[];
	session: N8nSession;
	emulator: Emulator;
	credentials: Record<string, StoredCredential>;
	workflowId: string;
}

let passed = 0;
let failed = 0;

function check(what: string, problems: unknown[]): void {
	if (problems.length === 0) {
		passed += 1;
		console.log(`✓ ${what}`);
		return;
	}
	failed += 1;
	console.log(
		`✗ ${what}\n  ${problems.length}: ${problems
			.slice(0, 5)
			.map((one) => JSON.stringify(one))
			.join('\n  ')}`,
	);
}

/** Starts a main process and workers with PostgreSQL and Redis, and publishes a workflow that answers webhook calls. */
async function startCluster(teardown: Teardown, tarball: string, folder: string): Promise<Cluster> {
	const [postgresPrograms, redisProgram] = [findPostgres(), findRedis()];
	if (postgresPrograms === undefined || redisProgram === undefined) {
		throw new Error('This needs PostgreSQL and Redis (Debian: apt-get install postgresql redis-server)');
	}
	const postgres = await Postgres.start(postgresPrograms, join(folder, 'postgres'));
	teardown.add('PostgreSQL', async () => await postgres.stop());
	const redis = await Redis.start(redisProgram, join(folder, 'redis'));
	teardown.add('Redis', async () => await redis.stop());
	const emulator = await Emulator.start({ latencyMs: 200 });
	teardown.add('emulator', async () => await emulator.close());

	const env = {
		...postgres.n8nVariables,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		// These make the executions of a dead worker count as failed after seconds. n8n's default is a minute.
		QUEUE_WORKER_LOCK_DURATION: '6000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
	// The first process creates the tables of the database, so it starts alone.
	const main = await N8n.start({ folder: join(folder, 'main'), tarball, env });
	teardown.add('main', async () => await main.stop());
	const workers = await Promise.all(
		Array.from({ length: WORKERS }, async (_, index) => {
			const worker = await N8n.start({
				folder: join(folder, `worker-${index + 1}`),
				tarball,
				command: 'worker',
				args: [`--concurrency=${WORKER_CONCURRENCY}`],
				env,
			});
			teardown.add(`worker ${index + 1}`, async () => await worker.stop());
			return worker;
		}),
	);

	const session = await N8nSession.setUp(main.url);
	const credential = await session.createCredential('Inference Service', 'inferenceServiceApi', {
		baseUrl: emulator.url,
		apiKey: emulator.apiKey,
	});
	const credentials = { inferenceServiceApi: credential };
	const workflowId = await session.importWorkflow(workflow, credentials);
	await session.publish(workflowId);
	return { main, workers, session, emulator, credentials, workflowId };
}

const WEBHOOK_PATH = 'is-it-urgent';

const workflow = chain('Is it urgent?', [
	node(
		'Webhook',
		'n8n-nodes-base.webhook',
		{ httpMethod: 'POST', path: WEBHOOK_PATH, responseMode: 'lastNode', options: {} },
		{ typeVersion: 2, webhookId: WEBHOOK_PATH },
	),
	node('Decide', 'decision', {
		stateFields: 'body',
		questions: {
			question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
		},
	}),
	node(
		'Answer',
		'n8n-nodes-base.set',
		{
			mode: 'raw',
			jsonOutput: '={{ { call: $json.body.call, execution: $execution.id, urgent: $json.urgent_yes } }}',
			options: {},
		},
		{ typeVersion: 3.4 },
	),
]);

const isUrgent = (call: number) => call % 2 === 0;

async function callWebhook(url: string, call: number): Promise<Answer> {
	const message = isUrgent(call) ? 'My card was stolen, help me immediately!' : 'What a nice day.';
	try {
		const response = await fetch(`${url}/webhook/${WEBHOOK_PATH}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ call, message }),
			signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
		});
		const body: unknown = await response.json();
		return { call, ...(response.ok ? (body as object) : {}), status: response.status };
	} catch {
		return { call, status: 0 };
	}
}

/** Runs a task for each index below `count`, with `atOnce` of them at a time. Returns the results in order. */
async function forEach<Result>(
	count: number,
	atOnce: number,
	task: (index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	let next = 0;
	const work = async () => {
		for (let index = next++; index < count; index = next++) results[index] = await task(index);
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return results;
}

/** Counts the executions that each worker has finished, according to its log. */
function countFinished(workers: N8n[]): number[] {
	return workers.map(({ process }) => process.log().match(/Worker finished execution/g)?.length ?? 0);
}

/** Returns the answered calls for which n8n has stored no successful execution of their own. */
async function findLost({ session }: Cluster, answers: Answer[]): Promise<Answer[]> {
	const answered = answers.filter(({ status }) => status === 200);
	const kept = await forEach(answered.length, 10, async (index) => {
		const { call, execution } = answered[index]!;
		const { status, outputs } = await session.execution(String(execution));
		return status === 'success' && outputs.Answer?.[0]?.[0]?.json.call === call;
	});
	return answered.filter((_, index) => !kept[index]);
}

const isWrong = ({ call, status, urgent }: Answer) => status === 200 && urgent !== isUrgent(call);

async function testSpreading(cluster: Cluster): Promise<void> {
	const { main, workers, emulator } = cluster;
	const started = performance.now();
	const answers = await forEach(CALLS, CALLS_AT_ONCE, async (call) => await callWebhook(main.url, call));
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	const shares = countFinished(workers);
	console.log(`${CALLS} calls in ${seconds} s; by worker: ${shares.join(', ')}`);
	check(
		`all ${CALLS} calls are answered`,
		answers.filter(({ status }) => status !== 200),
	);
	check('each with the answer to its own message', answers.filter(isWrong));
	check('each execution is stored', await findLost(cluster, answers));
	check(
		'every worker ran some of them',
		shares.filter((share) => share === 0),
	);
	check(
		'the service was asked once for each',
		emulator.requests.length === CALLS ? [] : [emulator.requests.length],
	);
}

/** Tests that the main process polls a trigger, and that a worker runs the execution that the poll starts. */
async function testPolling({ workers, session, emulator, credentials }: Cluster): Promise<void> {
	const before = countFinished(workers);
	const requests = emulator.requests.length;
	const polled = chain('Low balance', [
		node('Low', 'accountTrigger', { threshold: 1000 }),
		node('Alert', 'n8n-nodes-base.noOp'),
	]);
	const id = await session.importWorkflow(polled, credentials);
	await session.publish(id);
	const { status, outputs } = await session.latestExecution(id);
	const told = outputs.Alert?.[0]?.map(({ json }) => json.total_balance);
	check(
		'a trigger that polls starts the workflow once',
		status === 'success' && told?.length === 1 ? [] : [status, told],
	);
	check(
		'with one poll',
		emulator.requests.length === requests + 1 ? [] : [emulator.requests.length - requests],
	);
	const after = countFinished(workers);
	const ran = after.reduce((sum, count, index) => sum + count - before[index]!, 0);
	check('a worker ran the execution', ran === 1 ? [] : [after]);
	await session.call('POST', `/workflows/${id}/deactivate`);
}

async function testCrash(cluster: Cluster): Promise<void> {
	const { main, workers } = cluster;
	const [survivor, victim] = workers as [N8n, N8n];
	const before = countFinished(workers);
	let answeredBefore = 0;
	let settled = 0;
	let killed: Promise<void> | undefined;
	const answers = await forEach(CALLS, CALLS_AT_ONCE, async (call) => {
		const answer = await callWebhook(main.url, call);
		settled += 1;
		if (settled >= CALLS / 3 && killed === undefined) {
			answeredBefore = settled;
			killed = victim.process.kill();
		}
		return answer;
	});
	await killed;
	const unanswered = answers.filter(({ status }) => status !== 200);
	const after = countFinished(workers);
	console.log(
		`Worker 2 was killed after ${answeredBefore} of ${CALLS} calls; ${unanswered.length} calls failed with it; ` +
			`by worker: ${after.map((count, index) => count - before[index]!).join(', ')}`,
	);
	check(
		'an execution that was answered is stored, whichever worker ran it',
		await findLost(cluster, answers),
	);
	check('answers are to the message of the call', answers.filter(isWrong));
	check(
		`at most the ${WORKER_CONCURRENCY} executions that the killed worker was running fail`,
		unanswered.length > WORKER_CONCURRENCY ? unanswered : [],
	);
	check(
		'their callers are told so',
		unanswered.filter(({ status }) => status < 500),
	);
	check(
		'the other worker continues',
		survivor.process.isRunning && after[0]! - before[0]! > CALLS / 3 ? [] : after,
	);
}

async function main(teardown: Teardown): Promise<void> {
	const { values } = parseArgs({
		options: { tarball: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	await installPackage(__dirname);
	const folder = mkdtempSync(join(tmpdir(), 'inference-queue-'));
	// PostgreSQL may run as another user, who needs access to this folder.
	chmodSync(folder, 0o711);
	teardown.add('temporary folder', () => {
		if (values.keep) console.log(`Left for you: ${folder}`);
		else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	const tarball = values.tarball ?? pack(folder);
	const started = performance.now();
	const cluster = await startCluster(teardown, tarball, folder);
	console.log(
		`Main and ${WORKERS} workers are ready after ${Math.round((performance.now() - started) / 1000)} s`,
	);
	await testSpreading(cluster);
	await testPolling(cluster);
	await testCrash(cluster);
}

const teardown = new Teardown();
main(teardown)
	.catch((error: unknown) => {
		if (teardown.hasBegun) return;
		failed += 1;
		console.error(error);
	})
	.then(async () => {
		await teardown.run();
		console.log(`${passed} passed, ${failed} failed`);
		process.exitCode = failed > 0 ? 1 : 0;
	})
	.catch(console.error);

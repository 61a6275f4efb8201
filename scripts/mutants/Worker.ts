import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { CoverReply, CoverRequest, TestReply, TestRequest } from './messages';
import { ROOT } from './paths';

const MOST_MEMORY_BYTES = 1.5e9;

/** n8n takes seconds to load, and on a busy machine minutes. */
const START_LIMIT_MS = 600_000;

/** The process did not answer in time, or ended. */
export class WorkerLost extends Error {}

/** A process that runs tests. It is started when needed, and anew after it was lost or has grown too large. */
export class Worker {
	private process: ChildProcess | undefined;

	async test(request: Omit<TestRequest, 'kind'>, limitMs: number): Promise<TestReply> {
		const reply = await this.ask<TestReply>({ kind: 'test', ...request }, limitMs);
		if (reply.memoryBytes > MOST_MEMORY_BYTES) this.stop();
		return reply;
	}

	async cover(request: Omit<CoverRequest, 'kind'>, limitMs: number): Promise<CoverReply> {
		return await this.ask<CoverReply>({ kind: 'cover', ...request }, limitMs);
	}

	stop(): void {
		this.process?.kill('SIGKILL');
		this.process = undefined;
	}

	private async ask<Reply>(request: TestRequest | CoverRequest, limitMs: number): Promise<Reply> {
		const child = (this.process ??= await this.start());
		child.send(request);
		return await this.answerOf<Reply>(child, limitMs);
	}

	private async start(): Promise<ChildProcess> {
		const child = fork(join(__dirname, 'answerParent.ts'), {
			cwd: ROOT,
			env: { ...process.env, N8N_LOG_LEVEL: 'silent' },
			execArgv: ['--import', 'tsx', '--no-deprecation'],
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		await this.answerOf(child, START_LIMIT_MS);
		return child;
	}

	private async answerOf<Reply>(child: ChildProcess, limitMs: number): Promise<Reply> {
		const over = new AbortController();
		const signal = AbortSignal.any([over.signal, AbortSignal.timeout(Math.ceil(limitMs))]);
		try {
			const [reply] = (await Promise.race([
				once(child, 'message', { signal }),
				once(child, 'exit', { signal }).then(() => [undefined]),
			])) as [Reply | undefined];
			if (reply !== undefined) return reply;
		} catch {
			// Not in time: the process is of no more use, as when it has ended.
		} finally {
			over.abort();
		}
		child.kill('SIGKILL');
		this.process = undefined;
		throw new WorkerLost('The tests did not end in time');
	}
}

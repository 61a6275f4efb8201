import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { CoverReply, CoverRequest, TestReply, TestRequest } from './messages';
import { ROOT } from './paths';

const MOST_MEMORY_BYTES = 1.5e9;

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
		this.process ??= fork(join(__dirname, 'answerParent.ts'), {
			cwd: ROOT,
			execArgv: ['--import', 'tsx', '--no-deprecation'],
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		const over = new AbortController();
		try {
			this.process.send(request);
			const signal = AbortSignal.any([over.signal, AbortSignal.timeout(limitMs)]);
			const [reply] = (await Promise.race([
				once(this.process, 'message', { signal }),
				once(this.process, 'exit', { signal }).then(() => [undefined]),
			])) as [Reply | undefined];
			if (reply !== undefined) return reply;
		} catch {
			// In both cases the process is of no more use.
		} finally {
			over.abort();
		}
		this.stop();
		throw new WorkerLost('The tests did not end in time');
	}
}

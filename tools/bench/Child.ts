import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The slowest scenario takes about two minutes: 200 items at 10 a second, in four processes. */
const MAX_ANSWER_MS = 15 * 60_000;

export interface Question {
	id: number;
	content: unknown;
}

export type Reply = { id: number; content: unknown } | { id: number; problem: string };

/** Represents a child process that runs a script of this folder and answers questions. */
export class Child {
	private readonly pending = new Map<
		number,
		{ resolve: (content: unknown) => void; reject: (error: Error) => void }
	>();

	private lastId = 0;

	private constructor(private readonly process: ChildProcess) {
		process.on('message', (reply: Reply) => {
			const waiting = this.pending.get(reply.id);
			this.pending.delete(reply.id);
			if ('problem' in reply) waiting?.reject(new Error(reply.problem));
			else waiting?.resolve(reply.content);
		});
		process.once('exit', (code, signal) => {
			for (const { reject } of this.pending.values()) {
				reject(new Error(`The process ended early (${signal ?? code})`));
			}
		});
	}

	static start(script: string, environment: NodeJS.ProcessEnv = {}): Child {
		return new Child(
			fork(script, {
				execArgv: ['--import', 'tsx'],
				env: { ...process.env, ...environment },
				serialization: 'advanced',
			}),
		);
	}

	async ask<Content>(content: unknown): Promise<Content> {
		const id = ++this.lastId;
		let timer: NodeJS.Timeout | undefined;
		try {
			return await new Promise<Content>((resolve, reject) => {
				timer = setTimeout(() => reject(new Error('No answer in time')), MAX_ANSWER_MS);
				this.pending.set(id, { resolve: (reply) => resolve(reply as Content), reject });
				this.process.send({ id, content } satisfies Question);
			});
		} finally {
			clearTimeout(timer);
		}
	}

	async end(): Promise<void> {
		if (this.process.exitCode !== null || this.process.signalCode !== null) return;
		const exited = once(this.process, 'exit');
		this.process.kill();
		await exited;
	}
}

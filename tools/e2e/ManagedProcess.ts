import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface ProcessStart {
	command: string;
	args: string[];
	env: Record<string, string>;
	cwd: string;
	/** Holds the file that receives both output streams. Without it, they go to the streams of this process. */
	logFile?: string;
	/** Holds the user and the group to run as. Only root can change them. */
	uid?: number;
	gid?: number;
	/** Holds the signal that asks the program to end. The default is SIGTERM. */
	stopSignal?: NodeJS.Signals;
}

/** Represents a program in its own process group, so that its child processes end with it. */
export class ManagedProcess {
	/** Resolves with the exit code when the program has ended, or with null if a signal ended it or it did not start. */
	readonly ended: Promise<number | null>;
	private hasEnded = false;
	private readonly child: ChildProcess;
	private readonly killAtExit: () => void;

	constructor(private readonly start: ProcessStart) {
		const log = start.logFile === undefined ? 'inherit' : openSync(start.logFile, 'a');
		this.child = spawn(start.command, start.args, {
			cwd: start.cwd,
			env: start.env,
			detached: true,
			stdio: ['ignore', log, log],
			...(start.uid === undefined ? {} : { uid: start.uid }),
			...(start.gid === undefined ? {} : { gid: start.gid }),
		});
		if (typeof log === 'number') closeSync(log);
		this.ended = new Promise((resolve) => {
			const end = (exitCode: number | null) => {
				this.hasEnded = true;
				resolve(exitCode);
			};
			this.child.once('exit', end);
			this.child.once('error', () => end(null));
		});
		this.killAtExit = () => this.signalGroup('SIGKILL');
		process.once('exit', this.killAtExit);
	}

	get pid(): number | undefined {
		return this.child.pid;
	}

	get isRunning(): boolean {
		return !this.hasEnded;
	}

	get logFile(): string | undefined {
		return this.start.logFile;
	}

	/** Returns what the program has written to its log file. */
	log(): string {
		return this.logFile === undefined ? '' : readFileSync(this.logFile, 'utf8');
	}

	/** Returns the end of the program's log, for error messages. */
	logTail(lines = 40): string {
		return this.log().trimEnd().split('\n').slice(-lines).join('\n');
	}

	/** Polls `isReady` until it returns true. Rejects with the end of the log if the program ends first, or after `timeoutMs`. */
	async waitUntil(isReady: () => Promise<boolean>, timeoutMs: number): Promise<void> {
		const deadline = performance.now() + timeoutMs;
		for (;;) {
			if (await isReady()) return;
			const name = basename(this.start.command);
			if (this.hasEnded) throw new Error(`${name} has ended:\n${this.logTail()}`);
			if (performance.now() > deadline) {
				throw new Error(`${name} is not ready after ${timeoutMs} ms:\n${this.logTail()}`);
			}
			await setTimeout(100);
		}
	}

	/** Asks the program to end, and kills its whole process group after `graceMs`. */
	async stop(graceMs = 10_000): Promise<void> {
		if (!this.hasEnded) {
			this.child.kill(this.start.stopSignal ?? 'SIGTERM');
			await Promise.race([this.ended, setTimeout(graceMs, undefined, { ref: false })]);
		}
		await this.kill();
	}

	/** Kills the whole process group immediately, as a crash would. */
	async kill(): Promise<void> {
		this.signalGroup('SIGKILL');
		process.off('exit', this.killAtExit);
		await this.ended;
	}

	private signalGroup(signal: NodeJS.Signals): void {
		if (this.child.pid === undefined) return;
		try {
			process.kill(-this.child.pid, signal);
		} catch (error) {
			// If its last member has already ended, the group no longer exists.
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}

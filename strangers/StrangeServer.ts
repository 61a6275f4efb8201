import type { ServiceAccess } from './ServiceAccess';

/** A server of others that is running, on the loopback interface. */
export interface RunningServer extends ServiceAccess {
	stop(): Promise<void>;
}

/** A server of others that the nodes are tried with. */
export interface StrangeServer {
	name: string;
	/** What it can be asked: whole responses, streams, and whether they come piece by piece. */
	serves: { operations: 'all' | 'generation'; streams: 'none' | 'whole' | 'live' };
	/** Why it cannot be started here; undefined when it can. */
	missing?(): string | undefined;
	/** Starts it, in front of the emulator where it is a proxy. `folder` is for its files. */
	start(emulator: ServiceAccess, folder: string): Promise<RunningServer>;
}

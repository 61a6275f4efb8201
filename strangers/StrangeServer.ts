import type { ServiceAccess } from './ServiceAccess';

/** A third-party server that is running, on the loopback interface. */
export interface RunningServer extends ServiceAccess {
	stop(): Promise<void>;
}

/** What a server can do, or a trial needs. */
export interface Abilities {
	/** Every operation of the contract, only messages and chats, or only decisions. */
	operations: 'all' | 'generation' | 'decision';
	/** Whether its replies depend on the request, so that it calls tools. */
	callsTools: boolean;
	/** Whether a stream that is asked for arrives in pieces, or as a whole. */
	streams: 'live' | 'whole';
}

/** A third-party server that the nodes are tried with. */
export interface StrangeServer {
	name: string;
	serves: Abilities;
	/** Why it cannot be started here; undefined when it can. */
	missing?(): string | undefined;
	/** Starts it. A proxy is started in front of the emulator. `folder` is for its files. */
	start(emulator: ServiceAccess, folder: string): Promise<RunningServer>;
}

/** The address and the key of a service. */
export interface ServiceAccess {
	url: string;
	apiKey: string;
}

/** What a server can do, or a trial needs. */
export interface Abilities {
	/** Whether its replies depend on the request, so that it calls tools. */
	callsTools: boolean;
	/** Whether a stream that is asked for arrives in pieces, or as a whole. */
	streams: 'live' | 'whole';
}

/** A third-party program that the nodes are tried with, most often in front of the emulator. */
export interface StrangeServer {
	name: string;
	serves: Abilities;
	/** The programs to look for; the first one found is run. */
	programs: string[];
	/** Its arguments. `folder` exists, and is for its files. */
	argumentsFor(port: number, emulator: URL, folder: string): string[];
	/** What comes before the service's paths. */
	basePath: string;
}

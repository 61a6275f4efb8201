export interface ServiceAccess {
	url: string;
	apiKey: string;
}

/** Describes the abilities that a server has, or that a trial needs. */
export interface Abilities {
	/** Says whether replies depend on the request, so that they can call a tool. */
	callsTools: boolean;
	/** Says whether a stream arrives in pieces as it is made, or as a whole at the end. */
	streams: 'live' | 'whole';
}

/** Describes a third-party program that the nodes are tried with. Most of them are proxies in front of the emulator. */
export interface StrangeServer {
	name: string;
	serves: Abilities;
	/** Holds the programs to look for. The first one that is found is run. */
	programs: string[];
	/**
	 * Returns the program's arguments.
	 * @param folder an existing folder for the program's files
	 */
	argumentsFor(port: number, emulator: URL, folder: string): string[];
	/** Holds the path of the base URL, such as `/v1`. */
	basePath: string;
}

/** The address and the key of a service. */
export interface ServiceAccess {
	url: string;
	apiKey: string;
}

/** The abilities that a server has, or that a trial needs. */
export interface Abilities {
	/** Whether replies depend on the request, so that they can call a tool. */
	callsTools: boolean;
	/** Whether a stream arrives in pieces as it is made, or as a whole at the end. */
	streams: 'live' | 'whole';
}

/** A third-party program that the nodes are tried with. Most of them are proxies in front of the emulator. */
export interface StrangeServer {
	name: string;
	serves: Abilities;
	/** The programs to look for. The first one that is found is run. */
	programs: string[];
	/**
	 * Returns the program's arguments.
	 * @param folder an existing folder for the program's files
	 */
	argumentsFor(port: number, emulator: URL, folder: string): string[];
	/** The path of the base URL, such as `/v1`. */
	basePath: string;
}

import type { Emulator } from '../emulator/Emulator';

/** Something that a client of others must manage with the emulator. Throws when it does not. */
export interface ClientTrial {
	title: string;
	run(emulator: Emulator): Promise<void>;
}

import type { Emulator } from '../emulator/Emulator';

/** What a third-party client must manage with the emulator. Throws when it does not. */
export interface ClientTrial {
	title: string;
	run(emulator: Emulator): Promise<void>;
}

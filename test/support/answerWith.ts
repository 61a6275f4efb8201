import type { Emulator } from '../../emulator/Emulator';

/** Makes the emulator answer every request with this body as JSON. */
export function answerWith(emulator: Emulator, body: unknown): void {
	emulator.fault({ times: Infinity, status: 200, body: body as object });
}

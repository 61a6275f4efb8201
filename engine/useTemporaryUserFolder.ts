import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Makes n8n keep its key file in a folder that is deleted when the process ends, instead of in the user's home. Must be called before
 * anything runs on the engine, which looks up the folder only once.
 */
export function useTemporaryUserFolder(): void {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-user-'));
	process.env.N8N_USER_FOLDER = folder;
	// Without a key, n8n makes one, and says so among the output of the program.
	process.env.N8N_ENCRYPTION_KEY ??= randomUUID();
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	for (const [signal, exitCode] of Object.entries(SIGNALS)) {
		process.once(signal, () => process.exit(exitCode));
	}
}

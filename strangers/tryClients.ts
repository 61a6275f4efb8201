import type { Emulator } from '../emulator/Emulator';
import type { Checklist } from '../scripts/Checklist';
import { ANTHROPIC_TRIALS } from './clients/anthropic';
import { OPENAI_TRIALS } from './clients/openai';
import { TYPESAFE_TRIALS } from './clients/typesafe';
import { VERCEL_TRIALS } from './clients/vercel';

/** Where the trials of clients run, and which of them. */
export interface ClientTrials {
	emulator: Emulator;
	checklist: Checklist;
	isWanted: (title: string) => boolean;
}

/** Tries every client with the emulator. */
export async function tryClients({ emulator, checklist, isWanted }: ClientTrials): Promise<void> {
	for (const { title, run } of [
		...OPENAI_TRIALS,
		...ANTHROPIC_TRIALS,
		...VERCEL_TRIALS,
		...TYPESAFE_TRIALS,
	]) {
		if (!isWanted(title)) continue;
		emulator.reset();
		await checklist.check(title, async () => {
			await run(emulator);
			return { findings: [] };
		});
	}
}

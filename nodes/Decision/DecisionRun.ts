import { AnswerTally } from './answers/AnswerTally';
import { findPath } from '../shared/fields/fieldPath';
import type { Execution } from '../shared/run/Execution';
import { yieldRegularly } from '../shared/run/yieldRegularly';

/** What the decisions of one run share. */
export class DecisionRun {
	readonly tally = new AnswerTally();

	/** In how many items a field was missing, by its name. */
	readonly missingFields = new Map<string, number>();

	/** Whether some item has one of the fields, by the names of these. */
	private readonly had = new Map<string, Promise<boolean>>();

	/** Whether any item of the run has one of these fields. If none has, the names are a mistake. */
	async someItemHas(names: string[], execution: Execution): Promise<boolean> {
		const key = JSON.stringify(names);
		const known = this.had.get(key) ?? searchItems(names, execution);
		this.had.set(key, known);
		return await known;
	}
}

async function searchItems(names: string[], { items, signal }: Execution): Promise<boolean> {
	const pause = yieldRegularly();
	for (const { json } of items) {
		if (signal.aborted || names.some((name) => findPath(json, name))) return true;
		await pause();
	}
	return false;
}

import { findPath } from './state/fieldPath';
import type { Execution } from '../shared/run/Execution';
import { yieldRegularly } from '../shared/run/yieldRegularly';
import { countOf, grouped, hintValue } from '../shared/text/wording';
import { AnswerTally } from './answers/AnswerTally';
import { RouteTally } from './routing/RouteTally';

/** A hint names at most this many fields that were not found. */
const MAX_MISSING = 5;

/** What the decisions of one run share. */
export class DecisionRun {
	readonly answers = new AnswerTally();

	readonly routes = new RouteTally();

	/** Items with nothing to send. */
	empty = 0;

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

	/** What came out, as HTML; undefined if nothing did. */
	describe({ items, mayShowData }: Execution): string | undefined {
		const { answers, empty, missingFields, routes } = this;
		const isOnlyOne = answers.items === 1 && mayShowData;
		const lines = [
			...(answers.items === 0 || isOnlyOne ? [] : [`${countOf(answers.items, 'item')} answered.`]),
			...(empty === 0 ? [] : [`${countOf(empty, 'item')} had nothing to send.`]),
		];
		if (mayShowData) {
			const missing = [...missingFields];
			const more = missing.splice(MAX_MISSING).length;
			lines.push(
				...answers.describe(),
				...routes.describe(),
				...missing.map(
					([name, times]) =>
						`Field not found, and not sent: ${hintValue(name)} (in ${times} of ${items.length} items)`,
				),
				...(more === 0 ? [] : [`${grouped(more)} more fields were not found`]),
			);
		}
		return lines.length === 0 ? undefined : lines.join('<br>');
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

import { pathFinder } from './state/fieldPath';
import type { Execution } from '../shared/run/Execution';
import { yieldRegularly } from '../shared/run/yieldRegularly';
import { countOf, formatNumber, hintValue } from '../shared/text/wording';
import { AnswerTally } from './answers/AnswerTally';
import { RouteTally } from './routing/RouteTally';

/** The hint names at most this many fields that were not found. */
const MAX_MISSING_FIELDS = 5;

/** The state that all decisions of one run share. */
export class DecisionRun {
	readonly answers = new AnswerTally();

	readonly routes = new RouteTally();

	/** The number of items that had nothing to send. */
	emptyItems = 0;

	/** The number of items in which a field was missing, by the field's name. */
	readonly missingFields = new Map<string, number>();

	/** The results of `anyItemHas`, by the names of the fields. */
	private readonly foundFields = new Map<string, Promise<boolean>>();

	/** Returns whether any item of the run has one of these fields. If none has, the names are probably wrong. */
	async anyItemHas(names: string[], execution: Execution): Promise<boolean> {
		const key = JSON.stringify(names);
		const known = this.foundFields.get(key) ?? searchItems(names, execution);
		this.foundFields.set(key, known);
		return await known;
	}

	/** Returns the decisions' part of the hint above the output, as HTML, or undefined if there is nothing to say. */
	describe({ items, mayShowData }: Execution): string | undefined {
		const { answers, emptyItems, missingFields, routes } = this;
		const isOnlyOne = answers.items === 1 && mayShowData;
		const lines = [
			...(answers.items === 0 || isOnlyOne ? [] : [`${countOf(answers.items, 'item')} answered.`]),
			...(emptyItems === 0 ? [] : [`${countOf(emptyItems, 'item')} had nothing to send.`]),
		];
		if (mayShowData) {
			const missing = [...missingFields];
			const more = missing.splice(MAX_MISSING_FIELDS).length;
			lines.push(
				...answers.describe(),
				...routes.describe(),
				...missing.map(
					([name, times]) =>
						`Field not found, and not sent: ${hintValue(name)} (in ${times} of ${items.length} items)`,
				),
				...(more === 0 ? [] : [`${formatNumber(more)} more fields were not found`]),
			);
		}
		return lines.length === 0 ? undefined : lines.join('<br>');
	}
}

async function searchItems(names: string[], { items, signal }: Execution): Promise<boolean> {
	const pause = yieldRegularly();
	const finders = names.map(pathFinder);
	for (const { json } of items) {
		if (signal.aborted || finders.some((find) => find(json))) return true;
		await pause();
	}
	return false;
}

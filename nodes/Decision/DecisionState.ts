import { AnswerTally } from './answers/AnswerTally';
import { columnsOf, type ColumnRules, type Columns } from './answers/columns';
import { findPath } from '../shared/fields/fieldPath';
import type { Execution } from '../shared/run/Execution';
import { yieldRegularly } from '../shared/run/yieldRegularly';
import { routingOf, type Routing, type RoutingRules } from './routing/routing';

/** What the decisions of one run share. */
export class DecisionState {
	readonly tally = new AnswerTally();

	/** In how many items a field was missing, by its name. */
	readonly missingFields = new Map<string, number>();

	/** Whether some item has one of the fields, by the names of these. */
	private readonly had = new Map<string, Promise<boolean>>();

	private columns: { rules: ColumnRules; made: Columns } | undefined;

	private routing: { rules: RoutingRules; made: Routing } | undefined;

	/** Whether any item of the run has one of these fields. If none has, the names are a mistake. */
	async someItemHas(names: string[], execution: Execution): Promise<boolean> {
		const key = JSON.stringify(names);
		const known = this.had.get(key) ?? searchItems(names, execution);
		this.had.set(key, known);
		return await known;
	}

	/**
	 * The columns of `columnsOf`, made again only if an expression gives an item different rules.
	 * @throws ParameterError
	 */
	columnsOf(rules: ColumnRules): Columns {
		if (!isSame(rules, this.columns?.rules)) this.columns = { rules, made: columnsOf(rules) };
		return this.columns!.made;
	}

	/**
	 * The result of `routingOf`, also made again only if the rules differ.
	 * @throws ParameterError
	 */
	routingOf(rules: RoutingRules): Routing {
		if (!isSame(rules, this.routing?.rules)) this.routing = { rules, made: routingOf(rules) };
		return this.routing!.made;
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

function isSame<Rules extends object>(rules: Rules, last: Rules | undefined): boolean {
	if (!last) return false;
	for (const name in rules) if (rules[name] !== last[name]) return false;
	return true;
}

import { AnswerTally } from './answers/AnswerTally';
import { columnsOf, type ColumnRules, type Columns } from './answers/columns';
import { routingOf, type Routing, type RoutingRules } from './routing/routing';

/** What the decisions of one run share. */
export class DecisionState {
	readonly tally = new AnswerTally();

	/** In how many items a field was missing, by its name. */
	readonly missingFields = new Map<string, number>();

	private columns: { rules: ColumnRules; made: Columns } | undefined;

	private routing: { rules: RoutingRules; made: Routing } | undefined;

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

function isSame<Rules extends object>(rules: Rules, last: Rules | undefined): boolean {
	if (!last) return false;
	for (const name in rules) if (rules[name] !== last[name]) return false;
	return true;
}

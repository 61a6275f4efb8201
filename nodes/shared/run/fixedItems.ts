import type { RunContext } from '../context/RunContext';
import { expressionsWithin, MAX_EXPRESSION_CHARS } from '../fields/expressionText';
import { shorten } from '../../../client/values/shorten';
import { listFirst } from '../text/lists';
import { hintValue } from '../text/wording';

/** Matches what reads the first or the last item of a node in place of the item at hand. */
const FIXED_ITEM = /(\$input|\$\((?:'[^']*'|"[^"]*")\))(\.(?:first\(\)|last\(\)|all\(\)\[0\]))/;

/** So many items show whether they differ. */
const MAX_COMPARED_ITEMS = 10;

/**
 * Names the expressions that read the first or the last item of a node for every item, although it gave one for each. An expression may
 * well read a node that gave one item, such as a setting, and a value that is the same in all items.
 */
export function describeFixedItems(run: RunContext): string | undefined {
	const { context, earlierPasses, items, mayShowData } = run;
	if (!mayShowData || (items.length < 2 && earlierPasses === 0)) return undefined;
	const expressions = new Set(expressionsWithin(context.getNode().parameters));
	const lines = listFirst(
		[...expressions].flatMap((expression) => describeFixed(run, expression) ?? []),
		'finding',
		String,
	);
	return lines.join('<br>') || undefined;
}

function describeFixed(run: RunContext, expression: string): string | undefined {
	const { context } = run;
	const [fixed, source, call] = FIXED_ITEM.exec(expression) ?? [];
	if (fixed === undefined) return undefined;
	const evaluate = (changed: string) => JSON.stringify(context.evaluateExpression(changed, 0));
	try {
		const count = Number(evaluate(`{{ ${source}.all().length }}`));
		const value = evaluate(expression);
		const others = ownItems(run, source!, count).map((own) => expression.replaceAll(fixed, own));
		if (others.every((other) => evaluate(other) === value)) return undefined;
	} catch {
		// What n8n cannot evaluate for another item shows nothing.
		return undefined;
	}
	const which = call!.startsWith('.last') ? 'last' : 'first';
	return `${hintValue(shorten(expression, MAX_EXPRESSION_CHARS))} always reads the ${which} of several items. For each item's own value, write .item in place of ${call}.`;
}

/**
 * Returns the code for the items of a node that belong to the items of this run, as far as they are compared. In a loop, the node before it
 * gave more items than one pass has, and only the one that is paired with an item of the pass is its own.
 */
function ownItems({ earlierPasses, items }: RunContext, source: string, count: number): string[] {
	if (count === items.length) {
		const compared = Math.min(count, MAX_COMPARED_ITEMS);
		return Array.from({ length: compared }, (_, index) => `${source}.all()[${index}]`);
	}
	return earlierPasses > 0 && count > items.length ? [`${source}.item`] : [];
}

import type { RunContext } from '../context/RunContext';
import { expressionsWithin, MAX_EXPRESSION_CHARS } from '../fields/expressionText';
import { shorten } from '../../../client/values/shorten';
import { listFirst } from '../text/lists';
import { countOf, hintValue } from '../text/wording';

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

function describeFixed(
	{ context, earlierPasses, items }: RunContext,
	expression: string,
): string | undefined {
	const [fixed, source, call] = FIXED_ITEM.exec(expression) ?? [];
	if (fixed === undefined) return undefined;
	const evaluate = (changed: string) => JSON.stringify(context.evaluateExpression(changed, 0));
	try {
		const count = Number(evaluate(`{{ ${source}.all().length }}`));
		// In a loop, the node before it gave more items than one pass has.
		const hasOneForEach = count === items.length || (earlierPasses > 0 && count > items.length);
		if (!hasOneForEach) return undefined;
		const value = evaluate(expression);
		const others = Array.from({ length: Math.min(count, MAX_COMPARED_ITEMS) }, (_, index) =>
			expression.replaceAll(fixed, `${source}.all()[${index}]`),
		);
		if (others.every((other) => evaluate(other) === value)) return undefined;
		const which = call!.startsWith('.last') ? 'last' : 'first';
		return `${hintValue(shorten(expression, MAX_EXPRESSION_CHARS))} always reads the ${which} of ${countOf(count, 'item')}. For each item's own value, write .item in place of ${call}.`;
	} catch {
		// What n8n cannot evaluate for another item shows nothing.
		return undefined;
	}
}

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
	const { context, mayShowData } = run;
	if (!mayShowData) return undefined;
	const expressions = new Set(expressionsWithin(context.getNode().parameters));
	const lines = listFirst(
		[...expressions].flatMap((expression) => describeFixed(run, expression) ?? []),
		'finding',
		String,
	);
	return lines.join('<br>') || undefined;
}

function describeFixed(run: RunContext, expression: string): string | undefined {
	const { context, items } = run;
	const [fixed, source, call] = FIXED_ITEM.exec(expression) ?? [];
	if (fixed === undefined) return undefined;
	const evaluate = (changed: string, itemIndex = 0) =>
		JSON.stringify(context.evaluateExpression(changed, itemIndex));
	try {
		const count = Number(evaluate(`{{ ${source}.all().length }}`));
		if (count < items.length) return undefined;
		const value = evaluate(expression);
		// Behind a filter, an output of several, and in a loop, the node gave more items. Only those that are paired with an item are its own.
		const own = (index: number) => (count === items.length ? `${source}.all()[${index}]` : `${source}.item`);
		const isOther = (_: unknown, index: number) =>
			evaluate(expression.replaceAll(fixed, own(index)), index) !== value;
		if (!items.slice(0, MAX_COMPARED_ITEMS).some(isOther)) return undefined;
	} catch {
		// What n8n cannot evaluate for another item shows nothing.
		return undefined;
	}
	const which = call!.startsWith('.last') ? 'last' : 'first';
	return `${hintValue(shorten(expression, MAX_EXPRESSION_CHARS))} always reads the ${which} of several items. For each item's own value, write .item in place of ${call}.`;
}

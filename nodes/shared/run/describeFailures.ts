import { increase } from '../../../client/increase';
import { shorten } from '../../../client/shorten';
import { countOf } from '../text/countOf';
import { escapeHtml } from '../text/escapeHtml';
import { grouped } from '../text/grouped';
import type { Execution } from './Execution';
import type { Operation } from './Operation';

const MOST_REASONS = 3;

/** In characters. */
const LONGEST_REASON = 200;

/**
 * How many items failed and why, the most frequent reasons first, as HTML. Undefined if none failed.
 * @param reasons one for each failed item
 */
export function describeFailures(
	reasons: string[],
	{ items, mayShowData }: Execution,
	{ overAllItems }: Operation,
): string | undefined {
	if (reasons.length === 0) return undefined;
	const failed = overAllItems
		? 'The run failed'
		: `${grouped(reasons.length)} of ${countOf(items.length, 'item')} failed`;
	if (!mayShowData) return `${failed}.`;
	const counts = new Map<string, number>();
	for (const reason of reasons) increase(counts, shorten(reason, LONGEST_REASON));
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const shown = sorted.slice(0, MOST_REASONS).map(([reason, times]) => {
		const text = escapeHtml(reason);
		return sorted.length === 1 ? text : `${grouped(times)}: ${text}`;
	});
	const more = sorted.length - shown.length;
	if (more > 0) shown.push(countOf(more, 'other reason'));
	return `${failed}: ${shown.join('; ')}`;
}

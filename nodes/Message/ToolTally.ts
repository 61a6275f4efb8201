import type { RunContext } from '../shared/context/RunContext';
import { countOf, formatNumber, hintValue } from '../shared/text/wording';
import { present } from '../shared/values/present';
import { toolsOfFirstItem } from './connectedTools';
import type { ToolCall } from './converse';

/** Counts the calls of connected tools in a run. */
export class ToolTally {
	private executedCalls = 0;

	private failedCalls = 0;

	/** Counts the failed calls of items whose output has no `tool_calls`. */
	private hiddenFailures = 0;

	/**
	 * Counts the calls of one item.
	 * @param isShown whether the output lists the calls
	 */
	add(calls: ToolCall[], isShown: boolean): void {
		const failed = calls.filter(({ error }) => error !== undefined).length;
		this.executedCalls += calls.filter(({ result }) => result !== undefined).length + failed;
		this.failedCalls += failed;
		if (!isShown) this.hiddenFailures += failed;
	}

	/** Returns what a person should know of the calls. It returns undefined if there is nothing to say. */
	describe(run: RunContext): string | undefined {
		return (
			present([this.describeFailed(), this.describeFirstItem(run), describeRepeated(run)]).join(' ') ||
			undefined
		);
	}

	private describeFailed(): string | undefined {
		if (this.failedCalls === 0) return undefined;
		const failed = countOf(this.failedCalls, 'call of a connected tool', 'calls of connected tools');
		const advice =
			this.hiddenFailures === 0 ? "look at 'tool_calls'" : "to see them in 'tool_calls', turn 'Simplify' on";
		return `${failed} failed: ${advice}.`;
	}

	/** n8n makes the connected tools once, for the first item. */
	private describeFirstItem({ context, items }: RunContext): string | undefined {
		if (this.executedCalls === 0 || items.length < 2) return undefined;
		const names = toolsOfFirstItem(context).map((name) => `"${hintValue(name)}"`);
		if (names.length === 0) return undefined;
		const [tools, their] = names.length === 1 ? ['tool', 'its'] : ['tools', 'their'];
		return `The ${tools} ${names.join(', ')} used the values of the first item for all ${countOf(items.length, 'item')}: if ${their} expressions are to read each item, process one item at a time, with 'Loop Over Items'.`;
	}
}

/** Describes the calls of a try that failed later, which n8n's Retry On Fail has repeated. */
function describeRepeated({ earlierChanges: count }: RunContext): string | undefined {
	if (count === 0) return undefined;
	const [calls, they] = count === 1 ? ['tool call was', 'it'] : ['tool calls were', 'they'];
	return `${formatNumber(count)} ${calls} made in an earlier try, which failed, and may have been made again: check what ${they} did.`;
}

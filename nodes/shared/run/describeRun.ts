import { increase } from '../values/increase';
import { errorMessage } from '../text/errorMessage';
import { shorten } from '../../../client/values/shorten';
import type { RunCalls } from '../../../client/limiter/RunCalls';
import type { ServiceClient } from '../../../client/ServiceClient';
import { clock } from '../service/clock';
import {
	countOf,
	describeTokens,
	escapeHtml,
	formatAge,
	formatNumber,
	hintValue,
	inItems,
} from '../text/wording';
import { listFirst } from '../text/lists';
import type { RunContext } from '../context/RunContext';
import type { ItemOperation } from '../node/Operation';
import type { ConnectionFindings } from './connections';
import { describeFixedItems } from './fixedItems';
import { present } from '../values/present';

/** The hint shortens longer reasons. */
const MAX_REASON_CHARS = 200;

interface RunFacts {
	/** Holds the operation's own part of the hint. It is undefined if there is nothing to say. */
	summary: string | undefined;
	/** Holds the reason of each item that failed. */
	failures: string[];
	/** The findings are undefined if nothing is known of the connections behind the outputs. */
	connections: ConnectionFindings | undefined;
}

/**
 * Returns the hint above the output, as HTML: the results, the failures, the tokens, reused answers, and waits for the service.
 * Returns undefined if there is nothing to say.
 */
export function describeRun(
	run: RunContext,
	operation: Pick<ItemOperation, 'keepBothAdvice'>,
	{ summary, failures, connections }: RunFacts,
): string | undefined {
	const { isTool, mayShowData, budget, calls, createdClient, tokens } = run;
	// Nobody looks at the output of an agent's tool for figures, but what the agent was told is wrong without this.
	if (isTool) return describeEmptyExpressions(run);
	const parts = [
		// What went to the wrong place comes before what it was.
		connections && describeConnections(connections, mayShowData),
		summary,
		describeFailures(failures, run),
		...(mayShowData ? run.fieldFindings.describe(run.items.length) : []),
		describeEmptyExpressions(run),
		describeFixedItems(run),
		describeFieldNames(run),
		describeReplacedFields(run, operation),
		describeKeptByFailed(run),
		describeTokens(tokens.input, tokens.output),
		describeMissingUsage(budget?.answersWithoutUsage),
		describeReuse(run),
		// Waits reveal something about the use of the service, which a redacted run must not show.
		mayShowData && createdClient ? describeWaiting(createdClient, calls) : undefined,
	];
	return joinParts(parts);
}

/** Returns the hint of an operation over all items: its own summary, and the input fields that its output replaced. */
export function describeRunOverAllItems(run: RunContext, summary: string | undefined): string | undefined {
	return joinParts([summary, describeReplacedFields(run, {})]);
}

function joinParts(parts: Array<string | undefined>): string | undefined {
	return present(parts).join('<br>') || undefined;
}

/** Returns the hint of a run over all items that failed. */
export function describeFailedRun(error: Error, { mayShowData }: RunContext): string {
	return mayShowData ? `The run failed: ${escapeHtml(reasonOf(error))}` : 'The run failed.';
}

/** Returns the reason of a failure, as the hint shows it. */
export function reasonOf(error: unknown): string {
	return shorten(errorMessage(error), MAX_REASON_CHARS);
}

/** Describes the requests that were sent again, those that may be billed twice, and the waits for the service. Returns undefined if there were none. */
export function describeWaiting(
	{ sentAgain, mayBeBilledTwice }: ServiceClient,
	calls: RunCalls,
): string | undefined {
	const sentences: string[] = [];
	if (sentAgain > 0) {
		const verb = sentAgain === 1 ? 'was' : 'were';
		sentences.push(
			`${countOf(sentAgain, 'request')} ${verb} sent again after the service had failed, or the connection had broken.`,
		);
	}
	if (mayBeBilledTwice > 0) {
		sentences.push(
			`${countOf(mayBeBilledTwice, 'repeated request')} may have reached the service before, and may be billed twice.`,
		);
	}
	const seconds = (calls.countTimes(clock.now()).limitedMs / 1000).toFixed(1);
	if (calls.rateLimitHits > 0) sentences.push(`${countOf(calls.rateLimitHits, 'request')} hit a rate limit.`);
	if (seconds !== '0.0') {
		sentences.push(`The node waited ${seconds} seconds until the service could take more.`);
	}
	return sentences.join(' ') || undefined;
}

/** Returns how many items failed, and the most frequent reasons. */
function describeFailures(reasons: string[], { items, mayShowData }: RunContext): string | undefined {
	if (reasons.length === 0) return undefined;
	const failed = `${formatNumber(reasons.length)} of ${countOf(items.length, 'item')} failed`;
	if (!mayShowData) return `${failed}.`;
	const counts = new Map<string, number>();
	for (const reason of reasons) increase(counts, reason);
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const listed = listFirst(
		sorted,
		'sentence',
		([reason, times]) =>
			sorted.length === 1 ? escapeHtml(reason) : `${formatNumber(times)}: ${escapeHtml(reason)}`,
		(others) => countOf(others, 'other reason'),
	);
	return `${failed}: ${listed.join('; ')}`;
}

/** Returns which outputs are connected to nothing although items left by them, which labels lead to other nodes than before, and which nodes get an item several times. */
function describeConnections(
	{ lost, moved, repeated }: ConnectionFindings,
	mayShowData: boolean,
): string | undefined {
	if (!mayShowData) {
		const count = [...lost.values()].reduce((sum, one) => sum + one, 0);
		return count === 0
			? undefined
			: `${countOf(count, 'item')} left by an output that is connected to nothing.`;
	}
	const unconnected = listFirst(
		lost,
		'finding',
		([label, count]) =>
			`${countOf(count, 'item')} left by "${hintValue(label)}", which is connected to nothing: connect it to a node.`,
	);
	const leads = new Map(moved.map((found) => [found.label, found]));
	const reconnect = listFirst(leads, 'finding', ([label, { leadsTo, replaced }]) => {
		const target = leadsTo.map((name) => `"${hintValue(name)}"`).join(' and ') || 'nothing';
		if (replaced !== undefined) {
			return `"${hintValue(label)}" leads to ${target}, where "${hintValue(replaced)}" led before: check the connections.`;
		}
		return `"${hintValue(label)}" now leads to ${target}: check the connections.`;
	});
	const several = listFirst(
		repeated,
		'finding',
		([name, count]) =>
			`"${hintValue(name)}" gets ${countOf(count, 'item')} more than once, by several outputs that lead to it. To have each once, join the outputs with 'Merge' before it, and add 'Remove Duplicates'.`,
	);
	return [...unconnected, ...reconnect, ...several].join('<br>') || undefined;
}

/**
 * The advice says what was sent for an expression without a value, and what to write if that is right. It suits NaN too, which ?? does
 * not replace.
 */
const EMPTY_TEXT_ADVICE =
	'What was sent instead is empty text, nothing at all, or a word such as undefined, null or NaN. If empty text is right, write ($json.field || &#39;&#39;) in place of $json.field.';

/** Returns which expressions in the text that was sent had no value, and in how many items. */
function describeEmptyExpressions({ emptyExpressions, items, mayShowData }: RunContext): string | undefined {
	const { counts, affectedItems } = emptyExpressions;
	if (affectedItems === 0) return undefined;
	if (!mayShowData) return `Empty expressions ${inItems(affectedItems, items.length)}.`;
	const listed = listFirst(
		counts,
		'finding',
		([where, count]) => `${inItems(count, items.length)}, ${escapeHtml(where)} has no value`,
	);
	return `Check the expressions: ${listed.join('; ')}. ${EMPTY_TEXT_ADVICE}`;
}

/** Returns which texts were sent as they stand although they are names of fields, and in how many items. */
function describeFieldNames({ fieldNames, items, mayShowData }: RunContext): string | undefined {
	const { counts, affectedItems } = fieldNames;
	if (affectedItems === 0) return undefined;
	if (!mayShowData) return `The name of a field was sent as a text ${inItems(affectedItems, items.length)}.`;
	const listed = listFirst(counts, 'finding', ([finding, count]) => {
		const [name, ...path] = JSON.parse(finding) as [string, ...string[]];
		const keys = path.map((key) => (/^[a-z_]\w*$/i.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`));
		return `"${hintValue(name)}" was sent as it stands ${inItems(count, items.length)}, although there is a field of that name: write {{ $json${escapeHtml(keys.join(''))} }}`;
	});
	return `${listed.join('; ')}.`;
}

/** Returns which input fields have other values in the output, in how many items, and how to keep both. */
function describeReplacedFields(
	run: RunContext,
	{ keepBothAdvice }: Pick<ItemOperation, 'keepBothAdvice'>,
): string | undefined {
	const { replacedFields, items, mayShowData } = run;
	const { counts, affectedItems } = replacedFields;
	if (affectedItems === 0) return undefined;
	if (!mayShowData) return `Input fields were replaced ${inItems(affectedItems, items.length)}.`;
	const rename = 'rename the input field before this node';
	const other = keepBothAdvice?.([...counts.keys()], run);
	const advice = other === undefined ? rename : `${other}, or ${rename}`;
	return `Input fields replaced by other values: ${listFields(counts, items.length)}. To keep both, ${advice}.`;
}

/** Returns which columns hold values of the input in items that failed, where a later node could take them for results. */
function describeKeptByFailed({ replacedFields, items, mayShowData }: RunContext): string | undefined {
	const kept = replacedFields.keptByFailed();
	if (kept.size === 0 || !mayShowData) return undefined;
	return `Failed items keep these values of the input, which are not results: ${listFields(kept, items.length)}. Filter out items with "error".`;
}

function listFields(counts: ReadonlyMap<string, number>, items: number): string {
	const described = listFirst(
		counts,
		'finding',
		([name, count]) => `"${hintValue(name)}" ${inItems(count, items)}`,
	);
	return described.join(', ');
}

function describeMissingUsage(answers = 0): string | undefined {
	if (answers === 0) return undefined;
	const them = answers === 1 ? 'it' : 'them';
	return `${countOf(answers, 'answer')} did not report token usage: the token budget cannot count ${them}.`;
}

/** Returns how many answers were reused from an earlier run, or shared by equal items, and whether all items were equal. */
function describeReuse({ answers, items, mayShowData, sentTexts }: RunContext): string | undefined {
	const { asked = 0, taken = 0, takenAgeMs = 0, shared = 0 } = answers?.counts ?? {};
	const sentences: string[] = [];
	if (taken > 0) {
		const [verb, they] = taken === 1 ? ['was', 'It was'] : ['were', 'They were'];
		const from = mayShowData ? `a run that ended ${formatAge(takenAgeMs)}` : 'an earlier run';
		sentences.push(
			`${formatNumber(taken)} of ${countOf(asked, 'answer')} ${verb} taken from ${from}. ${they} not requested or paid for again.`,
		);
	}
	if (shared > 0) sentences.push(`${countOf(shared, 'item')} shared the request of an identical item.`);
	if (sentTexts.areEqual(items.length)) {
		sentences.push('All items sent the same content: check the fields and expressions that are sent.');
	}
	return sentences.join(' ') || undefined;
}

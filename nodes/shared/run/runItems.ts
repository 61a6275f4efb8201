import { untilAborted } from '../../../client/time/abort';
import { describeRun, reasonOf } from './describeRun';
import type { RunContext } from '../context/RunContext';
import { ItemContext } from '../context/ItemContext';
import { runConcurrently } from './runConcurrently';
import { logProgress, logStop } from './logProgress';
import { canceledError, toItemError, toNodeError, type FailedItem } from './nodeErrors';
import { hasSimplify, type ItemOperation, type ItemResult, type RunResult } from '../node/Operation';
import { addColumns, otherFields } from './otherFields';
import type { ServiceNode } from '../node/ServiceNode';
import { watchConnections } from './connections';
import { simplify } from '../fields/sharedFields';

/** Describes a result of an item, or of its failure. */
interface ResultItem extends ItemResult {
	/** Holds the reason of a failed item. It is undefined for a result. */
	failure?: string;
}

/**
 * Runs an operation for every input item, with limited concurrency. This is the only loop over items, and the only place that
 * handles failed items by the node's setting "On Error".
 */
export async function runItems(
	operation: ItemOperation,
	run: RunContext,
	node: ServiceNode,
): Promise<RunResult> {
	const { context, items, signal } = run;
	const shared = beginRun(operation, run);
	run.calls.limitTo(concurrencyOf(run, node));
	const reportItemDone = logProgress(context, items.length, () => run.answers?.counts.taken ?? 0);
	let done = 0;
	const results = await runConcurrently({
		count: items.length,
		calls: run.calls,
		signal,
		run: async (index) => {
			const result = await runItem(new ItemContext(run, index), operation, shared);
			if (result[0]?.failure === undefined) done++;
			reportItemDone();
			return result;
		},
	})
		.catch((thrown: Error) => {
			throw runError(thrown, run, items.length - done);
		})
		.finally(() => run.showTokens());
	const failures = results.flatMap(([first]) => first?.failure ?? []);
	run.answers?.end(failures.length > 0 ? 'continued' : 'succeeded');

	const summary = await shared.then(
		(sharedState) => operation.summarize?.(sharedState, run),
		() => undefined,
	);
	const withFailures = context.getNode().onError !== 'continueErrorOutput';
	const left = results.map((all) => all.filter(({ failure }) => withFailures || failure === undefined));
	const connections = operation.sourceOfLabels && watchConnections(run, left, operation.sourceOfLabels(run));
	return {
		results,
		hint: describeRun(run, operation, { summary, failures, connections }),
		isWarning: failures.length > 0 || (connections?.moved.length ?? 0) > 0,
	};
}

/** Carries the error of an item out of the loop, with On Error set to "Stop". */
class ItemFailure extends Error {
	constructor(
		readonly error: unknown,
		readonly item: FailedItem,
	) {
		super('An item failed');
	}
}

/** Converts whatever ended the run into the error that the node throws. */
function runError(thrown: Error, run: RunContext, undone: number): Error {
	const { answers, changes, context, createdClient, earlierPasses, items, signal } = run;
	const node = context.getNode();
	run.rememberChanges();
	const end = {
		abortedBills: createdClient?.abortedBills ?? 0,
		kept: answers?.end('failed') ?? 0,
		changes,
		earlierPasses,
		continues: context.continueOnFail(),
		items: items.length,
		undone,
	};
	if (thrown instanceof ItemFailure) {
		const { error, item } = thrown;
		const named = item.done?.toolsRun.length ?? 0;
		return toNodeError(error, node, item, { ...end, changes: { ...changes, count: changes.count - named } });
	}
	if (!signal.aborted) return thrown;
	const canceled = canceledError(node, end);
	if (end.abortedBills > 0 || end.kept > 0) logStop(context, canceled);
	return canceled;
}

/** Makes the state that the operation's items share. If this fails, each item fails with the reason. */
function beginRun(operation: ItemOperation, run: RunContext): Promise<unknown> {
	// `begin` may wait for connected nodes, and some of those ignore the signal.
	const shared = untilAborted((async () => await operation.begin?.(run))(), run.signal);
	shared.catch(() => {});
	return shared;
}

async function runItem(
	item: ItemContext,
	operation: ItemOperation,
	shared: Promise<unknown>,
): Promise<ResultItem[]> {
	const { run } = item;
	const { context, isTool, options, signal } = run;
	// This default is for a failed item whose own setting cannot be read.
	let withOtherFields = !isTool && options.includeOtherFields.properties[0].default === true;
	try {
		withOtherFields = includesOtherFields(item, operation);
		const sharedState = await shared;
		const values = item.readEach(operation.fields);
		// A wrong option or credential fails every item, even one that sends nothing.
		await item.prepareCalls();
		const result = await operation.run(item, values, sharedState);
		const all = Array.isArray(result) ? result : [result];
		return withOtherFields ? addOtherFields(all, item) : all;
	} catch (error) {
		if (signal.aborted) return await Promise.reject(error);
		if (!context.continueOnFail()) {
			run.stop();
			return await Promise.reject(new ItemFailure(error, describeFailedItem(item)));
		}
		return [toErrorItem(item, error, withOtherFields)];
	}
}

/** Makes the output item for a failed item. On the error output, the engine itself adds the input's fields. */
function toErrorItem(item: ItemContext, error: unknown, withOtherFields: boolean): ResultItem {
	const { context, input, run } = item;
	const json = { error: toItemError(error, describeFailedItem(item)) };
	const onErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const fields = withOtherFields && !onErrorOutput ? otherFields(input) : {};
	run.replacedFields.addFailed(fields);
	return { json: { ...fields, ...json }, failure: reasonOf(error) };
}

function describeFailedItem({ done, run, index }: ItemContext): FailedItem {
	return { index, count: run.items.length, done, inChat: run.context.isStreaming?.() === true };
}

/** Returns the first item's value, which applies to the whole run. If it is wrong, the item fails when it runs. */
function concurrencyOf(run: RunContext, { oneAtATime, options }: ServiceNode): number {
	try {
		return oneAtATime?.(run) ? 1 : run.parameters.read(options.concurrency, 0);
	} catch {
		return 1;
	}
}

function includesOtherFields(item: ItemContext, operation: ItemOperation): boolean {
	const { isTool, options } = item.run;
	// A tool does not use this value, but reads it, so that a wrong expression fails before anything is sent.
	const isSimple = !hasSimplify(operation) || item.read(simplify);
	return isSimple && !isTool && item.read(options.includeOtherFields);
}

function addOtherFields(results: ItemResult[], { run, input }: ItemContext): ResultItem[] {
	const fields = otherFields(input);
	const added = results.map(({ json }) => addColumns(fields, json));
	run.replacedFields.addItem(
		added.flatMap(({ replaced }) => replaced),
		results.flatMap(({ json }) => Object.keys(json)),
	);
	return results.map((result, index) => ({ ...result, json: added[index]!.json, binary: input.binary }));
}

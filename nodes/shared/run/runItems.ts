import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { shorten } from '../../../client/response/shorten';
import { untilAborted } from '../../../client/time/abort';
import { describeRun } from './describeRun';
import { Execution } from './Execution';
import { ItemContext } from './ItemContext';
import { launch } from './launch';
import { logProgress } from './logProgress';
import { canceledError, toItemError, toNodeError, type FailedAt } from './nodeErrors';
import { hasSimplify, type ItemResult, type Operation } from './Operation';
import { otherFields } from './otherFields';
import { describe } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { ServiceNode } from './ServiceNode';
import { simplify } from '../fields/sharedFields';
import { errorMessage } from '../text/errorMessage';

/** In characters. */
const MAX_REASON_LENGTH = 200;

/** A result with what the runner adds to it. */
interface ResultItem extends ItemResult {
	/** Only for a failed item: why it failed. */
	failure?: string;
}

/**
 * Runs a node's operation for every input item: with bounded concurrency, results in input order, each paired with its
 * input, failures as the node's error setting says. This is the only loop over items, and the only place that decides what a
 * failed item becomes.
 */
export async function runItems(
	context: IExecuteFunctions,
	node: ServiceNode,
): Promise<INodeExecutionData[][]> {
	const execution = new Execution(context, node.options, node.paidOnce);
	const { items, asTool, signal } = execution;
	const outputs: INodeExecutionData[][] = Array.from(
		{ length: asTool ? 1 : countOutputs(context) },
		() => [],
	);
	if (items.length === 0) return outputs;

	const operation = findOperation(execution, node);
	const count = operation.overAllItems ? 1 : items.length;
	const shared = begin(operation, execution);
	execution.calls.concurrency = concurrencyOf(execution, node);
	const itemEnds = logProgress(context, count);
	const results = await launch({
		count,
		calls: execution.calls,
		signal,
		run: async (index) => {
			const result = await runItem(new ItemContext(execution, index), operation, shared);
			itemEnds();
			return result;
		},
	}).catch((thrown: Error) => {
		throw runError(thrown, execution);
	});
	const failures = results.flatMap(([first]) => first?.failure ?? []);
	execution.answers?.end(failures.length > 0 ? 'continued' : 'succeeded');

	const summary = await shared.then(
		(made) => operation.summarize?.(made, execution),
		() => undefined,
	);
	const message = describeRun(execution, operation, summary, failures);
	const type = failures.length > 0 ? 'warning' : 'info';
	if (message) context.addExecutionHints?.({ message, location: 'outputPane', type });

	results.forEach((list, index) => {
		for (const { json, binary, output, pairedItem = index } of list) {
			outputs[asTool ? 0 : (output ?? 0)]!.push({
				json: json as IDataObject,
				...(binary && !asTool ? { binary } : {}),
				pairedItem: pairedItem === 'all' ? items.map((_, item) => ({ item })) : { item: pairedItem },
			});
		}
	});
	return outputs;
}

/** What an item under "Stop" failed with. */
class ItemFailure extends Error {
	constructor(
		readonly error: unknown,
		readonly item: FailedAt,
	) {
		super('An item failed');
	}
}

/** What the run throws. */
function runError(thrown: Error, { answers, context, clientInUse, signal }: Execution): Error {
	const node = context.getNode();
	const end = {
		abortedBills: clientInUse?.abortedBills ?? 0,
		kept: answers?.end('failed') ?? 0,
	};
	if (thrown instanceof ItemFailure) return toNodeError(thrown.error, node, thrown.item, end);
	return signal.aborted ? canceledError(node, end) : thrown;
}

/** What the operation's items share. If it cannot be made, each item fails with the reason. */
function begin(operation: Operation, execution: Execution): Promise<unknown> {
	// Not everything that other nodes supply respects the signal.
	const shared = untilAborted((async () => await operation.begin?.(execution))(), execution.signal);
	shared.catch(() => {});
	return shared;
}

async function runItem(
	item: ItemContext,
	operation: Operation,
	shared: Promise<unknown>,
): Promise<ResultItem[]> {
	const { execution, input } = item;
	const { context, asTool, options, signal } = execution;
	// Used for a failed item whose own setting cannot be read.
	let withOtherFields =
		!asTool && !operation.overAllItems && options.includeOtherFields.properties[0].default === true;
	try {
		if (asTool && operation.notAsTool) {
			throw new ParameterError(
				'"Operation" (operation)',
				`must not be "${operation.name}" in a tool of an AI Agent`,
			);
		}
		withOtherFields = includesOtherFields(item, operation);
		// Fails the item for which it is wrong. The value itself is read once, before the items.
		item.read(options.concurrency);
		const made = await shared;
		const result = await operation.run(item, item.readEach(operation.fields), made);
		const all = Array.isArray(result) ? result : [result];
		return withOtherFields ? all.map((one) => addOtherFields(one, input)) : all;
	} catch (error) {
		if (signal.aborted) return await Promise.reject(error);
		if (!context.continueOnFail()) {
			execution.stop();
			return await Promise.reject(new ItemFailure(error, failedAt(item, operation)));
		}
		return [failedItem(item, operation, error, withOtherFields)];
	}
}

/** The output item for a failed item. On the error output, the engine adds the input's fields itself. */
function failedItem(
	item: ItemContext,
	operation: Operation,
	error: unknown,
	withOtherFields: boolean,
): ResultItem {
	const { context, input } = item;
	const json = { error: toItemError(error, failedAt(item, operation)) };
	const onErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return {
		json: withOtherFields && !onErrorOutput ? { ...otherFields(input), ...json } : json,
		failure: shorten(errorMessage(error), MAX_REASON_LENGTH),
	};
}

function failedAt({ done, execution, index }: ItemContext, { overAllItems }: Operation): FailedAt {
	return overAllItems
		? { index, count: 1, sendsNothing: true }
		: { index, count: execution.items.length, done };
}

/** The engine adds the error output itself. */
function countOutputs(context: IExecuteFunctions): number {
	return context.getNodeOutputs().filter(({ category }) => category !== 'error').length;
}

function findOperation({ context }: Execution, { operations }: ServiceNode): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((candidate) => candidate.value === value);
	if (!operation) {
		throw new NodeOperationError(context.getNode(), `Unknown "Operation" (operation): ${describe(value)}`);
	}
	return operation;
}

/** The first item's value applies to the whole execution. An item with a wrong value fails by itself. */
function concurrencyOf(execution: Execution, { oneAtATime, options }: ServiceNode): number {
	try {
		return oneAtATime?.(execution) ? 1 : execution.parameters.read(options.concurrency, 0);
	} catch {
		return 1;
	}
}

function includesOtherFields(item: ItemContext, operation: Operation): boolean {
	const { asTool, options } = item.execution;
	if (operation.overAllItems) return false;
	// Read for a tool too: an expression that fails must do so before anything is sent.
	const isSimple = !hasSimplify(operation) || item.read(simplify);
	return isSimple && !asTool && item.read(options.includeOtherFields);
}

function addOtherFields(result: ItemResult, input: INodeExecutionData): ResultItem {
	return {
		...result,
		json: { ...otherFields(input), ...result.json },
		binary: input.binary,
	};
}

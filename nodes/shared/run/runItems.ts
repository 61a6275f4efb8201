import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { describeRun } from './describeRun';
import { Execution } from './Execution';
import { ItemContext } from './ItemContext';
import { logProgress } from './logProgress';
import { canceledError, toItemError, toNodeError, type FailedAt } from './nodeErrors';
import type { ItemResult, Operation } from './Operation';
import { otherFields } from './otherFields';
import { ParameterError } from '../fields/ParameterError';
import type { ServiceNode } from './ServiceNode';
import { simplify } from '../fields/sharedFields';
import { yieldRegularly } from './yieldRegularly';

/** A result with what the runner adds to it. */
interface ResultItem extends ItemResult {
	failed?: true;
}

/**
 * Runs a node's operation for every input item: with bounded concurrency, results in input order, each paired with its
 * input, failures as the node's error setting says. All nodes have this loop over items and no other, and only here is it
 * decided what becomes of a failed item.
 */
export async function runItems(
	context: IExecuteFunctions,
	node: ServiceNode,
): Promise<INodeExecutionData[][]> {
	const execution = new Execution(context, node);
	const { items, asTool } = execution;
	const outputs: INodeExecutionData[][] = Array.from(
		{ length: asTool ? 1 : countOutputs(context) },
		() => [],
	);
	if (items.length === 0) return outputs;

	const operation = findOperation(execution);
	const results = await runAll(execution, operation);

	const failures = results.filter(([first]) => first?.failed).length;
	const message = await describeRun(execution, operation, failures);
	if (message) context.addExecutionHints?.({ message, location: 'outputPane', type: 'info' });

	results.forEach((list, index) => {
		for (const { json, binary, output, pairedItem = index } of list) {
			outputs[asTool ? 0 : (output ?? 0)]!.push({
				json,
				...(binary && !asTool ? { binary } : {}),
				pairedItem: pairedItem === 'all' ? items.map((_, item) => ({ item })) : { item: pairedItem },
			});
		}
	});
	return outputs;
}

/**
 * Runs the operation for the items, the first ones first and as many at once as the concurrency says; one that works over all
 * items, once.
 * @throws the first error
 */
async function runAll(execution: Execution, operation: Operation): Promise<ResultItem[][]> {
	const { context, items, signal } = execution;
	const count = operation.overAllItems ? 1 : items.length;
	const canceledBy = context.getExecutionCancelSignal();
	const cancel = () => execution.stop();
	canceledBy?.addEventListener('abort', cancel);
	if (canceledBy?.aborted) cancel();
	const results: ResultItem[][] = new Array(count);
	let next = 0;
	// Items that fail without a request would keep everything else waiting.
	const yieldNowAndThen = yieldRegularly();
	const itemEnds = logProgress(context, count);
	const work = async () => {
		while (next < count && !signal.aborted) {
			const index = next++;
			await yieldNowAndThen();
			if (signal.aborted) return;
			results[index] = await runItem(new ItemContext(execution, index), operation);
			itemEnds();
		}
	};
	try {
		await Promise.all(Array.from({ length: Math.min(concurrencyOf(execution), count) }, work));
	} finally {
		canceledBy?.removeEventListener('abort', cancel);
	}
	if (signal.aborted) throw canceledError(context.getNode());
	return results;
}

async function runItem(item: ItemContext, operation: Operation): Promise<ResultItem[]> {
	const { execution, input } = item;
	const { context, node, asTool, signal } = execution;
	// What a failed item gets whose own setting cannot be read.
	let withOtherFields = !asTool && !operation.overAllItems && node.includeOtherFields;
	try {
		if (asTool && operation.notAsTool) {
			throw new ParameterError(
				'"Operation" (operation)',
				`must not be "${operation.name}" in a tool of an AI Agent`,
			);
		}
		// Fails the item for which it is wrong. The value itself is read once, before the items.
		item.read(node.options.concurrency);
		withOtherFields = includesOtherFields(item, operation);
		const result = await operation.run(item);
		const all = Array.isArray(result) ? result : [result];
		return withOtherFields ? all.map((one) => addOtherFields(one, input)) : all;
	} catch (error) {
		if (signal.aborted) throw canceledError(context.getNode());
		if (!context.continueOnFail()) {
			execution.stop();
			throw toNodeError(error, context.getNode(), failedAt(item, operation));
		}
		return [failedItem(item, operation, error, withOtherFields)];
	}
}

/** The output item of a failed one. To the error output the engine adds the input's fields itself. */
function failedItem(
	item: ItemContext,
	operation: Operation,
	error: unknown,
	withOtherFields: boolean,
): ResultItem {
	const { context, input } = item;
	const json: IDataObject = { error: toItemError(error, failedAt(item, operation)) };
	const onErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return {
		json: withOtherFields && !onErrorOutput ? { ...otherFields(input), ...json } : json,
		failed: true,
	};
}

function failedAt({ execution, index }: ItemContext, { overAllItems }: Operation): FailedAt {
	return overAllItems ? { index, count: 1, sendsNothing: true } : { index, count: execution.items.length };
}

/** The engine adds the error output itself. */
function countOutputs(context: IExecuteFunctions): number {
	return context.getNodeOutputs().filter(({ type, category }) => type === 'main' && category !== 'error')
		.length;
}

function findOperation({ context, node }: Execution): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = node.operations.find((candidate) => candidate.value === value);
	if (!operation) {
		throw new NodeOperationError(context.getNode(), `Unknown operation "${String(value)}"`);
	}
	return operation;
}

/** One for the whole execution, so the first item's. An item for which it is wrong fails by itself. */
function concurrencyOf(execution: Execution): number {
	const { node, parameters } = execution;
	if (node.oneAtATime?.(execution)) return 1;
	try {
		return parameters.read(node.options.concurrency, 0);
	} catch {
		return 1;
	}
}

function includesOtherFields(item: ItemContext, operation: Operation): boolean {
	const { asTool, node } = item.execution;
	if (asTool || operation.overAllItems || (!operation.alwaysSimple && !item.read(simplify))) return false;
	return item.read(node.options.includeOtherFields);
}

function addOtherFields(result: ItemResult, input: INodeExecutionData): ResultItem {
	return {
		...result,
		json: { ...otherFields(input), ...result.json },
		binary: input.binary,
	};
}

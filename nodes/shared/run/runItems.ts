import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { shorten } from '../../../client/response/shorten';
import { untilAborted } from '../../../client/time/abort';
import { describeRun } from './describeRun';
import { Execution } from './Execution';
import { ItemContext } from './ItemContext';
import { launch } from './launch';
import { logProgress } from './logProgress';
import { canceledError, toItemError, toNodeError, type FailedItem } from './nodeErrors';
import { hasSimplify, type ItemResult, type Operation } from './Operation';
import { otherFields } from './otherFields';
import { describeValue } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import type { ServiceNode } from './ServiceNode';
import { simplify } from '../fields/sharedFields';
import { errorMessage } from '../text/errorMessage';

/** The hint above the output shortens longer reasons. */
const MAX_REASON_CHARS = 200;

/** Names the parameter "Operation", which is no Field, in errors. */
const OPERATION = '"Operation" (operation)';

/** A result of an item, or of its failure. */
interface ResultItem extends ItemResult {
	/** The reason of a failed item. Undefined for a result. */
	failure?: string;
}

/**
 * Runs a node's operation for every input item, with limited concurrency. The results are in the order of the input, and are
 * paired with it. This is the only loop over items, and the only place that handles failed items by the node's setting "On
 * Error".
 */
export async function runItems(
	context: IExecuteFunctions,
	node: ServiceNode,
): Promise<INodeExecutionData[][]> {
	const execution = new Execution(context, node.options, node.billing);
	const { items, isTool, signal } = execution;
	// The engine itself moves failed items to the error output, if there is one.
	const outputs = context.getNodeOutputs().map((): INodeExecutionData[] => []);
	if (items.length === 0) return outputs;

	const operation = findOperation(execution, node);
	const count = operation.overAllItems ? 1 : items.length;
	const shared = beginRun(operation, execution);
	execution.calls.concurrency = concurrencyOf(execution, node);
	const reportItemDone = logProgress(context, count, () => execution.answers?.taken ?? 0);
	const results = await launch({
		count,
		calls: execution.calls,
		signal,
		run: async (index) => {
			const result = await runItem(new ItemContext(execution, index), operation, shared);
			reportItemDone();
			return result;
		},
	}).catch((thrown: Error) => {
		throw runError(thrown, execution);
	});
	const failures = results.flatMap(([first]) => first?.failure ?? []);
	execution.answers?.end(failures.length > 0 ? 'continued' : 'succeeded');

	const summary = await shared.then(
		(sharedState) => operation.summarize?.(sharedState, execution),
		() => undefined,
	);
	const message = describeRun(execution, operation, summary, failures);
	const type = failures.length > 0 ? 'warning' : 'info';
	if (message) context.addExecutionHints?.({ message, location: 'outputPane', type });

	results.forEach((list, index) => {
		for (const { json, binary, output, pairedItem = index } of list) {
			outputs[isTool ? 0 : (output ?? 0)]!.push({
				json: json as IDataObject,
				...(binary && !isTool ? { binary } : {}),
				pairedItem: pairedItem === 'all' ? items.map((_, item) => ({ item })) : { item: pairedItem },
			});
		}
	});
	return outputs;
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
function runError(thrown: Error, { answers, context, createdClient, signal }: Execution): Error {
	const node = context.getNode();
	const end = {
		abortedBills: createdClient?.abortedBills ?? 0,
		kept: answers?.end('failed') ?? 0,
	};
	if (thrown instanceof ItemFailure) return toNodeError(thrown.error, node, thrown.item, end);
	return signal.aborted ? canceledError(node, end) : thrown;
}

/** Makes the state that the operation's items share. If this fails, each item fails with the reason. */
function beginRun(operation: Operation, execution: Execution): Promise<unknown> {
	// `begin` may wait for connected nodes, and some of those ignore the signal.
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
	const { context, isTool, options, signal } = execution;
	// This default is for a failed item whose own setting cannot be read.
	let withOtherFields =
		!isTool && !operation.overAllItems && options.includeOtherFields.properties[0].default === true;
	try {
		if (isTool && operation.notAsTool) {
			throw new ParameterError(OPERATION, `must not be "${operation.name}" in a tool of an AI Agent`);
		}
		withOtherFields = includesOtherFields(item, operation);
		// `concurrencyOf` has already used the first item's value. Reading it again fails an item whose own value is wrong.
		item.read(options.concurrency);
		const sharedState = await shared;
		const result = await operation.run(item, item.readEach(operation.fields), sharedState);
		const all = Array.isArray(result) ? result : [result];
		return withOtherFields ? all.map((one) => addOtherFields(one, input)) : all;
	} catch (error) {
		if (signal.aborted) return await Promise.reject(error);
		if (!context.continueOnFail()) {
			execution.stop();
			return await Promise.reject(new ItemFailure(error, describeFailedItem(item, operation)));
		}
		return [toErrorItem(item, operation, error, withOtherFields)];
	}
}

/** Makes the output item for a failed item. On the error output, the engine itself adds the input's fields. */
function toErrorItem(
	item: ItemContext,
	operation: Operation,
	error: unknown,
	withOtherFields: boolean,
): ResultItem {
	const { context, input } = item;
	const json = { error: toItemError(error, describeFailedItem(item, operation)) };
	const onErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return {
		json: withOtherFields && !onErrorOutput ? { ...otherFields(input), ...json } : json,
		failure: shorten(errorMessage(error), MAX_REASON_CHARS),
	};
}

function describeFailedItem(
	{ done, execution, index }: ItemContext,
	{ overAllItems }: Operation,
): FailedItem {
	return overAllItems
		? { index, count: 1, sendsNothing: true }
		: { index, count: execution.items.length, done };
}

function findOperation({ context }: Execution, { operations }: ServiceNode): Operation {
	const value = context.getNodeParameter('operation', 0);
	return operations.find((candidate) => candidate.value === value) ?? unknownOperation(value, operations);
}

/** Makes an operation that fails each item. An error outside the loop over items would ignore the setting "On Error". */
function unknownOperation(value: unknown, operations: Operation[]): Operation {
	const names = operations.map(({ name }) => name).join(', ');
	const error = new ParameterError(OPERATION, `must be one of ${names}, not "${describeValue(value)}"`);
	return {
		value: describeValue(value),
		name: 'Unknown Operation',
		description: 'A stored operation that the node does not have',
		action: 'Unknown operation',
		fields: {},
		run: async () => await Promise.reject(error),
	};
}

/** Returns the first item's value, which applies to the whole execution. If it is wrong, the item fails when it runs. */
function concurrencyOf(execution: Execution, { oneAtATime, options }: ServiceNode): number {
	try {
		return oneAtATime?.(execution) ? 1 : execution.parameters.read(options.concurrency, 0);
	} catch {
		return 1;
	}
}

function includesOtherFields(item: ItemContext, operation: Operation): boolean {
	const { isTool, options } = item.execution;
	if (operation.overAllItems) return false;
	// A tool does not use this value, but reads it, so that a wrong expression fails before anything is sent.
	const isSimple = !hasSimplify(operation) || item.read(simplify);
	return isSimple && !isTool && item.read(options.includeOtherFields);
}

function addOtherFields(result: ItemResult, input: INodeExecutionData): ResultItem {
	return {
		...result,
		json: { ...otherFields(input), ...result.json },
		binary: input.binary,
	};
}

import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { createClient } from './createClient';
import { ItemCall } from './ItemCall';
import { toItemError, toNodeError } from './nodeErrors';
import type { ItemResult, Operation } from './Operation';
import { ParameterError } from './ParameterError';
import { ParameterReader } from './ParameterReader';
import type { ServiceNode } from './ServiceNode';
import { describeWaiting } from './describeWaiting';

/** The engine takes an error for a stopped execution, not a failed one, by the word "canceled". */
const CANCELED = 'The execution was canceled';

/**
 * Runs a node's operation for every input item: with bounded concurrency, results in input order, each paired with its
 * input, failures as the node's error setting says. All nodes have this loop over items and no other, and only here is it
 * decided what becomes of a failed item.
 */
export async function runItems(
	context: IExecuteFunctions,
	node: ServiceNode,
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const asTool = isTool(context);
	const outputs: INodeExecutionData[][] = Array.from(
		{ length: asTool ? 1 : countOutputs(context) },
		() => [],
	);
	if (items.length === 0) return outputs;

	const operation = findOperation(context, node);
	const stop = new AbortController();
	let connection: ReturnType<typeof createClient> | undefined;
	const connectOnce = async () => await (connection ??= createClient(context));
	const parameters = new ParameterReader(context);
	const itemAt = (index: number) =>
		new ItemCall(context, index, items[index]!, asTool, parameters, node.timeout, connectOnce, stop.signal);
	const concurrency = readConcurrency(itemAt(0), node);

	const runItem = async (index: number): Promise<ResultItem[]> => {
		const item = itemAt(index);
		let withOtherFields = !asTool && node.includeOtherFields;
		try {
			if (concurrency instanceof Error) throw concurrency;
			withOtherFields = includesOtherFields(item, operation, node);
			return await runOperation(item, operation, withOtherFields);
		} catch (error) {
			if (stop.signal.aborted) throw new NodeOperationError(context.getNode(), CANCELED);
			if (!context.continueOnFail()) {
				stop.abort();
				throw toNodeError(error, context.getNode(), index);
			}
			return [failedItem(item, error, withOtherFields)];
		}
	};
	const results = await runAll(items.length, concurrency instanceof Error ? 1 : concurrency, {
		stop,
		canceledBy: context.getExecutionCancelSignal(),
		run: runItem,
	});
	if (stop.signal.aborted) throw new NodeOperationError(context.getNode(), CANCELED);

	const waiting = describeWaiting(await connection?.catch(() => undefined));
	if (waiting) context.addExecutionHints?.({ message: waiting, location: 'outputPane', type: 'info' });

	results.forEach((list, index) => {
		for (const { json, binary, output } of list) {
			outputs[asTool ? 0 : (output ?? 0)]!.push({
				json,
				...(binary && !asTool ? { binary } : {}),
				pairedItem: { item: index },
			});
		}
	});
	return outputs;
}

interface Runner<Result> {
	/** Once it is aborted, no other begins. */
	stop: AbortController;
	/** Aborts `stop`. */
	canceledBy: AbortSignal | undefined;
	run: (index: number) => Promise<Result>;
}

/**
 * Runs `run` for every index below `count`, the earliest first and as many at once as `concurrency` says.
 * @throws the first error
 */
async function runAll<Result>(
	count: number,
	concurrency: number,
	{ stop, canceledBy, run }: Runner<Result>,
): Promise<Result[]> {
	const cancel = () => stop.abort();
	canceledBy?.addEventListener('abort', cancel);
	if (canceledBy?.aborted) cancel();
	const results: Result[] = new Array(count);
	let next = 0;
	const work = async () => {
		while (next < count && !stop.signal.aborted) {
			const index = next++;
			results[index] = await run(index);
		}
	};
	try {
		await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	} finally {
		canceledBy?.removeEventListener('abort', cancel);
	}
	return results;
}

async function runOperation(
	item: ItemCall,
	operation: Operation,
	withOtherFields: boolean,
): Promise<ResultItem[]> {
	if (item.asTool && operation.notAsTool) {
		throw new ParameterError('operation', `must not be "${operation.name}" in a tool of an AI Agent`);
	}
	const result = await operation.run(item);
	const all = Array.isArray(result) ? result : [result];
	return withOtherFields ? all.map((one) => addOtherFields(one, item.input)) : all;
}

/** The output item of a failed one. To the error output the engine adds the input's fields itself. */
function failedItem(item: ItemCall, error: unknown, withOtherFields: boolean): ResultItem {
	const json: IDataObject = { error: toItemError(error, item.index) };
	const onErrorOutput = item.context.getNode().onError === 'continueErrorOutput';
	return { json: withOtherFields && !onErrorOutput ? { ...otherFields(item.input), ...json } : json };
}

/** A result with what the runner adds to it. */
interface ResultItem extends ItemResult {
	binary?: INodeExecutionData['binary'];
}

/** Agents from version 3 on run a tool as an ordinary execution of the node type `<name>Tool`. */
function isTool(context: IExecuteFunctions): boolean {
	return context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
}

/** The engine adds the error output itself. */
function countOutputs(context: IExecuteFunctions): number {
	return context.getNodeOutputs().filter(({ type, category }) => type === 'main' && category !== 'error')
		.length;
}

function findOperation(context: IExecuteFunctions, { operations }: ServiceNode): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((candidate) => candidate.value === value);
	if (!operation)
		throw new NodeOperationError(context.getNode(), `The operation "${String(value)}" is not known`);
	return operation;
}

/** One for the whole execution, so the first item's. When it is wrong, every item says so. */
function readConcurrency(item: ItemCall, node: ServiceNode): number | Error {
	try {
		const concurrency = item.number(
			'options.concurrency',
			{ min: 1, max: 64, integer: true },
			node.concurrency,
		);
		return node.oneAtATime?.(item.context) ? 1 : concurrency;
	} catch (error) {
		return error as Error;
	}
}

function includesOtherFields(item: ItemCall, operation: Operation, node: ServiceNode): boolean {
	if (item.asTool) return false;
	if (!operation.alwaysSimple && item.parameter('simplify') === false) return false;
	const value = item.parameter('options.includeOtherFields');
	return value === null ? node.includeOtherFields : value === true;
}

function addOtherFields(result: ItemResult, input: INodeExecutionData): ResultItem {
	return {
		...result,
		json: { ...otherFields(input), ...result.json },
		binary: input.binary,
	};
}

/** An output field called `error` would make n8n take the item for a failed one. */
function otherFields({ json }: INodeExecutionData): IDataObject {
	if (!Object.hasOwn(json, 'error')) return json;
	const { error, ...rest } = json;
	return { ...rest, input_error: error };
}

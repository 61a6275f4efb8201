import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { connect } from './connect';
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
 * input, failures as the node's error setting says. The only loop and the only catch of all nodes.
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
	const cancelSignal = context.getExecutionCancelSignal();
	const cancel = () => stop.abort();
	cancelSignal?.addEventListener('abort', cancel);
	if (cancelSignal?.aborted) cancel();

	let failure: Error | undefined;
	let connection: ReturnType<typeof connect> | undefined;
	const connectOnce = async () => await (connection ??= connect(context));
	const parameters = new ParameterReader(context);
	const itemAt = (index: number) =>
		new ItemCall(context, index, items[index]!, asTool, parameters, node.timeout, connectOnce, stop.signal);
	const concurrency = readConcurrency(itemAt(0), node);
	const results: ResultItem[][] = new Array(items.length);

	const runItem = async (index: number): Promise<ResultItem[]> => {
		const item = itemAt(index);
		const { input } = item;
		let withOtherFields = !asTool && node.includeOtherFields;
		try {
			if (concurrency instanceof Error) throw concurrency;
			if (asTool && operation.notAsTool) {
				throw new ParameterError('operation', `must not be "${operation.name}" in a tool of an AI Agent`);
			}
			withOtherFields = !asTool && includesOtherFields(item, operation, node);
			const result = await operation.run(item);
			const all = Array.isArray(result) ? result : [result];
			return withOtherFields ? all.map((one) => addOtherFields(one, input)) : all;
		} catch (error) {
			if (stop.signal.aborted) throw new NodeOperationError(context.getNode(), CANCELED);
			if (!context.continueOnFail()) {
				failure = toNodeError(error, context.getNode(), index);
				stop.abort();
				throw failure;
			}
			const json: IDataObject = { error: toItemError(error, index) };
			const onErrorOutput = context.getNode().onError === 'continueErrorOutput';
			return [withOtherFields && !onErrorOutput ? { json: { ...otherFields(input), ...json } } : { json }];
		}
	};

	let next = 0;
	const work = async () => {
		while (next < items.length && !stop.signal.aborted) {
			const index = next++;
			results[index] = await runItem(index);
		}
	};
	try {
		const workers = typeof concurrency === 'number' ? Math.min(concurrency, items.length) : 1;
		await Promise.all(Array.from({ length: workers }, work));
	} catch (error) {
		throw failure ?? error;
	} finally {
		cancelSignal?.removeEventListener('abort', cancel);
	}
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

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeValue } from '../fields/Field';
import { ParameterError } from '../fields/ParameterError';
import { RunContext } from '../context/RunContext';
import type { ItemOperation, Operation } from '../node/Operation';
import { runItems } from './runItems';
import { runOverAllItems } from './runOverAllItems';
import type { ServiceNode } from '../node/ServiceNode';
import { yieldRegularly } from './yieldRegularly';

/** Names the parameter "Operation", which is no Field, in errors. */
const OPERATION = '"Operation" (operation)';

/** Runs a node's operation. The results are in the order of the input, and are paired with it. */
export async function runNode(
	context: IExecuteFunctions,
	node: ServiceNode,
): Promise<INodeExecutionData[][]> {
	const run = new RunContext(context, node.options, node.billing);
	const { items, isTool } = run;
	// The engine itself moves failed items to the error output, if there is one.
	const outputs = context.getNodeOutputs().map((): INodeExecutionData[] => []);
	if (items.length === 0) return outputs;

	const operation = findOperation(run, node);
	const { results, hint, isWarning } =
		operation.kind === 'perItem'
			? await runItems(operation, run, node)
			: await runOverAllItems(operation, run);
	const type = isWarning ? 'warning' : 'info';
	if (hint) context.addExecutionHints?.({ message: hint, location: 'outputPane', type });

	const pause = yieldRegularly();
	for (const [index, list] of results.entries()) {
		for (const { json, binary, output, pairedItem = index } of list) {
			await pause();
			outputs[isTool ? 0 : (output ?? 0)]!.push({
				json: json as IDataObject,
				...(binary && !isTool ? { binary } : {}),
				pairedItem: pairedItem === 'all' ? items.map((_, item) => ({ item })) : { item: pairedItem },
			});
		}
	}
	return outputs;
}

function findOperation({ context, isTool }: RunContext, { operations }: ServiceNode): Operation {
	const value = context.getNodeParameter('operation', 0);
	const found = operations.find((candidate) => candidate.value === value);
	if (!found) {
		const names = operations.map(({ name }) => name).join(', ');
		return failingOperation(`must be one of ${names}, not "${describeValue(value)}"`);
	}
	return isTool && found.notAsTool
		? failingOperation(`must not be "${found.name}" in a tool of an AI Agent`)
		: found;
}

/** Makes an operation that fails each item. An error outside the loop over items would ignore the setting "On Error". */
function failingOperation(rule: string): ItemOperation {
	return {
		kind: 'perItem',
		value: 'failing',
		name: 'Unknown Operation',
		description: 'A stored operation that the node does not have',
		action: 'Unknown operation',
		fields: {},
		run: async () => await Promise.reject(new ParameterError(OPERATION, rule)),
	};
}

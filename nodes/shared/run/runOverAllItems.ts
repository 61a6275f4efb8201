import { describeFailedRun, describeRunOverAllItems } from './describeRun';
import type { RunContext } from '../context/RunContext';
import { canceledError, toItemError, toRunError } from './nodeErrors';
import type { AllItemsOperation, RunResult } from '../node/Operation';

/** n8n requires an input item for each output item, but a result over all items belongs to no single one. */
const FIRST_ITEM = 0;

/** Runs an operation once, over all items. With On Error set to "Continue", its failure is one item. */
export async function runOverAllItems(operation: AllItemsOperation, run: RunContext): Promise<RunResult> {
	const { context, parameters, signal } = run;
	const node = context.getNode();
	try {
		const values = parameters.readEach(operation.fields, FIRST_ITEM);
		const { items, summary } = await operation.run(run, values);
		signal.throwIfAborted();
		return { results: [items], hint: describeRunOverAllItems(run, summary), isWarning: false };
	} catch (error) {
		if (signal.aborted) throw canceledError(node);
		const failure = toRunError(error, node, FIRST_ITEM);
		if (!context.continueOnFail()) throw failure;
		const json = { error: toItemError(failure, { index: FIRST_ITEM }) };
		return { results: [[{ json }]], hint: describeFailedRun(failure, run), isWarning: true };
	}
}

import { LoggerProxy, type IExecuteFunctions } from 'n8n-workflow';

const LEAST_ITEMS = 100;

const STEPS = 10;

/**
 * Has a long run write to n8n's log at every tenth of its items. A short one writes nothing.
 * @returns what is to be called at the end of each item
 */
export function logProgress(context: IExecuteFunctions, items: number): () => void {
	if (items < LEAST_ITEMS) return () => {};
	const node = context.getNode().name;
	let done = 0;
	let nextStep = 1;
	return () => {
		done++;
		if (done * STEPS < nextStep * items) return;
		nextStep++;
		LoggerProxy.info(`${node}: ${done} of ${items} items done`, { executionId: context.getExecutionId() });
	};
}

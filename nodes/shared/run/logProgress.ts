import { LoggerProxy, type IExecuteFunctions } from 'n8n-workflow';

const LEAST_ITEMS = 100;

const STEPS = 10;

/**
 * Has a long run write to n8n's log at every tenth of its items, with an estimate of the time left. A short one writes nothing.
 * While a node runs, n8n's editor shows nothing of it; in a manual run, the browser's console does.
 * @returns what is to be called at the end of each item
 */
export function logProgress(context: IExecuteFunctions, items: number): () => void {
	if (items < LEAST_ITEMS) return () => {};
	const node = context.getNode().name;
	const startedAt = performance.now();
	let done = 0;
	let nextStep = 1;
	return () => {
		done++;
		if (done * STEPS < nextStep * items) return;
		nextStep++;
		const secondsLeft = (((performance.now() - startedAt) / done) * (items - done)) / 1000;
		const estimate = done < items ? `, about ${Math.ceil(secondsLeft)} s left` : '';
		const message = `${node}: ${done} of ${items} items done${estimate}`;
		LoggerProxy.info(message, { executionId: context.getExecutionId() });
		context.sendMessageToUI?.(message);
	};
}

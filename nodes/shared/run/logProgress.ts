import { LoggerProxy, type IExecuteFunctions } from 'n8n-workflow';

import { grouped } from '../text/wording';

const MIN_ITEMS = 100;

/** Items after which the time that all will take can be estimated. */
const ITEMS_TO_ESTIMATE = 20;

const STEPS = 10;

/**
 * Lets a long run write to n8n's log after its first items and at every tenth, with an estimate of the time left. A short
 * run writes nothing. While a node runs, n8n's editor shows no progress. In a manual run, the browser's console does.
 * @returns a function to call at the end of each item
 */
export function logProgress(context: IExecuteFunctions, items: number): () => void {
	if (items < MIN_ITEMS) return () => {};
	const node = context.getNode().name;
	const startedAt = performance.now();
	let done = 0;
	let nextStep = 1;
	return () => {
		done++;
		const isStep = done * STEPS >= nextStep * items;
		if (isStep) nextStep++;
		else if (done !== ITEMS_TO_ESTIMATE) return;
		const secondsLeft = (((performance.now() - startedAt) / done) * (items - done)) / 1000;
		const estimate = done < items ? `, about ${Math.ceil(secondsLeft)} s left` : '';
		const message = `${node}: ${grouped(done)} of ${grouped(items)} items done${estimate}`;
		LoggerProxy.info(message, { executionId: context.getExecutionId() });
		context.sendMessageToUI?.(message);
	};
}

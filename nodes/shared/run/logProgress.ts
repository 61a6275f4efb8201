import { LoggerProxy, type IExecuteFunctions, type NodeOperationError } from 'n8n-workflow';

import { formatNumber } from '../text/wording';

/** Shorter runs write no progress. */
const MIN_ITEMS = 100;

/** After this many items, the time left can be estimated. */
const MIN_DONE_TO_ESTIMATE = 20;

const PROGRESS_STEPS = 10;

/**
 * Logs the progress of a long run after its first items and after every tenth of them, with an estimate of the time left. While a
 * node runs, n8n's editor shows no progress, but in a manual run the browser's console shows these lines.
 * @param countTaken returns how many answers were kept from an earlier run. They take no time, so they are not estimated from.
 * @returns a function to call at the end of each item
 */
export function logProgress(context: IExecuteFunctions, items: number, countTaken: () => number): () => void {
	if (items < MIN_ITEMS) return () => {};
	const node = context.getNode().name;
	const startedAt = performance.now();
	let done = 0;
	let nextStep = 1;
	return () => {
		done++;
		const isStep = done * PROGRESS_STEPS >= nextStep * items;
		if (isStep) nextStep++;
		else if (done !== MIN_DONE_TO_ESTIMATE) return;
		const requested = done - countTaken();
		const secondsLeft = (((performance.now() - startedAt) / requested) * (items - done)) / 1000;
		const estimate = done < items && requested > 0 ? `, about ${Math.ceil(secondsLeft)} s left` : '';
		const message = `${node}: ${formatNumber(done)} of ${formatNumber(items)} items done${estimate}`;
		LoggerProxy.info(message, { executionId: context.getExecutionId() });
		context.sendMessageToUI?.(message);
	};
}

/** Logs what a stopped run keeps and may be billed for. n8n puts an error of its own in the place of this one, except in queue mode. */
export function logStop(context: IExecuteFunctions, { description }: NodeOperationError): void {
	const sentences = (description ?? '').replaceAll('\n', ' ');
	const message = `${context.getNode().name}: the execution was canceled. ${sentences}`;
	LoggerProxy.info(message, { executionId: context.getExecutionId() });
}

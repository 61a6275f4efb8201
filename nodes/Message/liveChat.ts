import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemCall } from '../shared/ItemCall';

export const enableStreaming: INodeProperties = {
	displayName: 'Enable Streaming',
	name: 'enableStreaming',
	type: 'boolean',
	default: true,
	description:
		'Whether to send the text on as it arrives when the workflow was started by a trigger that streams its response, such as a Chat Trigger',
};

/** Whether the execution's trigger streams, and the text is to go out by it. One for all items, so the first item's. */
export function isLive(context: IExecuteFunctions): boolean {
	return (
		context.isStreaming?.() === true &&
		typeof context.sendChunk === 'function' &&
		context.getNodeParameter('options.enableStreaming', 0, true) !== false
	);
}

export type SayText = (text: string) => Promise<void>;

/**
 * Sends what is generated for an item on to the chat that started the execution: a begin, the text as it arrives, and
 * an end or an error. Where there is no such chat, `say` is undefined.
 */
export async function inLiveChat<Result>(
	item: ItemCall,
	work: (say: SayText | undefined) => Promise<Result>,
): Promise<Result> {
	const { context, index } = item;
	if (item.asTool || !isLive(context)) return await work(undefined);
	const send = async (type: 'begin' | 'item' | 'end' | 'error', text?: string) =>
		// Declared to return nothing, the engine's method returns a promise.
		await Promise.resolve(context.sendChunk(type, index, text));
	await send('begin');
	const result = await work(async (text) => await send('item', text)).catch(async (error: unknown) => {
		// Where the failure stops the node, the engine itself sends the error.
		if (context.continueOnFail() && !item.signal.aborted) {
			await send('error', error instanceof Error ? error.message : String(error));
		}
		return await Promise.reject(error);
	});
	await send('end');
	return result;
}

import { untilAborted } from '../../client/time/abort';
import { errorMessage } from '../shared/text/errorMessage';
import type { RunContext } from '../shared/context/RunContext';
import { booleanField, option } from '../shared/fields/Field';
import type { ItemContext } from '../shared/context/ItemContext';

export const enableStreaming = option(
	booleanField({
		displayName: 'Stream to Chat',
		name: 'enableStreaming',
		default: true,
		description:
			'Whether to stream the text to the chat as it arrives, if the trigger streams its response, as a Chat Trigger can',
	}),
);

export type SendText = (text: string) => Promise<void>;

/** Returns whether the trigger of the execution streams, and the first item's option Stream to Chat is on. */
export function isLive({ isTool, context, parameters }: RunContext): boolean {
	return (
		!isTool &&
		context.isStreaming?.() === true &&
		typeof context.sendChunk === 'function' &&
		parameters.read(enableStreaming, 0)
	);
}

/**
 * Sends the reply for an item to the chat that started the execution: a `begin`, the text as it arrives, and an `end` or an
 * `error`. If no chat waits for a stream, `sendText` is undefined.
 */
export async function inLiveChat<Result>(
	{ context, run, index }: ItemContext,
	work: (sendText: SendText | undefined) => Promise<Result>,
): Promise<Result> {
	if (!isLive(run)) return await work(undefined);
	const send = async (type: 'begin' | 'item' | 'end' | 'error', text?: string) =>
		// n8n declares that `sendChunk` returns nothing, but it returns a promise, which may never be settled.
		await untilAborted(Promise.resolve(context.sendChunk(type, index, text)), run.signal);
	await send('begin');
	const result = await work(async (text) => await send('item', text)).catch(async (error: unknown) => {
		// If the failure stops the node, n8n itself sends the error.
		if (context.continueOnFail() && !run.signal.aborted) {
			await send('error', errorMessage(error));
		}
		return await Promise.reject(error);
	});
	await send('end');
	return result;
}

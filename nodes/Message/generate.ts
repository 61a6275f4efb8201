import { accumulateTokenUsage, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { decodeCompletion } from '../../client/decodeCompletion';
import type { Accumulator } from '../../client/Accumulator';
import type { ItemContext } from '../shared/ItemContext';
import { untilAborted } from './untilAborted';

/** What is sent: fields of the contract, then whatever the option "Extra Body Fields" adds or replaces. */
export type RequestBody = Record<string, unknown>;

export interface Generate<Answer, Checked> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	/** Whether to ask the service for a stream. */
	streamed: boolean;
	/** Called for every attempt. */
	newAccumulator(): Accumulator<Answer>;
	/** Checks the answer further. Throws a ServiceError for one that is not what was asked for. */
	check(answer: Answer): Checked;
	/** Receives the text as it arrives. */
	onText?: (text: string) => Promise<void>;
}

/**
 * Asks the service to generate an answer.
 * @throws ServiceError with the text so far
 */
export async function generate<Answer, Checked>(
	item: ItemContext,
	{ path, body, streamed, newAccumulator, check, onText }: Generate<Answer, Checked>,
): Promise<Checked> {
	let accumulator: Accumulator<Answer> | undefined;
	const { signal } = item.execution;
	// A chat may be slow to take a piece, or never do.
	const sendText = onText && (async (text: string) => await untilAborted(onText(text), signal));
	const { result } = await item.call({
		method: 'POST',
		path,
		json: streamed ? { ...body, stream: true } : body,
		repeat: 'unless-timed-out',
		decode: async (response) => {
			accumulator = newAccumulator();
			return check(await decodeCompletion(response, { accumulator, streamed, onText: sendText }));
		},
		partialText: () => accumulator?.text ?? '',
	});
	return result;
}

/** Shows the tokens of one request in n8n's own display, which older versions lack. */
export function reportTokens(context: IExecuteFunctions, input: number | null, output: number | null): void {
	if (input !== null || output !== null) accumulateTokenUsage?.(context, input ?? 0, output ?? 0);
}

export function numberOrNull(value: unknown): number | null {
	return typeof value === 'number' ? value : null;
}

/** A field of an answer as it came, null where there is none. */
export function fieldOf(answer: Record<string, unknown>, name: string): IDataObject[string] {
	return answer[name] ?? null;
}

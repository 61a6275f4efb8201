import type { IDataObject } from 'n8n-workflow';

import type { Accumulator } from '../../client/Accumulator';
import { decodeCompletion } from '../../client/decodeCompletion';
import type { CallResult, ServiceRequest } from '../../client/ServiceClient';
import { untilAborted } from './untilAborted';

/** The most messages of one request to `/messages`. */
export const MAX_MESSAGES = 10;

/** What is sent: fields of the contract, then whatever the option "Extra Body Fields" adds or replaces. */
export type RequestBody = Record<string, unknown>;

/** Calls the service for somebody: an item, or a request of an AI node. */
export interface Caller {
	/** Ends what is sent. */
	signal: AbortSignal;
	call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>>;
}

export interface Generate<Answer, Checked> {
	path: '/messages' | '/chat/completions';
	body: RequestBody;
	/** Whether to ask the service for a stream. */
	streamed: boolean;
	/** Called for every attempt. */
	newAccumulator(): Accumulator<Answer>;
	/** The tokens that the service counted, null where it does not tell. */
	tokensOf(answer: Answer): Array<number | null>;
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
	caller: Caller,
	{ path, body, streamed, newAccumulator, tokensOf, check, onText }: Generate<Answer, Checked>,
): Promise<Checked> {
	let accumulator: Accumulator<Answer> | undefined;
	let tokens: number | undefined;
	const { result } = await caller.call({
		method: 'POST',
		path,
		json: streamed ? { ...body, stream: true } : body,
		repeat: 'unless-timed-out',
		decode: async (response) => {
			accumulator = newAccumulator();
			const answer = await decodeCompletion(response, { accumulator, streamed });
			const known = tokensOf(answer).filter((count) => count !== null);
			tokens = known.length === 0 ? undefined : known.reduce((sum, count) => sum + count);
			return check(answer);
		},
		// A chat may be slow to take a piece, or never do.
		onText: onText && (async (text) => await untilAborted(onText(text), caller.signal)),
		partialText: () => accumulator?.text ?? '',
		tokensOf: () => tokens,
	});
	return result;
}

export function numberOrNull(value: unknown): number | null {
	return typeof value === 'number' ? value : null;
}

/** A field of an answer as it came, null where there is none. */
export function fieldOf(answer: Record<string, unknown>, name: string): IDataObject[string] {
	return answer[name] ?? null;
}

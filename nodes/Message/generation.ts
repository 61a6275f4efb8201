import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { accumulateTokenUsage } from 'n8n-workflow';

import type { Accumulator } from '../../client/Accumulator';
import { decodeCompletion } from '../../client/decodeCompletion';
import { isRecord } from '../../client/isRecord';
import type { ItemCall } from '../shared/ItemCall';
import { ParameterError } from '../shared/ParameterError';
import { readJsonParameter } from './jsonParameter';

/** Fields and options that both operations have. */
export const model: INodeProperties = {
	displayName: 'Model',
	name: 'model',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. vendor/model_name',
	description: 'The model that answers, as vendor/model_name. Which models there are changes over time.',
};

export const maxTokens: INodeProperties = {
	displayName: 'Max Tokens',
	name: 'maxTokens',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1024,
	description: 'The most tokens to generate. The largest value differs from model to model.',
};

export const extraBody: INodeProperties = {
	displayName: 'Extra Body Fields (JSON)',
	name: 'extraBody',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "seed": 7 }',
	description:
		'An object whose fields are added to the request, and replace those of the same name. For what the service offers and this node does not know yet.',
};

export const stream: INodeProperties = {
	displayName: 'Stream',
	name: 'stream',
	type: 'boolean',
	default: false,
	description:
		'Whether to ask the service for a stream, and gather it. This keeps a slow answer alive and makes overload errors (503, 504) rarer.',
};

/** What is sent: the fields below, then whatever the option "Extra Body Fields" adds or replaces. */
export type RequestBody = Record<string, unknown>;

/** @throws ParameterError */
export function readModelAndLimit(item: ItemCall): { model: string; max_tokens: number } {
	const name = item.text('model').trim();
	if (name === '') throw new ParameterError('model', 'must be given, as vendor/model_name');
	const limit = item.number('maxTokens', { min: 1, max: Number.MAX_SAFE_INTEGER, integer: true }, undefined);
	if (limit === undefined) throw new ParameterError('maxTokens', 'must be given');
	return { model: name, max_tokens: limit };
}

/**
 * The fields of the option `extraBody`.
 * @throws ParameterError
 */
export function readExtraBody(item: ItemCall): RequestBody {
	const value = readJsonParameter(item, 'options.extraBody');
	if (value === undefined) return {};
	if (!isRecord(value)) throw new ParameterError('options.extraBody', 'must be an object');
	if (Object.hasOwn(value, 'stream')) {
		throw new ParameterError('options.extraBody', 'must not set stream: use the option "Stream" for that');
	}
	return value;
}

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
	item: ItemCall,
	{ path, body, streamed, newAccumulator, check, onText }: Generate<Answer, Checked>,
): Promise<Checked> {
	let accumulator: Accumulator<Answer> | undefined;
	const { result } = await item.call({
		method: 'POST',
		path,
		json: streamed ? { ...body, stream: true } : body,
		repeat: 'unless-timed-out',
		decode: async (response) => {
			accumulator = newAccumulator();
			return check(await decodeCompletion(response, { accumulator, streamed, onText }));
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

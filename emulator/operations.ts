import type {
	ChatRequest,
	DecisionRequest,
	MessageRequest,
	VoiceDeletion,
	VoiceUpload,
} from '../contract/types';
import { Account } from './account';
import {
	type Answer,
	badRequest,
	documentedAnswer,
	jsonAnswer,
	plainAnswer,
	type PlainStrings,
} from './Answer';
import { Batches } from './batches';
import type { OperationId } from './contractValidation';
import { decide } from './decide';
import { streamChatCompletion, streamMessage } from './eventStream';
import { generateChatCompletion, generateMessage, inconsistencyOf } from './generate';
import { restrictedModel } from './models';
import type { RecordedRequest } from './RecordedRequest';
import { Voices } from './voices';

/** What the emulated service remembers. */
export class Service {
	account = new Account();
	voices = new Voices();
	batches = new Batches();
	private readonly counters = new Map<string, number>();

	constructor(
		readonly models: readonly string[],
		readonly plainStrings: PlainStrings,
		/** Milliseconds between two events of a stream. */
		readonly tokenDelayMs: number,
	) {}

	/** The next identifier with that prefix: `msg_000001`, `msg_000002`, … */
	readonly nextId = (prefix: string): string => {
		const count = (this.counters.get(prefix) ?? 0) + 1;
		this.counters.set(prefix, count);
		return `${prefix}_${String(count).padStart(6, '0')}`;
	};
}

/** A request that has passed the contract. */
export interface Call {
	request: RecordedRequest;
	/** The body: parsed JSON, or the parts of a multipart body. */
	body: unknown;
	/** Decoded path parameters. */
	parameters: Record<string, string>;
}

type Operation = (call: Call, service: Service) => Answer;

function traceIdOf({ headers }: RecordedRequest, service: Service): string {
	const own = headers['x-trace-id'];
	if (typeof own === 'string' && own !== '') return own;
	const parent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(String(headers.traceparent));
	return parent?.[1] ?? service.nextId('trace');
}

function refusalOfModel(model: string, service: Service): Answer | undefined {
	if (model === restrictedModel) return documentedAnswer(403, service.plainStrings);
	return service.models.includes(model) ? undefined : badRequest(`Model ${model} does not exist.`, 20012);
}

/** The behaviour of each operation, by its `operationId`. */
export const operations: Record<OperationId, Operation> = {
	decide: ({ request, body }, service) => {
		const answer = jsonAnswer(200, decide(body as DecisionRequest));
		answer.headers['x-service-trace-id'] = traceIdOf(request, service);
		return answer;
	},

	createMessage: ({ body }, service) => {
		const messageRequest = body as MessageRequest;
		const refusal = refusalOfModel(messageRequest.model, service);
		if (refusal !== undefined) return refusal;
		const inconsistency = inconsistencyOf(messageRequest);
		if (inconsistency !== undefined) return badRequest(inconsistency);
		const message = generateMessage(messageRequest, service.nextId);
		service.account.charge(message.usage.input_tokens + message.usage.output_tokens);
		return messageRequest.stream === true
			? streamMessage(message, service.tokenDelayMs)
			: jsonAnswer(200, message);
	},

	createChatCompletion: ({ body }, service) => {
		const chatRequest = body as ChatRequest;
		const refusal = refusalOfModel(chatRequest.model, service);
		if (refusal !== undefined) return refusal;
		const completion = generateChatCompletion(chatRequest, service.nextId);
		service.account.charge(completion.usage.prompt_tokens + completion.usage.completion_tokens);
		return chatRequest.stream === true
			? streamChatCompletion(completion, service.tokenDelayMs)
			: jsonAnswer(200, completion);
	},

	cancelBatch: ({ parameters }, service) =>
		jsonAnswer(200, service.batches.cancel(parameters.batch_id ?? '', Math.floor(Date.now() / 1000))),

	uploadVoice: ({ body }, service) => {
		const { model, customName, text } = body as VoiceUpload;
		const { uri } = service.voices.add({ model, customName, text }, service.nextId('voice'));
		return jsonAnswer(200, { uri });
	},

	listVoices: (_call, service) => jsonAnswer(200, { results: service.voices.list() }),

	deleteVoice: ({ body }, service) => {
		const { uri } = body as VoiceDeletion;
		return service.voices.delete(uri)
			? plainAnswer(200, 'deleted', service.plainStrings)
			: badRequest(`uri ${uri} is not a voice style of this account`);
	},

	getAccount: (_call, service) => jsonAnswer(200, service.account.describe()),
};

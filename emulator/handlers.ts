import type {
	ChatRequest,
	DecisionRequest,
	MessageRequest,
	VoiceDeletion,
	VoiceUpload,
} from '../contract/types';
import type { OperationId } from './ContractValidation';
import { badRequest, documentedResponse, type EmulatedResponse, jsonResponse } from './EmulatedResponse';
import { generateCompletion } from './generateCompletion';
import { generateMessage, inconsistencyOf } from './generateMessage';
import { RESTRICTED_MODEL } from './models';
import type { RecordedRequest } from './RecordedRequest';
import type { ServiceState } from './ServiceState';
import { countTokens } from './tokens';
import { streamCompletion } from './streamCompletion';
import { streamMessage } from './streamMessage';

/** Describes a request that meets the contract. */
interface ValidRequest {
	request: RecordedRequest;
	/** Holds the parsed JSON, or the parts of a multipart body. */
	body: unknown;
	/** Holds the decoded path parameters. */
	parameters: Record<string, string>;
}

type Handler = (valid: ValidRequest, state: ServiceState) => EmulatedResponse | Promise<EmulatedResponse>;

export const HANDLERS: Record<OperationId, Handler> = {
	decide: async ({ request, body }, state) => {
		const { model, state: judged, questions } = body as DecisionRequest;
		const answers = await state.decide({ state: judged, questions });
		const usage = {
			input_tokens: countTokens(JSON.stringify([judged, questions])),
			output_tokens: Object.keys(questions).length,
		};
		const response = jsonResponse(200, { model, answers, usage });
		return {
			...response,
			headers: { ...response.headers, 'x-service-trace-id': traceIdOf(request, state) },
			tokens: usage.input_tokens + usage.output_tokens,
		};
	},

	createMessage: async ({ body }, state) => {
		const request = body as MessageRequest;
		const refusal = refusalOfModel(request.model, state);
		if (refusal !== undefined) return refusal;
		const inconsistency = inconsistencyOf(request);
		if (inconsistency !== undefined) return badRequest(inconsistency);
		const message = await generateMessage(request, state, state.script.shift());
		const tokens = message.usage.input_tokens + message.usage.output_tokens;
		state.account.charge(tokens);
		const { tokenDelayMs } = state;
		return {
			...(request.stream ? streamMessage(message, tokenDelayMs) : jsonResponse(200, message)),
			tokens,
		};
	},

	createChatCompletion: async ({ body }, state) => {
		const request = body as ChatRequest;
		const refusal = refusalOfModel(request.model, state);
		if (refusal !== undefined) return refusal;
		const chat = await generateCompletion(request, state, state.script.shift());
		const tokens = chat.usage.prompt_tokens + chat.usage.completion_tokens;
		state.account.charge(tokens);
		const { tokenDelayMs } = state;
		return { ...(request.stream ? streamCompletion(chat, tokenDelayMs) : jsonResponse(200, chat)), tokens };
	},

	cancelBatch: ({ parameters }, state) =>
		jsonResponse(200, state.batches.cancel(parameters.batch_id ?? '', Math.floor(Date.now() / 1000))),

	uploadVoice: ({ body }, state) => {
		const { model, customName, text } = body as VoiceUpload;
		const { uri } = state.voices.add({ model, customName, text }, state.nextId('voice'));
		return jsonResponse(200, { uri });
	},

	listVoices: (_valid, state) => jsonResponse(200, { results: state.voices.list() }),

	deleteVoice: ({ body }, state) => {
		const { uri } = body as VoiceDeletion;
		return state.voices.delete(uri)
			? jsonResponse(200, 'deleted')
			: badRequest(`uri ${uri} is not a voice style of this account`);
	},

	getAccount: (_valid, state) => jsonResponse(200, state.account.describe()),
};

function refusalOfModel(model: string, state: ServiceState): EmulatedResponse | undefined {
	if (model === RESTRICTED_MODEL) return documentedResponse(403);
	return state.models.includes(model) ? undefined : badRequest(`Model ${model} does not exist.`, 20012);
}

function traceIdOf({ headers }: RecordedRequest, state: ServiceState): string {
	const own = headers['x-trace-id'];
	if (typeof own === 'string' && own !== '') return own;
	const parent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(String(headers.traceparent));
	return parent?.[1] ?? state.nextId('trace');
}

import type {
	ChatRequest,
	DecisionRequest,
	MessageRequest,
	VoiceDeletion,
	VoiceUpload,
} from '../contract/types';
import type { OperationId } from './ContractValidation';
import { decideByWords } from './decideByWords';
import { badRequest, documentedResponse, type EmulatedResponse, jsonResponse } from './EmulatedResponse';
import { generateCompletion } from './generateCompletion';
import { generateMessage, inconsistencyOf } from './generateMessage';
import { RESTRICTED_MODEL } from './models';
import type { RecordedRequest } from './RecordedRequest';
import { scriptedCompletion } from './scriptedCompletion';
import { scriptedMessage } from './scriptedMessage';
import type { ScriptedReply } from './Script';
import type { ServiceState } from './ServiceState';
import { streamCompletion } from './streamCompletion';
import { streamMessage } from './streamMessage';

/** A request that meets the contract. */
export interface ValidRequest {
	request: RecordedRequest;
	/** The body: parsed JSON, or the parts of a multipart body. */
	body: unknown;
	/** Decoded path parameters. */
	parameters: Record<string, string>;
}

type Handler = (valid: ValidRequest, state: ServiceState) => EmulatedResponse;

/** The behaviour of each operation, by its `operationId`. */
export const HANDLERS: Record<OperationId, Handler> = {
	decide: ({ request, body }, state) => {
		const decision = decideByWords(body as DecisionRequest);
		const response = jsonResponse(200, decision);
		return {
			...response,
			headers: { ...response.headers, 'x-service-trace-id': traceIdOf(request, state) },
			tokens: decision.usage.input_tokens + decision.usage.output_tokens,
		};
	},

	createMessage: ({ body }, state) => {
		const request = body as MessageRequest;
		const refusal = refusalOfModel(request.model, state);
		if (refusal !== undefined) return refusal;
		const inconsistency = inconsistencyOf(request);
		if (inconsistency !== undefined) return badRequest(inconsistency);
		return respondWithReply(request, state, (scripted) => {
			const message = scripted
				? scriptedMessage(scripted, request, state.nextId)
				: generateMessage(request, state.nextId);
			const tokens = message.usage.input_tokens + message.usage.output_tokens;
			return { whole: message, tokens, stream: () => streamMessage(message, state.tokenDelayMs) };
		});
	},

	createChatCompletion: ({ body }, state) => {
		const request = body as ChatRequest;
		const refusal = refusalOfModel(request.model, state);
		if (refusal !== undefined) return refusal;
		return respondWithReply(request, state, (scripted) => {
			const completion = scripted
				? scriptedCompletion(scripted, request, state.nextId)
				: generateCompletion(request, state.nextId);
			const tokens = completion.usage.prompt_tokens + completion.usage.completion_tokens;
			return { whole: completion, tokens, stream: () => streamCompletion(completion, state.tokenDelayMs) };
		});
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

/** The model's reply, whole and as a stream. */
interface Reply {
	whole: object;
	tokens: number;
	stream: () => EmulatedResponse;
}

/** Gets a reply from the script or the emulator, charges for it, and sends it in the form that the request asks for. */
function respondWithReply(
	request: MessageRequest | ChatRequest,
	state: ServiceState,
	reply: (scripted: ScriptedReply | undefined) => Reply,
): EmulatedResponse {
	const scripted = state.script?.next(request);
	if (state.script !== undefined && scripted === undefined) {
		return badRequest('The script has no reply left.');
	}
	const { whole, tokens, stream } = reply(scripted);
	state.account.charge(tokens);
	return { ...(request.stream === true ? stream() : jsonResponse(200, whole)), tokens };
}

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

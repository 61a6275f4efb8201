import type {
	ChatModel as SdkChatModel,
	ChatModelConfig,
	GenerateResult,
	Message,
	StreamChunk,
	Tool,
} from '@n8n/ai-node-sdk';
import type { INode } from 'n8n-workflow';

import {
	cutOffBy,
	isRefusal,
	isToolUse,
	refusedReply,
	textOf,
	type GeneratedMessage,
} from '../../client/generation/GeneratedMessage';
import { MessageAccumulator } from '../../client/generation/MessageAccumulator';
import { CallFailure } from '../../client/ServiceError';
import type { MessageRequest } from '../../contract/types';
import type { Caller } from '../shared/service/Caller';
import { generate } from '../shared/generation/generate';
import type { ReplyFacts } from '../shared/generation/ReplyTally';
import { type RequestBody, samplingBody, withoutEmpty } from '../shared/generation/generationFields';
import { canceledError, toNodeError } from '../shared/run/nodeErrors';
import { ParameterError } from '../shared/fields/ParameterError';
import type { ChatModelSettings } from './fields';
import { foldConversation } from './foldConversation';
import { toServiceMessages, toRequestMessage } from './toServiceMessages';
import { toServiceToolChoice, toServiceTools } from './toServiceTools';
import { hasLostDigits, toModelResult, toStreamChunks, withObjectInputs } from './toModelResult';

/** Describes the options that LangChain passes with a request through n8n's SDK, including some that the SDK does not declare. */
export interface ModelCallOptions extends ChatModelConfig {
	signal?: AbortSignal;
	/** Holds the stop sequences in addition to the node's own. */
	stop?: string[];
	/** Holds the tool choice, as it was passed to LangChain's `bindTools`. */
	tool_choice?: unknown;
	/** Says whether to make chunks from a response that is not streamed. */
	unstreamed?: boolean;
	/** Receives the message that the service sent, before the chunk that ends the stream. */
	onMessage?: (message: GeneratedMessage) => void;
}

interface InferenceChatModelParts {
	settings: ChatModelSettings;
	node: INode;
	itemIndex: number;
	/** Returns what calls the service with the node's options. Each request has its own Max Wait. */
	callerOf: (signal: AbortSignal) => Caller;
	/** The signal is aborted when the execution is stopped, or when the node that uses the model has finished. */
	signal: AbortSignal;
	/** Receives what shows whether a reply is complete, for a hint at the node. */
	onReply: (reply: ReplyFacts) => void;
}

/** Makes the service a chat model for n8n's SDK for AI nodes. It throws only n8n's errors. */
export class InferenceChatModel implements SdkChatModel<ModelCallOptions> {
	readonly provider = 'inference-service';

	readonly modelId: string;

	constructor(
		private readonly parts: InferenceChatModelParts,
		private readonly tools: Tool[] = [],
	) {
		this.modelId = parts.settings.model;
	}

	withTools(tools: Tool[]): InferenceChatModel {
		return new InferenceChatModel(this.parts, tools);
	}

	async generate(messages: Message[], options: ModelCallOptions = {}): Promise<GenerateResult> {
		return toModelResult(await this.request(messages, options, this.signalOf(options)));
	}

	async *stream(messages: Message[], options: ModelCallOptions = {}): AsyncGenerator<StreamChunk> {
		if (options.unstreamed) {
			yield* toStreamChunks(await this.request(messages, options, this.signalOf(options)), false);
			return;
		}
		// The stream applies backpressure: the response is read no faster than the caller takes the texts.
		const { readable, writable } = new TransformStream<string, string>();
		const texts = writable.getWriter();
		const left = new AbortController();
		const signal = AbortSignal.any([this.signalOf(options), left.signal]);
		const finished = this.request(messages, options, signal, async (text) => await texts.write(text));
		finished
			.then(
				async () => await texts.close(),
				async (error: unknown) => await texts.abort(error),
			)
			.catch(() => {});
		try {
			for await (const delta of readable as unknown as AsyncIterable<string>) {
				yield { type: 'text-delta', delta };
			}
			yield* toStreamChunks(await finished, true);
		} finally {
			// If the caller stops reading early, the request is aborted.
			left.abort();
		}
	}

	private signalOf({ signal, abortSignal }: ModelCallOptions): AbortSignal {
		return AbortSignal.any([this.parts.signal, signal, abortSignal].filter((one) => one !== undefined));
	}

	private async request(
		messages: Message[],
		options: ModelCallOptions,
		signal: AbortSignal,
		onText?: (text: string) => Promise<void>,
	): Promise<GeneratedMessage> {
		const { node, itemIndex, callerOf } = this.parts;
		try {
			signal.throwIfAborted();
			const message = await generate(callerOf(signal), {
				path: '/messages',
				body: await this.toBody(messages, options),
				streamed: onText !== undefined || this.parts.settings.stream,
				newAccumulator: () => new MessageAccumulator(),
				toResult: (answer, unsafeIntegers) => this.checked(answer, unsafeIntegers),
				onText,
			});
			options.onMessage?.(message);
			return message;
		} catch (error) {
			throw signal.aborted
				? canceledError(node)
				: toNodeError(error, node, { index: itemIndex, inChat: true });
		}
	}

	private async toBody(messages: Message[], options: ModelCallOptions): Promise<RequestBody> {
		const { settings } = this.parts;
		const { system, turns } = toServiceMessages(messages);
		if (turns.length === 0) throw new ParameterError('The conversation', 'has no text');
		const stopSequences = [...new Set([...settings.stopSequences, ...(options.stop ?? [])])];
		const tools = await toServiceTools(this.tools);
		const body = {
			model: settings.model,
			messages: foldConversation(turns, settings.longConversations).map(toRequestMessage),
			max_tokens: settings.maxTokens,
			system,
			tools,
			tool_choice: toServiceToolChoice(options.tool_choice, tools),
		} satisfies Partial<Record<keyof MessageRequest, unknown>>;
		return withoutEmpty({ ...body, ...samplingBody({ ...settings, stopSequences }) });
	}

	/**
	 * Returns the message if an agent can go on with it.
	 * @throws CallFailure for a message that was refused, that was cut off before it has any text or tool call, or that has a tool call
	 * without a usable input
	 */
	private checked(message: GeneratedMessage, unsafeIntegers: ReadonlySet<number>): GeneratedMessage {
		const { stop_reason: reason, content } = message;
		const text = textOf(content);
		if (isRefusal(reason)) throw refusedReply(text);
		const callsTools = content.some(isToolUse);
		const cutOff = cutOffBy(reason);
		if (cutOff && text.trim() === '' && !callsTools) {
			const said = {
				tokens: `The model reached its limit of ${this.parts.settings.maxTokens} tokens before it wrote anything`,
				context: "The conversation fills the model's context window, so no reply was written",
			}[cutOff];
			throw new CallFailure({ kind: 'content', message: said, cutOffBy: cutOff });
		}
		const checked = withObjectInputs(message);
		const lostDigits = content.some((block) => isToolUse(block) && hasLostDigits(block, unsafeIntegers));
		this.parts.onReply({ reason, text, callsTools, lostDigits });
		return checked;
	}
}

import type { ChatRequest, Message, MessageRequest } from '../contract/types';

/** One reply of the model, instead of one that the emulator would write. */
export interface ScriptedReply {
	text?: string;
	/** Calls of tools, all in this reply. An `id` that is not given is generated. */
	toolCalls?: { name: string; input: Record<string, unknown>; id?: string }[];
	/** In a message, a block `thinking` before the text. In a chat, its `reasoning_content`. */
	thinking?: string;
	/** Signature of the thinking; messages only. */
	signature?: string;
	/** Sources of the text; messages only. */
	citations?: object[];
	/** Default: `tool_use` with calls, else `end_turn`. A chat has its own words for these. */
	stopReason?: Message['stop_reason'];
	/** Default: the number of tokens that the emulator counts in the texts. */
	usage?: Message['usage'];
}

/** A reply, or a function that makes one from the request. */
export type ScriptStep = ScriptedReply | ((request: MessageRequest | ChatRequest) => ScriptedReply);

/** The replies that /messages and /chat/completions give, one for each request, in their order. */
export class Script {
	private given = 0;

	constructor(private readonly steps: readonly ScriptStep[]) {}

	/** The next reply; undefined when none is left. */
	next(request: MessageRequest | ChatRequest): ScriptedReply | undefined {
		const step = this.steps[this.given];
		this.given += 1;
		return typeof step === 'function' ? step(request) : step;
	}
}

import { isRecord } from '../../client/values/records';
import type { GeneratedMessage } from '../../client/generation/GeneratedMessage';
import { filesRefused } from './toServiceMessages';
import type { ModelCallOptions } from './InferenceChatModel';
import { factsOf } from './toModelResult';

/** Describes the methods of the SDK's adapter (a LangChain chat model) that are replaced here. */
interface Adapter {
	callbacks?: unknown;
	bindTools(tools: unknown[], options?: { tool_choice?: unknown }): unknown;
	withConfig(config: object): unknown;
	getNumTokens(content: unknown): Promise<number>;
	_generate(messages: unknown[], options: ModelCallOptions): Promise<unknown>;
	_streamResponseChunks(
		messages: unknown[],
		options: ModelCallOptions,
		runManager?: unknown,
	): AsyncGenerator<Chunk>;
}

/** Describes LangChain's `ChatGenerationChunk`. */
interface Chunk {
	text: string;
	message: { content: unknown; usage_metadata?: { input_tokens: number; output_tokens: number } };
	generationInfo?: Record<string, unknown>;
	concat(next: Chunk): Chunk;
}

/** LangChain estimates with this number when it has no tokenizer. */
const CHARACTERS_PER_TOKEN = 4;

/** The SDK silently drops LangChain's content blocks of these types, and of every type that it does not know. */
const FILE_BLOCKS: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'document', 'media']);

/** The SDK passes on content blocks of these types in a message of the user or of a tool. */
const READ_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'file', 'audio', 'video', 'image', 'text-plain']);

/**
 * Adds features that the SDK's adapter to LangChain (0.31) lacks:
 * - The choice of a tool reaches the model. The adapter's `bindTools` drops it.
 * - `withStructuredOutput` works. It needs chunks, which the adapter makes from streamed responses only.
 * - n8n's trace shows the model, the stop reason, and the tokens of streamed responses too.
 * - Files are an error. The SDK drops them silently.
 * - A tool's result that is a list with anything but text reaches the model as JSON. The SDK makes an empty list of it.
 * - Tokens are estimated from the length of the text. LangChain would download a tokenizer, and not that of the service.
 * An object that does not have the adapter's methods is not changed.
 */
export function patchSdkAdapter(adapter: unknown): void {
	if (!isAdapter(adapter)) return;
	patchStream(adapter);
	adapter._generate = async (messages, options) => await generateFromChunks(adapter, messages, options);
	patchBindTools(adapter);
	patchTokenCounts(adapter.callbacks);
	adapter.getNumTokens = async (content) => Math.ceil(textIn(content).length / CHARACTERS_PER_TOKEN);
}

function isAdapter(value: unknown): value is Adapter {
	return (
		isRecord(value) &&
		['bindTools', 'withConfig', 'getNumTokens', '_generate', '_streamResponseChunks'].every(
			(name) => typeof value[name] === 'function',
		)
	);
}

function patchStream(adapter: Adapter): void {
	const stream = adapter._streamResponseChunks.bind(adapter);
	adapter._streamResponseChunks = async function* (messages, options, runManager) {
		refuseFiles(messages);
		let message: GeneratedMessage | undefined;
		const onMessage = (received: GeneratedMessage) => {
			message = received;
		};
		for await (const chunk of stream(
			messages.map(withReadableResult),
			{ ...options, onMessage },
			runManager,
		)) {
			// The content becomes text, because blocks would keep the pieces of a text separate, and some of n8n's nodes join blocks
			// with line feeds.
			if (chunk.text !== '') chunk.message.content = chunk.text;
			if (chunk.generationInfo && message) {
				chunk.generationInfo = { ...chunk.generationInfo, ...factsOf(message) };
			}
			yield chunk;
		}
	};
}

async function generateFromChunks(
	adapter: Adapter,
	messages: unknown[],
	options: ModelCallOptions,
): Promise<{ generations: Chunk[]; llmOutput: object }> {
	let whole: Chunk | undefined;
	for await (const chunk of adapter._streamResponseChunks(messages, { ...options, unstreamed: true })) {
		whole = whole ? whole.concat(chunk) : chunk;
	}
	const { input_tokens: promptTokens, output_tokens: completionTokens } = whole?.message.usage_metadata ?? {};
	return {
		generations: whole ? [whole] : [],
		llmOutput: { tokenUsage: { promptTokens, completionTokens } },
	};
}

function patchBindTools(adapter: Adapter): void {
	const bindTools = adapter.bindTools.bind(adapter);
	adapter.bindTools = (tools, options) => {
		const bound = bindTools(tools);
		patchSdkAdapter(bound);
		const choice = options?.tool_choice;
		return choice === undefined || !isAdapter(bound) ? bound : bound.withConfig({ tool_choice: choice });
	};
}

/** Replaces the SDK's parser of token counts, which does not know the names that LangChain uses for streams. */
function patchTokenCounts(callbacks: unknown): void {
	for (const handler of Array.isArray(callbacks) ? callbacks : []) {
		if (!isRecord(handler) || !isRecord(handler.options)) continue;
		if (typeof handler.options.tokensUsageParser === 'function') {
			handler.options.tokensUsageParser = readTokens;
		}
	}
}

function readTokens(result: { llmOutput?: { tokenUsage?: Record<string, number | undefined> } }): object {
	const { tokenUsage = {} } = result.llmOutput ?? {};
	const { promptTokens = 0, completionTokens = 0 } = tokenUsage;
	return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

function textIn(content: unknown): string {
	if (typeof content === 'string') return content;
	const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
	return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** Turns the content of a tool message into JSON if the SDK would leave it out. Returns any other message unchanged. */
function withReadableResult(message: unknown): unknown {
	if (!isRecord(message) || !('tool_call_id' in message) || !Array.isArray(message.content)) return message;
	if (message.content.every((block) => isRecord(block) && READ_BLOCKS.has(block.type))) return message;
	return Object.create(message, { content: { value: JSON.stringify(message.content) } });
}

function refuseFiles(messages: unknown[]): void {
	for (const message of messages) {
		if (!isRecord(message) || !Array.isArray(message.content)) continue;
		// Other models write blocks of their own into the assistant's messages, such as their thinking, which may be left out.
		const isOfUser = message.type === 'human' || message.type === 'system';
		const lost = message.content
			.filter(isRecord)
			.find(({ type }) => FILE_BLOCKS.has(type) || (isOfUser && !READ_BLOCKS.has(type)));
		if (lost) throw filesRefused(String(lost.type));
	}
}

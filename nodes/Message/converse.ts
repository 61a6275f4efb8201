import { isRecord } from '../../client/values/records';
import { holdsNumber } from '../../client/values/unsafeIntegers';
import { ServiceError } from '../../client/ServiceError';
import {
	cutOffBy,
	isToolUse,
	type ContentBlock,
	type GeneratedMessage,
} from '../../client/generation/GeneratedMessage';
import { untilAborted } from '../../client/time/abort';
import { errorMessage } from '../shared/text/errorMessage';
import { MAX_MESSAGES, type RequestBody } from '../shared/generation/generationFields';
import type { LastingEffects } from '../shared/context/ItemContext';
import type { ConnectedTools } from './connectedTools';
import type { GeneratedJson } from './responseFormat';

/** Describes a tool call as the output shows it. */
export type ToolCall = {
	id: unknown;
	name: unknown;
	input: unknown;
	/** Holds the text that a connected tool returned. It is undefined for a call that failed, or that the workflow is to run. */
	result?: string;
	/** Holds the error message of a connected tool that failed. */
	error?: string;
};

export interface Round {
	message: GeneratedMessage;
	/** Holds the message's text blocks, joined. */
	text: string;
	/** Holds the parsed text. It is undefined unless Response Format is JSON and the round has no tool calls. */
	parsed?: GeneratedJson;
	/** Holds the whole numbers in the message that lost digits when they were parsed. */
	unsafeIntegers: ReadonlySet<number>;
}

/** The model gets this in place of a result, so that it can call the tool again. */
const LOST_DIGITS =
	'The tool was not run, because its input has a whole number of more than 15 digits, which would lose digits: give it as text';

/** Describes how an exchange ended. */
export interface Conversation {
	rounds: Round[];
	toolCalls: ToolCall[];
	/** Says whether a call that the workflow is to run holds a number that lost digits. */
	lostDigits: boolean;
	/** Says why calls of connected tools were not run. It is undefined if there are none, or if the reply was cut off. */
	stoppedBy?: 'roundsUsed' | 'budgetUsed' | undefined;
}

interface Exchange {
	body: RequestBody;
	tools: ConnectedTools;
	/** Holds the value of Max Tool Rounds. After so many rounds, the calls in a reply are left to the workflow. */
	maxRounds: number;
	request(body: RequestBody): Promise<Round>;
	signal: AbortSignal;
	/** Returns whether Token Budget is used up. Then no further request is sent, and tool calls are left to the workflow. */
	isUsedUp(): boolean;
	/** Counts the requests that were answered before a later one fails, for the error. */
	done: Pick<LastingEffects, 'answered'>;
	/** Takes note of a tool call that was made, such as `refund {"order":7}`. */
	noteToolRun(call: string): void;
}

/**
 * Asks the model, runs the connected tools that it calls, sends it the results, and so on until it calls no more tools. Calls of
 * Custom Tools and calls beyond the limits are not run, but left to the workflow.
 */
export async function converse({
	body: first,
	tools,
	maxRounds,
	request,
	signal,
	isUsedUp,
	done,
	noteToolRun,
}: Exchange): Promise<Conversation> {
	const rounds: Round[] = [];
	const toolCalls: ToolCall[] = [];
	let lostDigits = false;
	const offered = new Set([first.tools].flat().map((tool) => isRecord(tool) && tool.name));
	let body = first;
	for (;;) {
		const round = await request(body).catch((error: unknown) => {
			// If other items used up Token Budget while the tools ran, the calls so far are the result.
			if (rounds.length > 0 && error instanceof ServiceError && error.facts.kind === 'budget') {
				return undefined;
			}
			throw error;
		});
		if (!round) return { rounds, toolCalls, lostDigits, stoppedBy: 'budgetUsed' };
		rounds.push(round);
		done.answered++;
		const { message } = round;
		const calls = message.content.filter(isToolUse);
		const messages = [body.messages].flat();
		const isCutOff = cutOffBy(message.stop_reason) !== undefined;
		const hasRoundsLeft = rounds.length <= maxRounds && messages.length + 2 <= MAX_MESSAGES;
		// Servers that translate other protocols give a reply with calls any stop reason, or none.
		const stoppedBy = isUsedUp() ? 'budgetUsed' : hasRoundsLeft ? undefined : 'roundsUsed';
		const mayRun = !isCutOff && tools.size > 0 && stoppedBy === undefined;
		const results: ContentBlock[] = [];
		for (const call of calls) {
			const hasLostDigits = holdsNumber(call.input, round.unsafeIntegers);
			const outcome = mayRun
				? await run(call, { tools, offered, signal, hasLostDigits, noteToolRun })
				: undefined;
			toolCalls.push({ id: call.id, name: call.name, input: call.input, ...outcome });
			if (outcome) results.push(toResultBlock(call.id, outcome));
			else lostDigits ||= hasLostDigits;
		}
		if (results.length === 0 || results.length < calls.length) {
			const isLeft = !isCutOff && calls.some(({ name }) => tools.has(String(name)));
			return { rounds, toolCalls, lostDigits, stoppedBy: isLeft ? stoppedBy : undefined };
		}
		body = {
			...withoutForcedTool(body),
			messages: [
				...messages,
				{ role: 'assistant', content: message.content.filter(isNotEmpty) },
				{ role: 'user', content: results },
			],
		};
	}
}

type Outcome = { result: string; error?: undefined } | { error: string };

/** Runs only calls of connected tools. A call of a Custom Tool has no outcome here, because the workflow must run it. */
async function run(
	{ name, input }: ContentBlock,
	{
		tools,
		offered,
		signal,
		hasLostDigits,
		noteToolRun,
	}: Pick<Exchange, 'tools' | 'signal' | 'noteToolRun'> & {
		offered: ReadonlySet<unknown>;
		hasLostDigits: boolean;
	},
): Promise<Outcome | undefined> {
	const tool = tools.get(String(name));
	if (!tool) return offered.has(name) ? undefined : { error: `There is no tool "${String(name)}"` };
	if (hasLostDigits) return { error: LOST_DIGITS };
	// A request in flight still finishes after the run has ended, but a tool must not act for a run that has failed.
	signal.throwIfAborted();
	// Some tools ignore the signal.
	const outcome = await untilAborted(
		tool.run(input, signal).then(
			(result): Outcome => ({ result }),
			(error: unknown): Outcome => ({ error: errorMessage(error) }),
		),
		signal,
	);
	signal.throwIfAborted();
	noteToolRun(`${String(name)} ${JSON.stringify(input)}`);
	return outcome;
}

function toResultBlock(id: unknown, outcome: Outcome): ContentBlock {
	const block = { type: 'tool_result', tool_use_id: id };
	return outcome.error === undefined
		? { ...block, content: outcome.result }
		: { ...block, content: outcome.error, is_error: true };
}

/** Removes a forced tool choice after the first round, because the model would have to call the tool in every round. */
function withoutForcedTool(body: RequestBody): RequestBody {
	const { tool_choice: choice, ...rest } = body;
	return isRecord(choice) && choice.type === 'tool' ? rest : body;
}

/** A stream may contain empty text blocks, which must not be sent back, because services refuse them. */
function isNotEmpty({ type, text }: ContentBlock): boolean {
	return type !== 'text' || text !== '';
}

import {
	cutOffBy,
	endOfThinking,
	isRefusal,
	mayBeIncomplete,
	tellsOfCall,
} from '../../../client/generation/GeneratedMessage';
import { isRecord } from '../../../client/values/records';
import { increase } from '../values/increase';
import { present } from '../values/present';
import { countOf } from '../text/wording';

/** Describes why a reply is less than what was asked for. */
type Shortcoming =
	| 'cutOff'
	| 'contextFull'
	| 'refused'
	| 'empty'
	| 'endsInCalls'
	| 'hidesCalls'
	| 'notCalled'
	| 'lostCall'
	| 'roundsUsed'
	| 'budgetUsed'
	| 'unknownEnd';

/** Describes what is wrong with a reply that may be complete. */
type Flaw = 'lostDigits' | 'thinking' | 'jsonFromThinking';

/** A hint says this of replies, after their number, and what to do. */
const TEXTS: Record<Shortcoming | Flaw, [singular: string, plural: string, advice: string]> = {
	cutOff: ['was cut off at the limit of tokens', 'were cut off at the limit of tokens', "raise 'Max Tokens'"],
	contextFull: [
		"was cut off at the end of the model's context window",
		"were cut off at the end of the model's context window",
		'send less, or use a model with a larger one',
	],
	refused: [
		'was refused by the model or a content filter',
		'were refused by the model or a content filter',
		'change what you ask, or use another model',
	],
	empty: ['is empty', 'are empty', 'change what you ask, or use another model'],
	endsInCalls: [
		'is empty, because its text stood before a tool call and is not in the output',
		'are empty, because their text stood before a tool call and is not in the output',
		'tell the model to write its answer after its last tool call',
	],
	hidesCalls: [
		"calls tools, which 'Chat' does not output",
		"call tools, which 'Chat' does not output",
		"use 'Generate Message', or turn 'Simplify' off",
	],
	notCalled: [
		"does not call the tool that 'Tool Choice' asks for",
		"do not call the tool that 'Tool Choice' asks for",
		'say in a message when to call it, or use another model',
	],
	lostCall: [
		'calls a tool, but not in a form that can be run',
		'call a tool, but not in a form that can be run',
		'use another model, or turn on tool calls at its server',
	],
	roundsUsed: [
		'was stopped at the limit of tool rounds',
		'were stopped at the limit of tool rounds',
		"raise 'Max Tool Rounds', send fewer messages, or ask for less at once",
	],
	budgetUsed: [
		'was stopped before it was complete, because the token budget was used up',
		'were stopped before they were complete, because the token budget was used up',
		"raise 'Token Budget'",
	],
	unknownEnd: [
		'ended for a reason that this node does not know, and may be incomplete',
		'ended for reasons that this node does not know, and may be incomplete',
		"look at 'stop_reason' or 'finish_reason' in the output",
	],
	lostDigits: [
		'has a whole number of more than 15 digits, which lost its last digits',
		'have a whole number of more than 15 digits, which lost its last digits',
		'ask for it as text',
	],
	thinking: [
		"begins with the model's thinking (&lt;think&gt;…&lt;/think&gt;)",
		"begin with the model's thinking (&lt;think&gt;…&lt;/think&gt;)",
		'turn it off for the model, or cut it out in a later node',
	],
	jsonFromThinking: [
		"has its JSON from the model's thinking (&lt;think&gt;…&lt;/think&gt;), which may not be its answer",
		"have their JSON from the model's thinking (&lt;think&gt;…&lt;/think&gt;), which may not be their answer",
		"read the answer from 'text', or turn the thinking off for the model",
	],
};

/** Describes a reply, as far as it shows whether it is complete. */
export interface ReplyFacts {
	/** Holds the stop reason, as the service sent it. */
	reason: unknown;
	text: string | null;
	/** Says whether the model refused in other words than the stop reason. */
	isRefused?: boolean;
	callsTools?: boolean;
	/** Says whether the text stood in earlier rounds of tool calls. */
	hasEarlierText?: boolean;
	/** Says whether a tool that the request demands was not called. */
	isNotCalled?: boolean;
	/** Says whether a number in parsed JSON lost digits. */
	lostDigits?: boolean;
	/** Holds the parsed JSON. It is undefined if the reply is not parsed. */
	json?: unknown;
	/** Says whether the JSON was found in the model's thinking. It is undefined if the reply is not parsed. */
	isJsonFromThinking?: boolean;
	/** Says whether the output lacks the tool calls. */
	hidesCalls?: boolean;
	/** Says why calls of connected tools were not run. */
	stoppedBy?: 'roundsUsed' | 'budgetUsed' | undefined;
}

/** Counts the replies of a run that are results, but less than what was asked for. */
export class ReplyTally {
	private readonly counts = new Map<Shortcoming | Flaw, number>();

	/** Counts the parsed replies by the kind of their JSON. */
	private readonly jsonKinds = new Map<string, number>();

	add(reply: ReplyFacts): void {
		if (reply.json !== undefined) increase(this.jsonKinds, kindOfJson(reply.json));
		const shortcoming = shortcomingOf(reply);
		for (const kind of present([shortcoming, ...flawsOf(reply)])) increase(this.counts, kind);
	}

	/** Returns a sentence, in HTML, for each kind of shortcoming and flaw. It returns undefined if all replies are as they should be. */
	describe(): string | undefined {
		const sentences = [...this.counts].map(([kind, count]) => {
			const [singular, plural, advice] = TEXTS[kind];
			const subject = countOf(count, 'reply', 'replies');
			return `${subject} ${count === 1 ? singular : plural}: ${advice}.`;
		});
		return present([...sentences, this.describeKinds()]).join(' ') || undefined;
	}

	/** Later nodes read the same fields of all replies, and find none in a list or a text. */
	private describeKinds(): string | undefined {
		if (this.jsonKinds.size < 2) return undefined;
		const kinds = [...this.jsonKinds].map(
			([kind, count]) => `${kind} in ${countOf(count, 'reply', 'replies')}`,
		);
		return `The JSON differs: ${kinds.join(', ')}. Say in a message which one you expect.`;
	}
}

function kindOfJson(json: unknown): string {
	if (Array.isArray(json)) return 'a list';
	return isRecord(json) ? 'an object' : 'a single value';
}

function shortcomingOf({
	reason,
	text,
	isRefused,
	callsTools,
	hidesCalls,
	hasEarlierText,
	isNotCalled,
	stoppedBy,
}: ReplyFacts): Shortcoming | undefined {
	if (isRefused === true || isRefusal(reason)) return 'refused';
	const cutOff = cutOffBy(reason);
	if (cutOff) return cutOff === 'tokens' ? 'cutOff' : 'contextFull';
	if (stoppedBy) return stoppedBy;
	if (hidesCalls === true) return 'hidesCalls';
	if (callsTools !== true && tellsOfCall(reason, text ?? '')) return 'lostCall';
	if (isNotCalled === true) return 'notCalled';
	if ((text ?? '').trim() === '' && callsTools !== true) {
		return hasEarlierText === true ? 'endsInCalls' : 'empty';
	}
	return mayBeIncomplete(reason) ? 'unknownEnd' : undefined;
}

function flawsOf({ text, lostDigits, isJsonFromThinking }: ReplyFacts): Flaw[] {
	// Where the JSON was found behind the thinking, nobody needs to do anything.
	const isThinking = isJsonFromThinking === undefined && endOfThinking(text ?? '') > 0;
	return present([
		lostDigits === true && 'lostDigits',
		isThinking && 'thinking',
		isJsonFromThinking === true && 'jsonFromThinking',
	]);
}

import { cutOffBy, isRefusal, mayBeIncomplete } from '../../../client/generation/GeneratedMessage';
import { increase } from '../values/increase';
import { countOf } from '../text/wording';

/** Describes why a reply is less than what was asked for. */
type Shortcoming =
	'cutOff' | 'contextFull' | 'refused' | 'empty' | 'hidesCalls' | 'roundsUsed' | 'budgetUsed' | 'unknownEnd';

/** This is what a hint says of replies, after their number, and what to do. */
const TEXTS: Record<Shortcoming, [singular: string, plural: string, advice: string]> = {
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
	hidesCalls: [
		"calls tools, which 'Chat' does not output",
		"call tools, which 'Chat' does not output",
		"use 'Generate Message', or turn 'Simplify' off",
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
		'look at the stop or finish reason in the output',
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
	/** Says whether the output lacks the tool calls. */
	hidesCalls?: boolean;
	/** Says why calls of connected tools were not run. */
	stoppedBy?: 'roundsUsed' | 'budgetUsed' | undefined;
}

/** Counts the replies of a run that are results, but less than what was asked for. */
export class ReplyTally {
	private readonly counts = new Map<Shortcoming, number>();

	add(reply: ReplyFacts): void {
		const shortcoming = shortcomingOf(reply);
		if (shortcoming) increase(this.counts, shortcoming);
	}

	/** Returns a sentence for each kind of shortcoming. It returns undefined if all replies are as they should be. */
	describe(): string | undefined {
		const sentences = [...this.counts].map(([shortcoming, count]) => {
			const [singular, plural, advice] = TEXTS[shortcoming];
			const subject = countOf(count, 'reply', 'replies');
			return `${subject} ${count === 1 ? singular : plural}: ${advice}.`;
		});
		return sentences.join(' ') || undefined;
	}
}

function shortcomingOf({
	reason,
	text,
	isRefused,
	callsTools,
	hidesCalls,
	stoppedBy,
}: ReplyFacts): Shortcoming | undefined {
	if (isRefused === true || isRefusal(reason)) return 'refused';
	const cutOff = cutOffBy(reason);
	if (cutOff) return cutOff === 'tokens' ? 'cutOff' : 'contextFull';
	if (stoppedBy) return stoppedBy;
	if (hidesCalls === true) return 'hidesCalls';
	if ((text ?? '').trim() === '' && callsTools !== true) return 'empty';
	return mayBeIncomplete(reason) ? 'unknownEnd' : undefined;
}

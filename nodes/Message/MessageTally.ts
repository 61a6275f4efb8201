import type { Execution } from '../shared/run/Execution';
import { countOf } from '../shared/text/wording';

/** Whether a reply ended at the token limit, by the reason that a message or a chat gives. */
export function isCutOff(reason: unknown): boolean {
	return reason === 'max_tokens' || reason === 'length';
}

/** How the replies of a run ended. */
export class MessageTally {
	private refused = 0;

	private cutOff = 0;

	/** @param reason that the service gives: `stop_reason`, or `finish_reason` */
	end(reason: unknown): void {
		if (reason === 'refusal') this.refused++;
		else if (isCutOff(reason)) this.cutOff++;
	}

	/** What a person should know after the run. A refusal says something about the content, so a redacted run has none. */
	describe({ mayShowData }: Execution): string | undefined {
		if (!mayShowData) return undefined;
		const refused = `${countOf(this.refused, 'reply', 'replies')} blocked for a potential policy violation.`;
		const cutOff = `${countOf(this.cutOff, 'reply', 'replies')} ended at the token limit: raise 'Max Tokens'.`;
		const sentences = [this.refused > 0 ? refused : [], this.cutOff > 0 ? cutOff : []].flat();
		return sentences.length === 0 ? undefined : sentences.join('<br>');
	}
}

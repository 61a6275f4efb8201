import { toJson } from '../../client/toJson';
import type { RequestBody } from '../shared/fields/generationFields';
import type { Execution } from '../shared/run/Execution';
import { grouped } from '../shared/text/wording';
import { conversation } from './messages';

/** Whether a reply ended at the token limit, by the reason that a message or a chat gives. */
export function isCutOff(reason: unknown): boolean {
	return reason === 'max_tokens' || reason === 'length';
}

/** What a run has asked, and how the replies ended. */
export class MessageTally {
	/** Counted only as long as all requests are the same. */
	private asked = 0;

	/** The first item's request; undefined once another item's differs. */
	private sameForAll: string | undefined;

	private refused = 0;

	private cutOff = 0;

	/**
	 * @param body of an item's first request
	 * @throws ServiceError for what JSON cannot hold
	 */
	ask(body: RequestBody): void {
		if (this.asked > 0 && this.sameForAll === undefined) return;
		const json = toJson(body);
		if (this.asked === 0) this.sameForAll = json;
		else if (json !== this.sameForAll) this.sameForAll = undefined;
		this.asked++;
	}

	/** @param reason that the service gives: `stop_reason`, or `finish_reason` */
	end(reason: unknown): void {
		if (reason === 'refusal') this.refused++;
		else if (isCutOff(reason)) this.cutOff++;
	}

	/**
	 * What a person should know after the run. A refusal and equal requests say something about the content, so a redacted
	 * run does not mention them.
	 */
	describe({ mayShowData, parameters }: Execution): string | undefined {
		if (!mayShowData) return undefined;
		const sentences: string[] = [];
		if (this.asked > 1 && this.sameForAll !== undefined) {
			const all = this.asked === 2 ? 'Both' : `All ${grouped(this.asked)}`;
			const field = parameters.read(conversation.source, 0) === 'json' ? 'Messages (JSON)' : 'Content';
			sentences.push(`${all} requests were the same: drag a field from the input into '${field}'.`);
		}
		if (this.refused > 0) {
			sentences.push(`${replies(this.refused)} blocked for a potential policy violation.`);
		}
		if (this.cutOff > 0) {
			sentences.push(`${replies(this.cutOff)} ended at the token limit: raise 'Max Tokens'.`);
		}
		return sentences.length === 0 ? undefined : sentences.join('<br>');
	}
}

function replies(number: number): string {
	return number === 1 ? '1 reply' : `${grouped(number)} replies`;
}

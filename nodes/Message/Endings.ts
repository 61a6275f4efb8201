import type { Execution } from '../shared/run/Execution';
import { grouped } from '../shared/text/grouped';

/** Whether a reply ended at the token limit, by the reason that a message or a chat gives. */
export function isCutOff(reason: unknown): boolean {
	return reason === 'max_tokens' || reason === 'length';
}

/** How many replies of a run ended before they were complete. */
export class Endings {
	private refused = 0;

	private cutOff = 0;

	/** @param reason that the service gives: `stop_reason`, or `finish_reason` */
	add(reason: unknown): void {
		if (reason === 'refusal') this.refused++;
		else if (isCutOff(reason)) this.cutOff++;
	}

	/**
	 * What a person should know after the run. A refusal says something about the content, so a redacted run does not
	 * mention it.
	 */
	describe({ mayShowData }: Execution): string | undefined {
		if (!mayShowData) return undefined;
		const sentences: string[] = [];
		if (this.refused > 0) {
			sentences.push(
				`${replies(this.refused)} ended by refusal: the service's streaming classifiers intervened for a potential policy violation.`,
			);
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

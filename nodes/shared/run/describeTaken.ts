import { LoggerProxy, type IExecuteFunctions } from 'n8n-workflow';

import type { RunAnswers } from '../../../client/answers/RunAnswers';
import { agoOf } from '../text/agoOf';
import { countOf } from '../text/countOf';
import { grouped } from '../text/grouped';

/** What a person should know after a run that reused answers; undefined if it reused none. */
export function describeTaken(
	context: IExecuteFunctions,
	answers: RunAnswers | undefined,
): string | undefined {
	if (!answers) return undefined;
	const { asked, taken, takenAgeMs, shared } = answers;
	const sentences: string[] = [];
	if (taken > 0) {
		const verb = taken === 1 ? 'was' : 'were';
		sentences.push(
			`${grouped(taken)} of ${countOf(asked, 'answer')} ${verb} taken from a run that ended ${agoOf(takenAgeMs)}. They were not requested or paid for again.`,
		);
		LoggerProxy.info(`${context.getNode().name}: ${sentences[0]}`, {
			executionId: context.getExecutionId(),
		});
	}
	if (shared > 0) sentences.push(`${countOf(shared, 'item')} shared the request of an equal item.`);
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

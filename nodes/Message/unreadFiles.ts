import { isEmpty } from '../../client/values/records';
import type { RunContext } from '../shared/context/RunContext';
import { extraBody } from '../shared/generation/generationFields';
import { countOf } from '../shared/text/wording';
import { conversation } from './messages';
import { systemPrompt } from './responseFormat';

/**
 * Returns how many items have files that the model does not get. If an expression is sent, somebody chose what of the item to send,
 * such as the text that an earlier node read from the file, so there is nothing to say.
 */
export function describeUnreadFiles({ items, parameters }: RunContext): string | undefined {
	const { source, typed, json } = conversation;
	const messages = parameters.stored(source) === 'json' ? json : typed;
	if ([messages, systemPrompt, extraBody].some((field) => parameters.holdsExpression(field))) {
		return undefined;
	}
	const count = items.filter(({ binary }) => !isEmpty(binary)).length;
	if (count === 0) return undefined;
	return `Files of ${countOf(count, 'item')} are not sent: put 'Extract from File' before this node, and the text in a message.`;
}

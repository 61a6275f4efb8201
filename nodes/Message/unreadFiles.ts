import { isEmpty } from '../../client/values/records';
import type { RunContext } from '../shared/context/RunContext';
import { isExpression, splitAtExpressions } from '../shared/fields/expressionText';
import { extraBody } from '../shared/generation/generationFields';
import { hasSentence } from '../shared/text/sentence';
import { countOf } from '../shared/text/wording';
import { conversation } from './messages';
import { systemPrompt } from './responseFormat';

/** Matches words by which a prompt refers to a file of the item. */
const MENTIONS_FILE =
	/\b(?:attached|attachments?|enclosed|(?:this|the) (?:file|pdf|image|picture|photo|scan|screenshot|recording)|im anhang|angeh\u00e4ngt\p{L}*|beigef\u00fcgt\p{L}*|pi\u00e8ces? jointes?|adjunt[oa]s?|allegat[oai])\b/iu;

/**
 * Returns how many items have files that the model does not get. If an expression is sent, somebody chose what of the item to send,
 * such as the text that an earlier node read from the file. Then there is something to say only if the prompt speaks of a file, and the
 * item has no text that may be the file's.
 */
export function describeUnreadFiles({ items, parameters }: RunContext): string | undefined {
	const { source, typed, json } = conversation;
	const fields = [parameters.stored(source) === 'json' ? json : typed, systemPrompt, extraBody];
	const isChosen = fields.some((field) => parameters.holdsExpression(field));
	if (isChosen && !fields.some((field) => mentionsFile(parameters.stored(field)))) return undefined;
	const count = items.filter(
		({ binary, json: item }) => !isEmpty(binary) && !(isChosen && hasSentence(item)),
	).length;
	if (count === 0) return undefined;
	return `Files of ${countOf(count, 'item')} are not sent: put 'Extract from File' before this node, and the text in a message.`;
}

/** Returns whether the fixed text of a stored value speaks of a file. */
function mentionsFile(stored: unknown): boolean {
	if (typeof stored === 'object' && stored !== null) return Object.values(stored).some(mentionsFile);
	if (typeof stored !== 'string') return false;
	const fixed = isExpression(stored) ? splitAtExpressions(stored).literals.join(' ') : stored;
	return MENTIONS_FILE.test(fixed);
}

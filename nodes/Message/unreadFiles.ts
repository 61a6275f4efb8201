import { isEmpty } from '../../client/values/records';
import type { RunContext } from '../shared/context/RunContext';
import { READS_ITEM } from '../shared/fields/expressionText';
import { countOf } from '../shared/text/wording';
import { sentExpressions } from './noteSent';

/**
 * Describes, for the hint, how many items have files that the model does not get, and what to do. If an expression sends something of an item's JSON, somebody chose what
 * to send, such as the text that an earlier node read from the file, so there is nothing to say.
 */
export function describeUnreadFiles({ items, parameters }: RunContext): string | undefined {
	if (sentExpressions(parameters).some((expression) => READS_ITEM.test(expression))) return undefined;
	const count = items.filter(({ binary }) => !isEmpty(binary)).length;
	if (count === 0) return undefined;
	return `Files of ${countOf(count, 'item')} are not sent: put 'Extract from File' before this node, and the text in a message.`;
}

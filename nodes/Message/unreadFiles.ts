import type { IDataObject } from 'n8n-workflow';

import { isEmpty } from '../../client/values/records';
import type { RunContext } from '../shared/context/RunContext';
import { literalsWithin, READS_ITEM, WRITES_ITEM } from '../shared/fields/expressionText';
import { hasSentence } from '../shared/text/sentence';
import { countOf } from '../shared/text/wording';
import { sentExpressions, sentFields } from './noteSent';

/** Words for a file, in the languages in which prompts are most often written. */
const SPEAKS_OF_FILE =
	/\battach|\bfiles?\b|\bpdf\b|\bdocument|\bimages?\b|\bphoto|\bpicture|\bscan|\banhang|\bdatei|\bdokument|\bbild|\bfichier|pièce jointe|\badjunt|\barchivo|\ballegat|\banex|\bbijlage|\bbestand/i;

/** An expression may read the text of the file from another node. */
const READS_NODE = /\$(?:input|node)\b|\$\(/;

/**
 * Describes, for the hint, how many items have files that the model does not get, and what to do. If an expression sends something of an
 * item's JSON, somebody chose what to send, such as the text that an earlier node read from the file. But if the prompt speaks of a file,
 * and what is sent of the item is no text, nobody has read the file.
 */
export function describeUnreadFiles({ items, parameters }: RunContext): string | undefined {
	const expressions = sentExpressions(parameters);
	const readsItem = expressions.some((expression) => READS_ITEM.test(expression));
	if (readsItem) {
		const words = sentFields(parameters).flatMap((field) => literalsWithin(parameters.stored(field)));
		if (!words.some((text) => SPEAKS_OF_FILE.test(text)) || expressions.some((one) => READS_NODE.test(one))) {
			return undefined;
		}
	}
	const count = items.filter(
		({ binary, json }) => !isEmpty(binary) && !(readsItem && sendsText(json, expressions)),
	).length;
	if (count === 0) return undefined;
	return `Files of ${countOf(count, 'item')} are not sent: put 'Extract from File' before this node, and the text in a message.`;
}

/** Returns whether one of the expressions names a field that holds a text, or writes the whole item. */
function sendsText(json: IDataObject, expressions: string[]): boolean {
	const texts = Object.keys(json).filter((name) => hasSentence(json[name]));
	return expressions.some((one) => WRITES_ITEM.test(one) || texts.some((name) => one.includes(name)));
}

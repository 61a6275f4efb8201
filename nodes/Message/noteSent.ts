import type { ItemContext } from '../shared/context/ItemContext';
import { hasHeaders } from '../shared/context/knownItems';
import { expressionsWithin, hasExpressions, WRITES_ITEM } from '../shared/fields/expressionText';
import type { Field } from '../shared/fields/Field';
import type { Parameters } from '../shared/fields/Parameters';
import { extraBody } from '../shared/generation/generationFields';
import { conversation, plainContent, type ConversationRules, type SentMessage } from './messages';
import { systemPrompt } from './responseFormat';
import { noteBlankFields, noteEmail, noteFieldName, noteUnused } from '../shared/context/sentNotes';

/** Returns the fields of which the values are sent, as far as they may hold expressions that read the item. */
export function sentFields(parameters: Parameters): Field[] {
	const { source, typed, json } = conversation;
	return [parameters.stored(source) === 'json' ? json : typed, systemPrompt, extraBody];
}

/** Returns the expressions in all that may be sent of the items. */
export function sentExpressions(parameters: Parameters): string[] {
	return sentFields(parameters).flatMap((field) => expressionsWithin(parameters.stored(field)));
}

/** Takes note of what is to be sent and was probably not meant so. */
export function noteSent(
	item: ItemContext,
	messages: SentMessage[],
	prompt: string,
	{ hasTools }: Pick<ConversationRules, 'hasTools'>,
): void {
	const { run, input } = item;
	const expressions = run.sentExpressions(() => sentExpressions(run.parameters));
	// A tool may have an expression that reads the item.
	if (!hasTools) noteUnused(item, expressions);
	const sent = [prompt, ...messages.map(({ content }) => plainContent(content))];
	noteEmail(item, sent, expressions);
	noteBlankFields(item, sent, expressions);
	// A name in single braces may well explain a template to the model.
	if (!hasExpressions(run.parameters.stored(systemPrompt))) noteFieldName(item, prompt);
	if (!hasHeaders(input.json)) return;
	if (expressions.some((expression) => WRITES_ITEM.test(expression))) item.noteFields('headers', ['headers']);
}

import { isMissing } from '../../../client/values/records';
import type { Unreadable } from '../text/unreadable';
import {
	expressionsWithoutValue,
	isExpression,
	splitAtExpressions,
	unreadableExpressions,
} from './expressionText';
import { describeValue, textField, type Field, type Place } from './Field';
import { jsonField } from './jsonField';
import { lostMembersOf } from './lostMembers';
import { ParameterError } from './ParameterError';

/** Checks the value that n8n gives, before the field reads it. */
export function checkGiven<Value>(
	inner: Field<Value>,
	check: (value: unknown, place: Place) => void,
): Field<Value> {
	return {
		...inner,
		parse: (value, place) => {
			check(value, place);
			return inner.parse(value, place);
		},
	};
}

/**
 * Makes an expression without a value an error, for a field that decides or limits something. Its default would be another
 * decision than the one that a person meant. A field that is left empty still means its default.
 * @param isNothing returns whether the value of an expression is none: by default, if it is missing or blank
 */
export function decisive<Value>(
	inner: Field<Value>,
	isNothing: (value: unknown) => boolean = isMissing,
): Field<Value> {
	return checkGiven(inner, (value, place) => {
		const expression = findWithoutValue(place.stored, value, place, isNothing);
		if (expression === undefined) return;
		throw new ParameterError(
			place.subject,
			`must have a value, but ${describeValue(expression)} has none`,
			'Correct the expression, or fill in the field that it reads.',
		);
	});
}

function findWithoutValue(
	stored: unknown,
	value: unknown,
	place: Place,
	isNothing: (value: unknown) => boolean,
): string | undefined {
	if (Array.isArray(stored)) {
		const values = Array.isArray(value) ? value : [];
		for (const [index, one] of stored.entries()) {
			const found = findWithoutValue(one, values[index], place, isNothing);
			if (found !== undefined) return found;
		}
		return undefined;
	}
	if (!isExpression(stored)) return undefined;
	if ([value].flat().some(isNothing)) return stored.slice(1).trim();
	const evaluate = place.expressions?.evaluate;
	return evaluate && typeof value === 'string'
		? expressionsWithoutValue(stored, value, evaluate)[0]
		: undefined;
}

/** What is left of a value is a fault in every text. */
const LEFTOVERS: readonly Unreadable[] = ['leftover'];

/** In a text that the model is to read, encoded text and a lone link are faults too. Elsewhere, such as in the data of a file, they may be meant. */
export const TO_READ: readonly Unreadable[] = ['leftover', 'encoded', 'link'];

/** A model with tools may be meant to follow a link. */
export const TO_READ_WITH_TOOLS: readonly Unreadable[] = ['leftover', 'encoded'];

/**
 * Reports each expression without a value, for a text that is sent. n8n puts empty text in its place.
 * @param faults which other values are reported
 */
export function sent<Value>(inner: Field<Value>, faults: readonly Unreadable[] = []): Field<Value> {
	return checkGiven(inner, (value, place) => reportExpressions(value, place, faults));
}

/** Holds a value that may be left out of what is sent. */
interface MayBeSent<Value> {
	value: Value;
	/** Holds the stored parts between the expressions. There is one if the value has no expressions, so that it is the same for every item. */
	literals: unknown[];
	/** Reports each expression without a value, or with one that the model cannot read. Must be called if the value is sent. */
	report(faults: readonly Unreadable[]): void;
}

/** Reports expressions as `sent` does for a text to read, but only on demand: another parameter decides whether the text is sent. */
export function sentIfKept<Value>(inner: Field<Value>): Field<MayBeSent<Value>> {
	return {
		...inner,
		parse: (value, place) => ({
			value: inner.parse(value, place),
			literals: isExpression(place.stored) ? splitAtExpressions(place.stored).literals : [place.stored],
			report: (faults) => reportExpressions(value, place, faults),
		}),
	};
}

function reportExpressions(value: unknown, place: Place, faults: readonly Unreadable[]): void {
	const { expressions, stored } = place;
	if (!expressions || !isExpression(stored)) return;
	const empty = expressionsWithoutValue(stored, value, expressions.evaluate);
	for (const one of empty) expressions.report(place, one, 'empty');
	for (const [one, fault] of unreadableExpressions(stored, value, faults, expressions.evaluate)) {
		// An expression that joined a missing value to text may have no other text.
		if (!empty.includes(one)) expressions.report(place, one, fault);
	}
}

export function sentText(...property: Parameters<typeof textField>): Field<string> {
	return sent(textField(...property), LEFTOVERS);
}

export function sentJson(...property: Parameters<typeof jsonField>): Field<unknown> {
	return checkGiven(sent(jsonField(...property), LEFTOVERS), reportLostMembers);
}

/** Reports each member without a value of an object or list that an expression writes, since JSON leaves it out. */
export function reportLostMembers(value: unknown, place: Place): void {
	for (const path of lostMembersOf(value, place.stored)) {
		place.expressions?.report(place, JSON.stringify(path), 'empty');
	}
}

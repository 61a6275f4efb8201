import type { IDataObject } from 'n8n-workflow';

import { isRecord, type UnknownFields } from '../../../client/values/records';
import type { Answer as WireAnswer } from '../../../contract/types';
import { numberOrNull } from '../../shared/values/numberOrNull';

/**
 * In columns and in Evaluate Answers, a probability of at least this is a yes. Route sends items by thresholds of its own, 'Yes at or
 * Above' and 'No Below'.
 */
export const MIN_YES_PROBABILITY = 0.5;

/** A number may be outside its scale by this much, because the service may compute it as a sum and round. */
const ROUNDING_TOLERANCE = 1e-6;

/** Describes a valid answer to a question. */
export interface Answer {
	/** The labels are "yes" or "no", the chosen option, the level that is nearest to the score, or the options that apply, if several may. */
	labels: string[];
	/** Holds the probability of yes, from 0 to 1, or the score, within its levels. It is null for options. */
	number: number | null;
	/** Holds the confidence as the service sent it. It is null where the service has none, and if it sends none. */
	confidence: number | null;
	/** Holds the probability of each option or level. It is null for a yes-or-no question, and if the service sends none. */
	probabilities: IDataObject | null;
}

/** Reads how certain an answer is. A confidence may be any number, because the service does not document its range. */
export function certaintyOf({
	confidence,
	probabilities,
}: UnknownFields<WireAnswer>): Pick<Answer, 'confidence' | 'probabilities'> {
	return {
		confidence: numberOrNull(confidence),
		probabilities: isRecord(probabilities) ? (probabilities as IDataObject) : null,
	};
}

/**
 * Reads a number on a scale from 0. A number that rounding put outside the scale becomes its end. Returns null for anything else.
 */
export function toScale(value: unknown, highest: number): number | null {
	if (typeof value !== 'number') return null;
	const isOnScale = value >= -ROUNDING_TOLERANCE && value <= highest + ROUNDING_TOLERANCE;
	return isOnScale ? Math.min(Math.max(value, 0), highest) : null;
}

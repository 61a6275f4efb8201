import { MIN_YES_PROBABILITY } from '../../answers/Answer';
import { caselessKey } from '../../../shared/text/composed';
import type { AnswerReader } from './AnswerReader';
import { readLabel } from './readLabel';
import { readShare } from './readShare';

export const YES = 'yes';
const NO = 'no';

const YES_TEXTS = new Set([YES, 'true', '1']);
const NO_TEXTS = new Set([NO, 'false', '0']);

/** Reads yes or no from a probability, and the expected one from what a person wrote. */
export const noulReader: AnswerReader = {
	expectedRule: 'yes or no, true or false, or 1 or 0',
	answerRule: 'a probability from 0 to 1',
	readExpected: (value) => {
		const text = caselessKey(readLabel(value) ?? '');
		if (YES_TEXTS.has(text)) return YES;
		return NO_TEXTS.has(text) ? NO : undefined;
	},
	readAnswer: (cell) => {
		const probability = readShare(cell);
		if (probability === null) return null;
		return probability >= MIN_YES_PROBABILITY ? YES : NO;
	},
	certaintyOf: (cell) => {
		const probability = readShare(cell)!;
		const isYes = probability >= MIN_YES_PROBABILITY;
		return { confidence: isYes ? probability : complement(probability), probability };
	},
};

/** Returns 1 minus the probability, without a floating-point error: 0.93 for 0.07. */
function complement(probability: number): number {
	return Number((1 - probability).toFixed(12));
}

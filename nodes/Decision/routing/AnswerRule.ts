import type { Answer } from '../answers/Answer';

/** Names a number of an answer that is compared with thresholds. */
export type ComparedNumber = 'confidence' | 'probability';

/** Applies the thresholds to an answer to the question that chooses the output. */
export interface AnswerRule extends Advice {
	/** Returns the positions of an answer among the outputs of its question, in their order, or none if it is not clear. */
	positionsOf(answer: Answer): number[];
	/** Returns whether these positions mean that nothing applies. It is undefined for an answer that always names something. */
	isNone?(positions: number[]): boolean;
	/** Returns how close an uncertain answer was to a clear one. Returns undefined if it has no confidence. */
	nearMiss(answer: Answer): NearMiss | undefined;
}

/** Gives the texts for a hint if many answers are uncertain. */
export interface Advice {
	/** Says whether the thresholds can make an answer uncertain. */
	canBeUncertain: boolean;
	/** Holds the sentence that the value of the nearest answer completes. */
	nearestText: string;
	advice: string;
}

/** Describes an uncertain answer, and how close it was to being clear. */
export interface NearMiss {
	/** Holds the confidence, or the probability of yes. */
	value: number;
	/** Holds the distance to the nearest threshold. */
	distance: number;
}

import type { DecisionRequest, DecisionResponse } from '../contract/types';

/** Answers the questions of a decision request that meets the contract. */
export type Decider = (
	request: DecisionRequest,
) => DecisionResponse['answers'] | Promise<DecisionResponse['answers']>;

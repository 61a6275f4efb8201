/** Mutants that no test can notice, by their IDs, each with the reason. They count as survivors all the same. */
export const EQUIVALENTS: Record<string, string> = {};

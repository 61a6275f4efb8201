/** Mutants that no test can notice, by their IDs, each with the reason. They count as survivors all the same. */
export const EQUIVALENTS: Record<string, string> = {
	'3ee7e8c610':
		"Roles alternate, and the last turn is the user's: from a turn of the user on, an odd number is sent, and the most is even.",
};

/** Mutants that no test can notice, by their IDs, each with the reason. They count as survivors all the same. */
export const EQUIVALENTS: Record<string, string> = {
	d9a54fe2d0: 'A wider margin has more of the text looked at, and as much more of it cut off again.',
	ffe2dd1b6d: 'A field that keeps its name and its value is defined anew as it is.',
	'3ee7e8c610':
		"Roles alternate, and the last turn is the user's: from a turn of the user on, an odd number is sent, and the most is even.",
	'5090bc1e78': 'A ten-thousandth of a per cent of a plot is not to be seen.',
	'96107e4638': 'One chunk more is read of a body that is long enough already, and nothing is taken of it.',
	'590708afc2': 'What is late already is looked at again a millisecond later.',
	e29a467154: 'The pause in which others have their turn is a millisecond long, one in fifty.',
};

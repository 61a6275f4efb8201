/** Mutants that no test can notice, by their IDs, each with the reason. They count in no score. */
export const EQUIVALENTS: Record<string, string> = {
	d9a54fe2d0: 'A wider margin has more of the text looked at, and as much more of it cut off again.',
	ffe2dd1b6d: 'A field that keeps its name and its value is defined anew as it is.',
	'3ee7e8c610':
		"Roles alternate, and the last turn is the user's: from a turn of the user on, an odd number is sent, and the most is even.",
	'2aac200041': 'Those that listen to the log do not know of each other.',
	'6c5f6b576c': 'An excess of 1e-9 is what rounding leaves, and such a request has room anyway.',
	eb3272c2eb: 'Counted anew, the sum is the same; it only takes longer.',
	'53f0d2b4f0': 'Counted anew, the sum is the same; it only takes longer.',
	e4c796c7ed: 'Each cut begins the count anew, and there is nothing to grow before the first.',
	aeae25159d: 'Each wait that begins sets it.',
	d3096dbf7b: 'Only what has got through since an earlier refusal is looked at.',
	'65d9cfed0d': 'Only the order of the numbers matters.',
	c74dd44b5e: 'A call is in the queue once.',
	'484d37a50b': 'In an empty queue none is out of time.',
	'18ef5902c8': 'In an empty queue none is out of time.',
	'5090bc1e78': 'A ten-thousandth of a per cent of a plot is not to be seen.',
	'96107e4638': 'One chunk more is read of a body that is long enough already, and nothing is taken of it.',
	'590708afc2': 'What is late already is looked at again a millisecond later.',
	e29a467154: 'The pause in which others have their turn is a millisecond long, one in fifty.',
};

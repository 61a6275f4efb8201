/** These are answers as the service sends them, with values that a test may choose to be wrong. */
export const noul = (value: unknown) => ({ type: 'noul', noul: value });

export const choice = (option: string, confidence?: number) => ({
	type: 'choice',
	choice: option,
	confidence,
});

export const score = (value: number, confidence?: number) => ({ type: 'score', score: value, confidence });

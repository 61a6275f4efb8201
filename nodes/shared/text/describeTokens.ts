import { grouped } from './grouped';

/** Such as "Tokens: 1,200 in, 3 out."; undefined if the service did not report them. */
export function describeTokens(input: number | null, output: number | null): string | undefined {
	if (input === null && output === null) return undefined;
	const parts = [
		input === null ? [] : `${grouped(input)} in`,
		output === null ? [] : `${grouped(output)} out`,
	];
	return `Tokens: ${parts.flat().join(', ')}.`;
}

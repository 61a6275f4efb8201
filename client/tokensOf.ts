import { isRecord } from './isRecord';
import { numberOrNull } from './numberOrNull';

/** The input and output tokens of a response, null if the service does not report them. A chat has its own names for them. */
export function tokensOf(response: object): [input: number | null, output: number | null] {
	const told = 'usage' in response && isRecord(response.usage) ? response.usage : {};
	return [
		numberOrNull(told.prompt_tokens ?? told.input_tokens),
		numberOrNull(told.completion_tokens ?? told.output_tokens),
	];
}

import { isRecord } from '../../../client/response/records';
import { numberOrNull } from '../text/numberOrNull';

/** The input and output tokens of a response, null if the service does not report them. A chat has its own names for them. */
export function tokensOf(response: object): [input: number | null, output: number | null] {
	const usage = 'usage' in response && isRecord(response.usage) ? response.usage : {};
	const { input_tokens: input, output_tokens: output, prompt_tokens, completion_tokens } = usage;
	return [numberOrNull(prompt_tokens ?? input), numberOrNull(completion_tokens ?? output)];
}

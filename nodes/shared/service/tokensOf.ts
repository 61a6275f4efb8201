import { isRecord } from '../../../client/values/records';
import { numberOrNull } from '../values/numberOrNull';

/**
 * Returns the input and output tokens of a response, each null if the service did not report it. Chat completions use other names
 * for them.
 */
export function tokensOf(response: object): [input: number | null, output: number | null] {
	const usage = 'usage' in response && isRecord(response.usage) ? response.usage : {};
	const { input_tokens: input, output_tokens: output, prompt_tokens, completion_tokens } = usage;
	return [numberOrNull(prompt_tokens ?? input), numberOrNull(completion_tokens ?? output)];
}

import { describeTaken } from './describeTaken';
import { describeTokens } from '../text/describeTokens';
import { describeWaiting } from './describeWaiting';
import type { Execution } from './Execution';

/**
 * What a person should know after a run, as HTML: what came out, what failed, the tokens, and what was waited for.
 * Undefined if there is nothing to say.
 * @param summary of the operation
 * @param failures how many items failed, and why
 */
export function describeRun(
	execution: Execution,
	summary: string | undefined,
	failures: string | undefined,
): string | undefined {
	const { context, asTool, mayShowData, calls, clientInUse, spending, tokens } = execution;
	// Nobody looks at the output of an agent's tool.
	if (asTool) return undefined;
	const parts = [
		summary,
		failures,
		describeTokens(tokens.input, tokens.output),
		describeTaken(context, spending?.answers),
		// Waits tell something about the service, which a redacted run must not show.
		mayShowData && clientInUse ? describeWaiting(clientInUse, calls) : undefined,
	].filter((part) => part !== undefined);
	return parts.length === 0 ? undefined : parts.join('<br>');
}

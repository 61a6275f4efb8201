import { ServiceError } from '../ServiceError';

/** How `/messages` and `/chat/completions` say that a reply reached its token limit. */
const TOKEN_LIMIT_REASONS: ReadonlySet<unknown> = new Set(['max_tokens', 'length']);

/**
 * The error for a tool call whose arguments did not arrive as a whole.
 * @param name of the tool, as the service sent it
 * @param reason why the reply ended
 */
export function incompleteCall(name: unknown, reason: unknown): ServiceError {
	return new ServiceError({
		kind: 'response',
		message: `The service's response contains an incomplete call to "${String(name)}"`,
		truncated: TOKEN_LIMIT_REASONS.has(reason),
	});
}

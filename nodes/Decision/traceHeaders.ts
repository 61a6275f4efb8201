import type { ItemContext } from '../shared/context/ItemContext';
import type { ValuesOf } from '../shared/fields/Field';
import type { decisionOptions } from './decisionOptions';

/** Makes the headers that identify a request: those given in the options, or else a new ID for every attempt. */
export function traceHeaders(
	item: ItemContext,
	{ traceId, traceparent }: ValuesOf<Pick<typeof decisionOptions, 'traceId' | 'traceparent'>>,
): () => Record<string, string> {
	const given = { 'x-trace-id': traceId, traceparent };
	const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
	if (Object.keys(headers).length > 0) return () => headers;
	// An execution of n8n's MCP Server Trigger has no ID until it has ended.
	const executionId = item.context.getExecutionId() as string | undefined;
	const prefix = executionId ? `n8n-${executionId}` : 'n8n';
	return () => ({ 'x-trace-id': `${prefix}-${crypto.randomUUID()}` });
}

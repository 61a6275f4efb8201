import type { ItemContext } from '../shared/run/ItemContext';
import { traceId, traceparent } from './decisionOptions';

/**
 * The headers that identify a request: those given in the options, or else a new ID for every attempt.
 * @throws ParameterError
 */
export function traceHeaders(item: ItemContext): () => Record<string, string> {
	const given = { 'x-trace-id': item.read(traceId), traceparent: item.read(traceparent) };
	if (given['x-trace-id'] === '' && given.traceparent === '') {
		// n8n's MCP Server Trigger gives its executions no ID before they have ended.
		const executionId = item.context.getExecutionId() as string | undefined;
		const prefix = executionId ? `n8n-${executionId}` : 'n8n';
		return () => ({ 'x-trace-id': `${prefix}-${crypto.randomUUID()}` });
	}
	const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
	return () => headers;
}

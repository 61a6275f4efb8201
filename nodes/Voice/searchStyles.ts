import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { ExecutionCalls } from '../../client/limiter/ExecutionCalls';
import { ItemCalls } from '../../client/limiter/ItemCalls';
import { isMissing } from '../../client/response/records';
import { increase } from '../shared/text/increase';
import { createClient } from '../shared/service/createClient';
import { toNodeError } from '../shared/run/nodeErrors';
import { decodeStyles, listStyles } from './styles';

/** A person waits while the list loads, so the timeout is shorter than that of an operation. */
const TIMEOUT_MS = 30_000;

/** A person waits while the list loads, so it waits only briefly for a rate limit. */
const MAX_WAIT_MS = 5_000;

/**
 * Loads the list of Voice Style in Delete: the user's styles whose name, model or URI contains the filter. A style without a URI is
 * left out, because it cannot be deleted. Styles of one name show their URIs.
 */
export async function searchStyles(
	this: ILoadOptionsFunctions,
	filter: string = '',
): Promise<INodeListSearchResult> {
	try {
		const client = await createClient(this);
		const { signal } = new AbortController();
		const item = new ItemCalls(new ExecutionCalls(), MAX_WAIT_MS);
		const policy = { timeoutMs: TIMEOUT_MS, maxRetries: 1, item, signal };
		const { result } = await client.call({ ...listStyles, decode: decodeStyles }, policy);
		const deletable = result.filter(({ uri }) => !isMissing(uri));
		const named = deletable.map(({ customName, model, uri }) => ({
			name: String(customName ?? uri),
			model: String(model ?? 'unknown model'),
			value: String(uri),
		}));
		const counts = new Map<string, number>();
		for (const { name } of named) increase(counts, name);
		const styles = named.map(({ name, model, value }) => ({
			name: `${name} (${model})${counts.get(name) === 1 ? '' : ` – ${value}`}`,
			value,
		}));
		const wanted = filter.toLowerCase();
		return {
			results: styles.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
		};
	} catch (error) {
		throw toNodeError(error, this.getNode(), { index: 0 });
	}
}

import { NodeOperationError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';

import { singleCall } from '../../../client/limiter/ItemCalls';
import type { ServiceRequest } from '../../../client/ServiceClient';
import { createClient } from '../service/createClient';
import { caselessKey } from '../text/composed';
import { toNodeError } from './nodeErrors';

/** A person waits while the list loads, so the timeout is shorter than that of an operation. */
const TIMEOUT_MS = 30_000;

/** A person waits while the list loads, so the request waits only briefly for a rate limit. */
const MAX_WAIT_MS = 5_000;

interface Entry {
	name: string;
	value: string;
}

/** Loads the list of a resource locator. n8n calls it with what a person has typed to search the list. */
type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/**
 * Makes the function that loads the list of a resource locator: the entries whose name or value contains the filter. It throws a
 * NodeApiError if the request fails, and a NodeOperationError for a wrong credential, or with the sentence of `explain`.
 * @param request decodes the response to the entries of the list
 * @param explain returns a sentence that replaces an error, for errors that mean something else here
 */
export function listSearch(
	request: ServiceRequest<Entry[]>,
	explain: (error: unknown) => string | undefined = () => undefined,
): ListSearch {
	return async function search(filter = '') {
		try {
			const client = await createClient(this);
			const item = singleCall(MAX_WAIT_MS);
			const { signal } = new AbortController();
			const { result } = await client.call(request, { timeoutMs: TIMEOUT_MS, maxRetries: 1, item, signal });
			const wanted = caselessKey(filter);
			return {
				results: result.filter(({ name, value }) => caselessKey(`${name} ${value}`).includes(wanted)),
			};
		} catch (error) {
			const explanation = explain(error);
			if (explanation !== undefined) throw new NodeOperationError(this.getNode(), explanation);
			throw toNodeError(error, this.getNode(), { index: 0 });
		}
	};
}

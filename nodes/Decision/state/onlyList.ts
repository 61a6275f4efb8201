import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { contentsOf } from '../../shared/context/knownItems';

/**
 * Beside a list, these fields say which part of a longer list an API has given. They are nothing that a person asks about. Their names
 * are in lower case, with nothing but letters.
 */
const PAGE_FACTS = new Set([
	// Names that many APIs share, such as those of GitHub's search, HubSpot, Shopify, Notion and Slack.
	...['count', 'total', 'totalcount', 'limit', 'offset', 'cursor', 'nextcursor', 'hasmore', 'paging'],
	...['page', 'pages', 'pagecount', 'pagesize', 'totalpages', 'hasnext', 'pagination', 'success', 'ok'],
	...['incompleteresults', 'responsemetadata'],
	// Jira and Google
	...['startat', 'maxresults', 'islast', 'nextpagetoken', 'resultsizeestimate', 'kind', 'etag'],
	// Zendesk and Django's REST framework
	...['next', 'previous', 'prev', 'nextpage', 'previouspage'],
	// Laravel and JSON:API
	...['links', 'meta', 'perpage', 'currentpage', 'lastpage'],
	// GraphQL's connections
	...['pageinfo', 'hasnextpage'],
	// OData, as of Microsoft
	...['odatacontext', 'odatacount', 'odatanextlink'],
]);

/** Describes a list of objects that is all that an item holds. */
interface OnlyList {
	name: string;
	entries: number;
	/** Says whether the item tells that it is a page of a longer list. */
	isPage: boolean;
}

/**
 * Returns the only field with content if it is a list of several objects, each of which was probably to be an item. It may stand within
 * other objects, and beside what an API says of its pages. Objects with a role are the messages of a conversation, which is judged as a
 * whole.
 */
export function onlyListIn(fields: IDataObject): OnlyList | undefined {
	let name: string | undefined;
	let isPage = false;
	for (const one of contentsOf(fields, false)) {
		if (PAGE_FACTS.has(one.toLowerCase().replace(/[^a-z]/g, ''))) isPage = true;
		else if (name === undefined) name = one;
		else return undefined;
	}
	if (name === undefined) return undefined;
	const value = fields[name];
	if (isPlainObject(value)) {
		const inner = onlyListIn(value as IDataObject);
		return inner && { ...inner, name: `${name}.${inner.name}`, isPage: isPage || inner.isPage };
	}
	if (!Array.isArray(value) || value.length < 2) return undefined;
	const isRow = (entry: unknown) => isPlainObject(entry) && !Object.hasOwn(entry, 'role');
	return value.every(isRow) ? { name, entries: value.length, isPage } : undefined;
}

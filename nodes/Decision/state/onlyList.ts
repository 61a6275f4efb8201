import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { contentsOf } from '../../shared/context/knownItems';

/**
 * Beside a list, these fields say whether it is a part of a longer list. They are nothing that a person asks about. Their names are in lower
 * case, with nothing but letters.
 */
const PAGE_FACTS = new Set([
	// Names that many APIs share, such as those of GitHub's search, HubSpot, Shopify, Notion and Slack.
	...['count', 'total', 'totalcount', 'offset', 'cursor', 'nextcursor', 'hasmore', 'paging'],
	...['page', 'pages', 'pagecount', 'totalpages', 'hasnext', 'pagination'],
	...['incompleteresults', 'responsemetadata'],
	// Jira and Google
	...['startat', 'nextpagetoken', 'resultsizeestimate'],
	// Zendesk and Django's REST framework
	...['next', 'previous', 'prev', 'nextpage', 'previouspage'],
	// Laravel and JSON:API
	...['links', 'meta', 'currentpage', 'lastpage'],
	// GraphQL's connections
	...['pageinfo', 'hasnextpage'],
	// OData, as of Microsoft
	...['odatacount', 'odatanextlink'],
]);

/** Beside a list, these fields say nothing that a person asks about either, but a whole list has them too. */
const OTHER_FACTS = new Set([
	'success',
	'ok',
	'kind',
	'etag',
	'limit',
	'pagesize',
	'perpage',
	'maxresults',
	'islast',
	'odatacontext',
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
 * @param outerFacts what is said beside the object that holds these fields
 */
export function onlyListIn(fields: IDataObject, outerFacts: readonly unknown[] = []): OnlyList | undefined {
	let name: string | undefined;
	const facts = [...outerFacts];
	for (const one of contentsOf(fields, false)) {
		const plainName = one.toLowerCase().replace(/[^a-z]/g, '');
		if (OTHER_FACTS.has(plainName)) continue;
		if (PAGE_FACTS.has(plainName)) facts.push(fields[one]);
		else if (name === undefined) name = one;
		else return undefined;
	}
	if (name === undefined) return undefined;
	const value = fields[name];
	if (isPlainObject(value)) {
		const inner = onlyListIn(value as IDataObject, facts);
		return inner && { ...inner, name: `${name}.${inner.name}` };
	}
	if (!Array.isArray(value) || value.length < 2) return undefined;
	const isRow = (entry: unknown) => isPlainObject(entry) && !Object.hasOwn(entry, 'role');
	if (!value.every(isRow)) return undefined;
	// A whole list may have its number of entries beside it, that it begins at 0, and that there are no more.
	const isPage = facts.some((fact) => fact !== false && fact !== 0 && fact !== value.length);
	return { name, entries: value.length, isPage };
}

import type { IDataObject } from 'n8n-workflow';

import { isPlainObject } from '../../../client/values/records';
import { contentsOf } from '../../shared/context/knownItems';
import { hasSentence } from '../../shared/text/sentence';

/**
 * A list under such a name, or within an object under it, is what an API was asked for, whatever it says beside it. The name "items" is none,
 * because an order has them too. These names and those below are in lower case, with nothing but letters.
 */
const CONTAINERS = new Set([
	...['data', 'result', 'results', 'response', 'body', 'content', 'list', 'value', 'values'],
	...['records', 'rows', 'entries', 'hits', 'objects', 'elements'],
]);

/** Beside a list, these fields say whether it is a part of a longer list. They are nothing that a person asks about. */
const PAGE_FACT = new RegExp(
	[
		'^total(?:count|items|pages|size)?$|^(?:next)?cursor$|^offset$|^hasmore$|^paging$|^pagination$|^links$|^meta$',
		'^(?:current|last)?page$|^pages$|^pageinfo$|^(?:odata|has)?(?:next|prev|previous)(?:page|link)?(?:token)?$',
	].join('|'),
);

/** So do numbers of something, such as `pin_count`. */
const COUNT = /(?:^|[^a-zA-Z])count$|[a-z]Count$/;

/** Beside a list, these fields say nothing that a person asks about either, but a whole list has them too. */
const OTHER_FACTS = new Set([
	...['success', 'ok', 'kind', 'etag', 'limit', 'pagesize', 'perpage', 'maxresults', 'islast', 'startat'],
	...['odatacontext', 'incompleteresults', 'resultsizeestimate', 'responsemetadata', 'headers'],
]);

/** Describes a list of objects that is all that an item holds. */
interface OnlyList {
	name: string;
	entries: number;
	/** Says whether the item tells that it is a page of a longer list. */
	isPage: boolean;
	/** Says whether the name of the list says nothing of its entries. */
	isContainer: boolean;
}

/**
 * Returns the only field with content if it is a list of several objects, each of which was probably to be an item. It may stand within
 * other objects, and beside what an API says of its pages or, under a name that says nothing of its entries, beside anything short.
 * @param outerFacts what is said beside the object that holds these fields
 */
export function onlyListIn(fields: IDataObject, outerFacts: readonly unknown[] = []): OnlyList | undefined {
	// Most items are flat, and hardly cost anything so.
	if (!Object.values(fields).some((value) => typeof value === 'object' && value !== null)) return undefined;
	const names: string[] = [];
	const facts = [...outerFacts];
	for (const name of contentsOf(fields, false)) {
		if (COUNT.test(name) || PAGE_FACT.test(plainName(name))) facts.push(fields[name]);
		else if (!OTHER_FACTS.has(plainName(name))) names.push(name);
	}
	const name = names.length === 1 ? names[0]! : containerAmong(names, fields);
	if (name === undefined) return undefined;
	// A number beside other content may be a fact about that.
	const pageFacts = names.length === 1 ? facts : facts.filter((fact) => typeof fact !== 'number');
	const value = fields[name];
	if (isPlainObject(value)) {
		const inner = onlyListIn(value as IDataObject, pageFacts);
		return inner && { ...inner, name: `${name}.${inner.name}` };
	}
	if (!Array.isArray(value) || value.length < 2) return undefined;
	if (!value.every((entry) => isRow(entry, name))) return undefined;
	// A whole list may have its number of entries beside it, that it begins at 0, and that there are no more.
	const isPage = pageFacts.some((fact) => fact !== false && fact !== 0 && fact !== value.length);
	return { name, entries: value.length, isPage, isContainer: CONTAINERS.has(plainName(name)) };
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Returns the only field that holds a list of objects, if its name says nothing of them, and no other field holds a text. */
function containerAmong(names: string[], fields: IDataObject): string | undefined {
	const [container, ...others] = names.filter((name) => holdsList(fields[name]));
	if (container === undefined || others.length > 0 || !CONTAINERS.has(plainName(container))) return undefined;
	return names.some((name) => name !== container && hasSentence(fields[name])) ? undefined : container;
}

function holdsList(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(isPlainObject);
	return isPlainObject(value) && Object.values(value).some(holdsList);
}

/**
 * Returns whether an entry of a list stands for itself. Objects with a role are the messages of a conversation, and the content of a document
 * is made of blocks, which have a type and no ID: each is judged as a whole.
 */
function isRow(entry: unknown, listName: string): boolean {
	const has = (name: string) => Object.hasOwn(entry as object, name);
	return isPlainObject(entry) && !has('role') && !(listName === 'content' && has('type') && !has('id'));
}

import type { INodeExecutionData } from 'n8n-workflow';

import type { Execution } from './Execution';
import type { Field, ValuesOf } from '../fields/Field';
import { simplify } from '../fields/sharedFields';
import type { ItemContext } from './ItemContext';

/**
 * One entry of a node's operation dropdown: what a person fills in, and what is done with it, side by side.
 * `Shared` is what its items share in one run of the node.
 */
export interface Operation<Fields extends Record<string, Field> = Record<string, Field>, Shared = unknown> {
	/** Stored in workflows, so never renamed. */
	value: string;
	name: string;
	description: string;
	action: string;
	/** What an agent is told about a tool with this operation. Without it, the description is used. */
	asTool?: string;
	/** Shown first and not read here: a notice, or what n8n itself tells an agent. */
	unread?: Field[];
	/**
	 * Shown for this operation in this order, its options included. A field that several operations have must have the same
	 * properties in each of them. `simplify` is shown last; an operation whose result has one form only does not have it.
	 */
	fields: Fields;
	/** Not offered when the node is a tool of an AI Agent. */
	notAsTool?: true;
	/**
	 * For an operation that looks at all items at once and sends nothing: it runs once, with the first item, and has none of the
	 * options for requests.
	 */
	overAllItems?: true;
	/** Makes what the items share, once for a run. If it throws, each item fails with that error. */
	begin?(execution: Execution): Shared | Promise<Shared>;
	/**
	 * Gives one result for a single item, or a list of any length. Throws for a failed item.
	 * @param values of all fields, read before: a wrong one fails the item before anything is sent
	 */
	run(item: ItemContext, values: ValuesOf<Fields>, shared: Shared): Promise<ItemResult | ItemResult[]>;
	/** What a person should know after a run, as HTML; undefined for nothing. Holds data of items only as `Execution.mayShowData` allows. */
	summarize?(shared: Shared, execution: Execution): string | undefined;
}

/** Whether a person may choose between a simple result and the raw response. */
export function hasSimplify({ fields }: Operation): boolean {
	return Object.values(fields).includes(simplify);
}

/** Infers the types of the values and of what the items share. */
export function operation<Fields extends Record<string, Field>, Shared>(
	definition: Operation<Fields, Shared>,
): Operation {
	return definition;
}

export interface ItemResult {
	json: object;
	/** Index of the output it goes to, 0 when not given. */
	output?: number;
	binary?: INodeExecutionData['binary'];
	/** Index of the input item it comes from, or all of them; the item that the operation ran for when not given. */
	pairedItem?: number | 'all';
}

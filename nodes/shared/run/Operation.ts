import type { INodeExecutionData } from 'n8n-workflow';

import type { Execution } from './Execution';
import type { Field, ValuesOf } from '../fields/Field';
import { simplify } from '../fields/sharedFields';
import type { ItemContext } from './ItemContext';

/**
 * An operation of a node: the entry in the dropdown "Operation", its fields, and the function that runs it.
 * `Shared` is the state that its items share in one run of the node.
 */
export interface Operation<Fields extends Record<string, Field> = Record<string, Field>, Shared = unknown> {
	/** Workflows store this value, so it must never change. */
	value: string;
	name: string;
	description: string;
	action: string;
	/** The description that an agent gets of a tool with this operation. By default, it is `description`. */
	agentDescription?: string;
	/** Fields that are shown first, and that the operation does not read: a notice, or a field that n8n itself reads. */
	unread?: Field[];
	/**
	 * The fields and options of the operation, in the order in which they are shown. A field that several operations have must have
	 * the same property objects in each of them. `simplify` is always shown last. An operation with only one form of result lacks
	 * it.
	 */
	fields: Fields;
	/** Whether the operation is missing when the node is a tool of an AI Agent. */
	notAsTool?: true;
	/**
	 * Whether the operation looks at all items at once and sends nothing. It then runs once, with the first item, and has none of
	 * the options for requests.
	 */
	overAllItems?: true;
	/** Makes the shared state, once for a run. If it throws, each item fails with that error. */
	begin?(execution: Execution): Shared | Promise<Shared>;
	/**
	 * Runs the operation for one item. Returns one result, or a list of any length.
	 * @param values the values of all fields. They are read first, so that a wrong one fails the item before anything is sent.
	 * @throws any error that should fail the item
	 */
	run(item: ItemContext, values: ValuesOf<Fields>, shared: Shared): Promise<ItemResult | ItemResult[]>;
	/**
	 * Returns HTML for the hint above the output, or undefined for none. It may contain data of items only if
	 * `Execution.mayShowData` is true.
	 */
	summarize?(shared: Shared, execution: Execution): string | undefined;
}

export function hasSimplify({ fields }: Operation): boolean {
	return Object.values(fields).includes(simplify);
}

/** Checks the types of an operation's definition, and returns it under a type that does not depend on its fields. */
export function operation<Fields extends Record<string, Field>, Shared>(
	definition: Operation<Fields, Shared>,
): Operation {
	return definition;
}

export interface ItemResult {
	json: object;
	/** The index of the node's output. Default 0. */
	output?: number;
	binary?: INodeExecutionData['binary'];
	/** The index of the input item that the result comes from, or `all`. By default, it is the item that the operation ran for. */
	pairedItem?: number | 'all';
}

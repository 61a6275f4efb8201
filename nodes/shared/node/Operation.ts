import type { INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../context/RunContext';
import type { Field, ValuesOf } from '../fields/Field';
import { simplify } from '../fields/sharedFields';
import type { ItemContext } from '../context/ItemContext';

/** Describes an operation of a node: one that runs for each item, or one that runs once over all of them. */
export type Operation = ItemOperation | AllItemsOperation;

type Fields = Record<string, Field>;

/** Describes what the editor shows of an operation: its entry in the dropdown "Operation", and its fields. */
interface OperationEntry<OwnFields extends Fields> {
	/** Workflows store this value, so it must never change. */
	value: string;
	name: string;
	description: string;
	action: string;
	/** Holds the description that an agent gets of a tool with this operation. By default, it is `description`. */
	agentDescription?: string;
	/**
	 * Holds the fields that are shown first, and that the operation does not read: a notice, or a field that n8n itself reads.
	 */
	unread?: Field[];
	/**
	 * Holds the fields and options of the operation, in the order in which they are shown. A field that several operations have
	 * must have the same property objects in each of them. `simplify` is always shown last. An operation with only one form of
	 * result lacks it.
	 */
	fields: OwnFields;
	/** Says whether the operation is missing when the node is a tool of an AI Agent. */
	notAsTool?: true;
}

/**
 * Describes an operation that runs for each item. It may send requests, and has the options for them and for the loop over the
 * items.
 */
export interface ItemOperation<
	OwnFields extends Fields = Fields,
	Shared = unknown,
> extends OperationEntry<OwnFields> {
	kind: 'perItem';
	/** Returns how a person can keep these input fields, which have the names of columns, apart from renaming them. */
	keepBothAdvice?(names: string[], run: RunContext): string | undefined;
	/**
	 * Identifies what decides about the labels of its outputs. An operation whose outputs have labels has this function, so that the hint
	 * says which of them are connected to nothing, or to other nodes than before.
	 */
	sourceOfLabels?(run: RunContext): string;
	/** Makes the state that its items share, once for a run. If it throws, each item fails with that error. */
	begin?(run: RunContext): Shared | Promise<Shared>;
	/**
	 * Runs the operation for one item. Returns one result, or a list of any length.
	 * @param values the values of all fields. They are read first, so that a wrong one fails the item before anything is sent.
	 * @throws any error that should fail the item
	 */
	run(item: ItemContext, values: ValuesOf<OwnFields>, shared: Shared): Promise<ItemResult | ItemResult[]>;
	/**
	 * Returns HTML for the hint above the output, or undefined for none. It may contain data of items only if
	 * `RunContext.mayShowData` is true.
	 */
	summarize?(shared: Shared, run: RunContext): string | undefined;
}

/** Describes an operation that looks at all items at once, and sends nothing. So it has none of the options for requests. */
export interface AllItemsOperation<OwnFields extends Fields = Fields> extends OperationEntry<OwnFields> {
	kind: 'allItems';
	/**
	 * Runs the operation once, over all items.
	 * @param values the values of all fields for the first item
	 * @throws any error that should fail the run
	 */
	run(run: RunContext, values: ValuesOf<OwnFields>): Promise<AllItemsResult>;
}

interface AllItemsResult {
	/** Holds the items of the output, which are by default paired with the first input item. */
	items: ItemResult[];
	/** Holds HTML for the hint above the output. It may contain data of items only if `RunContext.mayShowData` is true. */
	summary: string | undefined;
}

export function hasSimplify({ fields }: ItemOperation): boolean {
	return Object.values(fields).includes(simplify);
}

/** Checks the types of an operation's definition, and returns it under a type that does not depend on its fields. */
export function operation<OwnFields extends Fields, Shared>(
	definition: Omit<ItemOperation<OwnFields, Shared>, 'kind'>,
): ItemOperation {
	const complete: ItemOperation<OwnFields, Shared> = { ...definition, kind: 'perItem' };
	return complete;
}

/** Checks the types of the definition of an operation over all items, as `operation` does for one that runs for each item. */
export function allItemsOperation<OwnFields extends Fields>(
	definition: Omit<AllItemsOperation<OwnFields>, 'kind'>,
): AllItemsOperation {
	const complete: AllItemsOperation<OwnFields> = { ...definition, kind: 'allItems' };
	return complete;
}

export interface ItemResult {
	json: object;
	/** Holds the index of the node's output. The default is 0. */
	output?: number;
	binary?: INodeExecutionData['binary'];
	/**
	 * Holds the index of the input item that the result comes from, or `all`. By default, it is the item that the operation ran
	 * for.
	 */
	pairedItem?: number | 'all';
}

/** Describes what a run of an operation gives, whichever kind of operation it is. */
export interface RunResult {
	/** Holds the results of each item, in the order of the input. */
	results: ItemResult[][];
	/** Holds HTML for the hint above the output. It is undefined for none. */
	hint: string | undefined;
	/** Says whether the hint is a warning: items failed, or a label leads to another node than before. */
	isWarning: boolean;
}

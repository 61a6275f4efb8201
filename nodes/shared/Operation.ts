import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemCall } from './ItemCall';

/** One entry of a node's operation dropdown: what a person fills in, and what is done with it, side by side. */
export interface Operation {
	/** Stored in workflows, so never renamed. */
	value: string;
	/** As in the dropdown. */
	name: string;
	description: string;
	/** As in the node creator. */
	action: string;
	/** Shown for this operation. A field shared by operations is the same object in each of them. */
	fields: INodeProperties[];
	/** The same, within the collection "Options". */
	optionFields: INodeProperties[];
	/** Not offered when the node is a tool of an AI Agent. */
	notAsTool?: true;
	/** For an operation whose answer has one form only: there is no "Simplify". */
	alwaysSimple?: true;
	/** Answers with one result for a single item, or with a list of any length. Throws for a failed item. */
	run(item: ItemCall): Promise<ItemResult | ItemResult[]>;
}

export interface ItemResult {
	json: IDataObject;
	/** Index of the output it leaves by, 0 when not given. */
	output?: number;
}

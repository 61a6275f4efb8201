import type { Execution } from './Execution';
import type { Operation } from './Operation';
import { itemOptions, type ItemDefaults, type ItemOptions } from '../fields/sharedFields';

/** What differs between the nodes of this package. */
interface ServiceNodeDefinition extends ItemDefaults {
	operations: Operation[];
	defaultOperation: Operation;
	/** Whether the items of an execution must run one after another, whatever its concurrency. */
	oneAtATime?(execution: Execution): boolean;
}

export interface ServiceNode extends ServiceNodeDefinition {
	options: ItemOptions;
}

export function serviceNode(definition: ServiceNodeDefinition): ServiceNode {
	return { ...definition, options: itemOptions(definition) };
}

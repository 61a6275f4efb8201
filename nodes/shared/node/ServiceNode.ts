import type { RunContext } from '../context/RunContext';
import type { Operation } from './Operation';
import { itemOptions, type ItemDefaults, type ItemOptions } from '../fields/sharedFields';

/** Describes the properties in which the action nodes of this package differ. */
interface ServiceNodeDefinition extends ItemDefaults {
	operations: Operation[];
	defaultOperation: Operation;
	/** Returns whether items must run one after another, whatever the option "Concurrency" says. */
	oneAtATime?(run: RunContext): boolean;
}

export interface ServiceNode extends ServiceNodeDefinition {
	options: ItemOptions;
}

export function serviceNode(definition: ServiceNodeDefinition): ServiceNode {
	return { ...definition, options: itemOptions(definition) };
}

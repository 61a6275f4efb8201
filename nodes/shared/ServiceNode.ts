import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from './Operation';

/** What tells one node of this package from another: its operations and the defaults of the options they share. */
export interface ServiceNode {
	/** In the order of the dropdown. */
	operations: Operation[];
	/** The operation of a newly added node. */
	defaultOperation: string;
	includeOtherFields: boolean;
	/** Milliseconds. */
	timeout: number;
	/** Requests in flight at once. */
	concurrency: number;
	/** Whether the items of an execution must run one after another, whatever its concurrency. */
	oneAtATime?(context: IExecuteFunctions): boolean;
}

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WaitBudget } from '../../client/limiter/WaitBudget';
import type { CallResult, ServiceRequest } from '../../client/ServiceClient';
import type { Caller } from './Caller';
import { checkTimeout } from './checkTimeout';
import type { Execution } from './Execution';
import type { Field, ValuesOf } from './Field';

/** What an operation sees of the one item it works for. */
export class ItemContext implements Caller {
	private budget: WaitBudget | undefined;

	constructor(
		readonly execution: Execution,
		readonly index: number,
	) {}

	get context(): IExecuteFunctions {
		return this.execution.context;
	}

	get input(): INodeExecutionData {
		return this.execution.items[this.index]!;
	}

	/** Aborted when the execution is stopped, or an item's failure ends it. */
	get signal(): AbortSignal {
		return this.execution.signal;
	}

	/** @throws ParameterError */
	read<Value>(field: Field<Value>): Value {
		return this.execution.parameters.read(field, this.index);
	}

	/** @throws ParameterError */
	readEach<Fields extends Record<string, Field>>(fields: Fields): ValuesOf<Fields> {
		return Object.fromEntries(
			Object.entries(fields).map(([name, field]) => [name, this.read(field)]),
		) as ValuesOf<Fields>;
	}

	/**
	 * Calls the service for this item, with the time-out, retries and longest wait of its options.
	 * @throws ServiceError
	 */
	async call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>> {
		const { node, signal } = this.execution;
		const { maxRetries, maxWait, timeout: timeoutMs } = this.readEach(node.options);
		const client = await this.execution.client();
		checkTimeout(client, timeoutMs, node.options.timeout);
		// One for all calls of the item: its waits count together.
		this.budget ??= client.newWaitBudget(maxWait * 1000);
		return await client.call(request, { timeoutMs, maxRetries, budget: this.budget, signal });
	}
}

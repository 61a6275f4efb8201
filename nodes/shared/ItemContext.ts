import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { WaitBudget } from '../../client/limiter/WaitBudget';
import type { CallResult, ServiceRequest } from '../../client/ServiceClient';
import type { Execution } from './Execution';
import { named, type Field, type ValuesOf } from './Field';
import { ParameterError } from './ParameterError';

/** What an operation sees of the one item it works for. */
export class ItemContext {
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
		// One for all calls of the item: its waits count together.
		this.budget ??= new WaitBudget(maxWait * 1000);
		const client = await this.execution.client();
		if (timeoutMs > client.longestTimeoutMs) {
			throw new ParameterError(
				named(node.options.timeout),
				`must be at most ${client.longestTimeoutMs} where the credential has "Reuse Connections" on`,
			);
		}
		return await client.call(request, { timeoutMs, maxRetries, budget: this.budget, signal });
	}
}

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallResult } from '../../../client/Transport';
import type { CallPolicy, ServiceClient, ServiceRequest } from '../../../client/ServiceClient';
import type { Field, ValuesOf } from '../fields/Field';
import type { Caller } from '../service/Caller';
import { callPolicy } from '../service/callPolicy';
import type { Execution } from './Execution';

/** What an item has done before it fails, whose effects remain. */
export interface DoneBefore {
	/** Requests that the service answered. */
	answered: number;
	/** Tools that ran, such as `refund {"order":7}`. */
	toolsRun: string[];
}

/** What an operation sees of the item that it processes. */
export class ItemContext implements Caller {
	/** One for all calls of the item: their waits count together. */
	private calling: Promise<{ client: ServiceClient; policy: CallPolicy }> | undefined;

	readonly done: DoneBefore = { answered: 0, toolsRun: [] };

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

	/** Aborted when the execution is stopped, or an item's failure ends the run. */
	get signal(): AbortSignal {
		return this.execution.signal;
	}

	/** @throws ParameterError */
	read<Value>(field: Field<Value>): Value {
		return this.execution.parameters.read(field, this.index);
	}

	/** @throws ParameterError */
	readEach<Fields extends Record<string, Field>>(fields: Fields): ValuesOf<Fields> {
		return this.execution.parameters.readEach(fields, this.index);
	}

	/** Counts the tokens of a response, null if the service does not report them. */
	countTokens(input: number | null, output: number | null): void {
		this.execution.countTokens(input, output);
	}

	/**
	 * Calls the service for this item, with the timeout, retries and longest wait of its options.
	 * @throws ServiceError
	 */
	async call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>> {
		this.calling ??= this.beginCalls();
		const { client, policy } = await this.calling;
		const { budget } = this.execution;
		const call = async () => await client.call(request, policy);
		return await (budget?.spend(policy.item, call) ?? call());
	}

	private async beginCalls(): Promise<{ client: ServiceClient; policy: CallPolicy }> {
		const { execution } = this;
		const { maxRetries, maxWait, timeout } = execution.options;
		const options = { maxRetries, maxWait, timeout };
		const values = this.readEach(options);
		const ofRun = execution.callPolicy();
		const client = await execution.client();
		return { client, policy: { ...callPolicy(client, options, values, execution.calls), ...ofRun } };
	}
}

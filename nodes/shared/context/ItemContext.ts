import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallResult } from '../../../client/Transport';
import type { CallPolicy, ServiceClient, ServiceRequest } from '../../../client/ServiceClient';
import type { Field, ValuesOf } from '../fields/Field';
import { once } from '../values/once';
import type { Caller } from '../service/Caller';
import { callPolicy } from '../service/callPolicy';
import type { FieldFinding } from './FieldFindings';
import type { RunContext } from './RunContext';

/**
 * Describes the effects that remain if an item fails after some of its requests have succeeded. An operation that sends several
 * requests for an item writes them, and the error of the item reads them.
 */
export interface LastingEffects {
	/** Counts the requests that the service answered. */
	answered: number;
	/** Describes the tool calls that ran, such as `refund {"order":7}`. */
	toolsRun: string[];
}

/** Represents one input item, as an operation sees it: its parameters, and calls of the service for it. */
export class ItemContext implements Caller {
	readonly done: LastingEffects = { answered: 0, toolsRun: [] };

	constructor(
		readonly run: RunContext,
		readonly index: number,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	get input(): INodeExecutionData {
		return this.run.items[this.index]!;
	}

	/** The signal is aborted when the execution is stopped, or an item's failure ends the run. */
	get signal(): AbortSignal {
		return this.run.signal;
	}

	/**
	 * Returns the value of a field for this item.
	 * @throws ParameterError
	 */
	read<Value>(field: Field<Value>): Value {
		return this.run.parameters.read(field, this.index);
	}

	/**
	 * Returns the values of several fields for this item.
	 * @throws ParameterError
	 */
	readEach<Fields extends Record<string, Field>>(fields: Fields): ValuesOf<Fields> {
		return this.run.parameters.readEach(fields, this.index);
	}

	/** Takes note of fields that are to be sent, and of which something was found. */
	noteFields(finding: FieldFinding, fields: string[]): void {
		this.run.fieldFindings.add(this.index, finding, fields);
	}

	/** Takes note of a tool call that was made, such as `refund {"order":7}`. */
	noteToolRun(call: string): void {
		this.done.toolsRun.push(call);
		this.run.countChange('tool call');
	}

	/** Counts the tokens of a response. A number is null if the service did not report it. */
	countTokens(input: number | null, output: number | null): void {
		this.run.countTokens(input, output);
	}

	/**
	 * Calls the service for this item, with the timeout, Max Retries and Max Wait of its options.
	 * @throws ServiceError
	 */
	async call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>> {
		const { client, policy } = await this.prepareCalls();
		const { budget, emptyExpressions, fieldFindings, fieldNames, sentTexts } = this.run;
		for (const findings of [emptyExpressions, fieldFindings, fieldNames]) findings.countItem(this.index);
		// An item that the service refuses has sent its text, too.
		if (request.effect === 'bill' && request.json !== undefined) sentTexts.add(this.index, request.json);
		const call = async () => await client.call(request, policy);
		const called = await (budget?.spend(policy.item, call) ?? call());
		if (request.effect === 'change') this.run.countChange('request');
		return called;
	}

	/**
	 * Returns the client and the item's policy, which all calls of the item share, because their waits count together against Max
	 * Wait. It rejects with a ParameterError or a CredentialError, which must fail an item that calls nothing, too.
	 */
	readonly prepareCalls = once(async (): Promise<{ client: ServiceClient; policy: CallPolicy }> => {
		const { run } = this;
		const { concurrency, maxRetries, maxWaitSeconds, timeoutMs } = run.options;
		// The whole run follows the first item's Concurrency, but a wrong one fails its own item.
		const options = { concurrency, maxRetries, maxWaitSeconds, timeoutMs };
		const values = this.readEach(options);
		const shared = run.beginCalls();
		const client = await run.client();
		return { client, policy: callPolicy(client, options, values, shared) };
	});
}

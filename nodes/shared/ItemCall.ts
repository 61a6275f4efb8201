import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { WaitBudget } from '../../client/limiter/WaitBudget';
import type { CallResult, ServiceClient, ServiceRequest } from '../../client/ServiceClient';
import { ParameterError } from './ParameterError';
import type { ParameterReader } from './ParameterReader';

/** What an operation sees of the one item it works for. */
export class ItemCall {
	private budget: WaitBudget | undefined;

	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly input: INodeExecutionData,
		/** Whether an AI Agent runs the node as its tool. */
		readonly asTool: boolean,
		readonly parameters: ParameterReader,
		private readonly defaultTimeoutMs: number,
		private readonly connect: () => Promise<ServiceClient>,
		/** Aborted when the execution is stopped, or another item's failure ends it. */
		readonly signal: AbortSignal,
	) {}

	/** The value of a parameter with its expressions resolved for this item. */
	parameter(name: string): unknown {
		return this.parameters.read(name, this.index);
	}

	/** Text as given; a number or boolean from an expression becomes text. */
	text(name: string): string {
		const value = this.parameter(name);
		if (value === undefined || value === null) return '';
		if (typeof value === 'object') throw new ParameterError(name, 'must be text');
		return String(value);
	}

	boolean(name: string): boolean {
		return this.parameter(name) === true;
	}

	/**
	 * A number within limits, both inclusive.
	 * @param fallback for a parameter that is not given
	 */
	number<Fallback extends number | undefined>(
		name: string,
		{ min, max, integer = false }: { min: number; max: number; integer?: boolean },
		fallback: Fallback,
	): number | Fallback {
		const value = this.parameter(name);
		if (value === undefined || value === null || value === '') return fallback;
		const number = typeof value === 'string' ? Number(value) : value;
		const isValid = typeof number === 'number' && number >= min && number <= max;
		if (!isValid || (integer && !Number.isInteger(number))) {
			const kind = integer ? 'a whole number' : 'a number';
			const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
			throw new ParameterError(name, `must be ${kind} ${range}`);
		}
		return number;
	}

	/** Whether a parameter is an expression as a whole, has expressions within a text, or is a fixed value. */
	expressionIn(name: string): 'none' | 'whole' | 'within' {
		const raw = this.parameters.raw(name);
		if (typeof raw !== 'string' || !raw.startsWith('=')) return 'none';
		return /^=\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s.test(raw) ? 'whole' : 'within';
	}

	/**
	 * Calls the service for this item, with the time-out, retries and longest wait of its options.
	 * @throws ServiceError
	 */
	async call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>> {
		const timeoutMs = this.number(
			'options.timeout',
			{ min: 1, max: 300_000, integer: true },
			this.defaultTimeoutMs,
		);
		const maxRetries = this.number('options.maxRetries', { min: 0, max: 10, integer: true }, 3);
		const maxWait = this.number('options.maxWait', { min: 0, max: Number.MAX_SAFE_INTEGER }, 300);
		// One for all calls of the item: its waits count together.
		this.budget ??= new WaitBudget(maxWait * 1000);
		const client = await this.connect();
		return await client.call(request, { timeoutMs, maxRetries, budget: this.budget, signal: this.signal });
	}
}

import { accumulateTokenUsage, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { ExecutionCalls } from '../../../client/limiter/ItemCalls';
import { RunAnswers } from '../../../client/answers/RunAnswers';
import type { CallPolicy, ServiceClient } from '../../../client/ServiceClient';
import type { TokenBudget } from '../service/TokenBudget';
import type { PaidOnce } from '../fields/paidOnceFields';
import { once } from '../fields/once';
import { Parameters } from '../fields/Parameters';
import type { ItemOptions } from '../fields/sharedFields';
import { createClient } from '../service/createClient';
import { processState } from '../service/processState';
import { sumKnown } from '../text/sumKnown';

const NEVER = new AbortController().signal;

/** One run of a node: what its items share. */
export class Execution {
	readonly items: INodeExecutionData[];

	readonly asTool: boolean;

	readonly parameters: Parameters;

	/** Aborted when a person or a time-out stops the execution. */
	private readonly canceled: AbortSignal;

	/** Aborted when the execution is stopped, or an item's failure ends the run: nothing new begins. */
	readonly signal: AbortSignal;

	/** What all its requests have in common at a rate limit. */
	readonly calls = new ExecutionCalls();

	/** Tokens that the service has reported so far; null if it has reported none. */
	readonly tokens: Record<'input' | 'output', number | null> = { input: null, output: null };

	/** Undefined as long as no item has needed one. */
	clientInUse: ServiceClient | undefined;

	private readonly stopping = new AbortController();

	/** Which answers it can reuse; undefined until something is sent, and if nothing is reused. */
	answers: RunAnswers | undefined;

	/** How many tokens it may use; undefined until something is sent, and for no limit. */
	budget: TokenBudget | undefined;

	/**
	 * @param options that all items of the node have
	 * @param paidOnce of a node whose requests cost money
	 */
	constructor(
		readonly context: IExecuteFunctions,
		readonly options: ItemOptions,
		private readonly paidOnce?: PaidOnce,
	) {
		// Some nodes output items without JSON, and the engine passes them on.
		this.items = context
			.getInputData()
			.map((item) => ((item.json as unknown) ? item : { ...item, json: {} }));
		// Agents of version 3 and later run a tool as an ordinary execution of the node type `<name>Tool`.
		this.asTool = context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
		this.parameters = Parameters.ofItems(context);
		this.canceled = context.getExecutionCancelSignal() ?? NEVER;
		this.signal = AbortSignal.any([this.stopping.signal, this.canceled]);
	}

	/** Ends the run after an item's failure. Requests in flight that are paid for end first. */
	stop(): void {
		this.stopping.abort();
	}

	/** Whether a hint may hold values of items: n8n does not redact hints. Versions without such a policy redact nothing. */
	get mayShowData(): boolean {
		return this.context.isConsoleOutputRedacted?.() !== true;
	}

	/**
	 * Counts the tokens of one request, and shows them in n8n's own display, which older versions lack. Anything but a whole
	 * number of 0 or more counts as none.
	 */
	countTokens(...told: [input: number | null, output: number | null]): void {
		const [input = null, output = null] = told.map((tokens) =>
			Number.isSafeInteger(tokens) && tokens! >= 0 ? tokens : null,
		);
		const used = (input ?? 0) + (output ?? 0);
		// Every answer takes tokens. A server that tells of 0 does not count them.
		if (used === 0 && this.budget) this.budget.untold++;
		if (input === null && output === null) return;
		this.tokens.input = sumKnown([this.tokens.input, input]);
		this.tokens.output = sumKnown([this.tokens.output, output]);
		this.budget?.count(used);
		accumulateTokenUsage?.(this.context, input ?? 0, output ?? 0);
	}

	/**
	 * One for the run, so that its items share what they learn of the service. It rejects with a CredentialError.
	 */
	readonly client = once(async (): Promise<ServiceClient> => {
		this.clientInUse = await createClient(this.context);
		return this.clientInUse;
	});

	/**
	 * How its requests are sent, by the options of the first item.
	 * @throws ParameterError
	 */
	readonly callPolicy = once((): Pick<CallPolicy, 'signal' | 'stopSignal' | 'answers'> => {
		const { asTool, context, options, paidOnce, parameters, canceled: signal, signal: stopSignal } = this;
		const { reuseAnswers, tokenBudget } = options;
		if (asTool || !paidOnce || !reuseAnswers || !tokenBudget) return { signal, stopSignal };
		const reuse = parameters.read(reuseAnswers, 0);
		const mostTokens = parameters.read(tokenBudget, 0);
		const { id: workflowId } = context.getWorkflow();
		const { id: nodeId } = context.getNode();
		const run = once(() => ({
			executionId: context.getExecutionId() || undefined,
			index: context.evaluateExpression('{{ $runIndex }}', 0),
		}));
		if (reuse !== 'never') {
			this.answers = new RunAnswers({
				store: workflowId ? processState.answers : undefined,
				owner: [workflowId ?? '', nodeId],
				run,
				isManual: context.getMode() === 'manual',
				shares: paidOnce.equalAnswers,
			});
		}
		if (mostTokens === undefined) return { signal, stopSignal, answers: this.answers };
		const { executionId, index } = run();
		const execution = executionId && JSON.stringify([workflowId, nodeId, executionId]);
		this.budget = processState.tokenBudgets.of(execution, index, mostTokens);
		return {
			signal,
			stopSignal: AbortSignal.any([stopSignal, this.budget.usedUp]),
			answers: this.answers,
		};
	});
}

import { accumulateTokenUsage, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { RunCalls } from '../../../client/limiter/RunCalls';
import { RunAnswers } from '../../../client/answers/RunAnswers';
import type { ServiceClient } from '../../../client/ServiceClient';
import { shorten } from '../../../client/values/shorten';
import type { TokenBudget } from '../service/TokenBudget';
import type { BillingRules } from '../fields/billingFields';
import { MAX_EXPRESSION_CHARS } from '../fields/expressionText';
import { pathFinder } from '../text/fieldPath';
import { once } from '../values/once';
import { Parameters } from '../fields/Parameters';
import type { ItemOptions } from '../fields/sharedFields';
import type { SharedPolicy } from '../service/callPolicy';
import { createClient } from '../service/createClient';
import { processState } from '../service/processState';
import { FieldFindings } from './FieldFindings';
import { ReplacedFields } from './ReplacedFields';
import { SentFindings } from './SentFindings';
import { SentTexts } from './SentTexts';
import { sumKnown } from '../values/sumKnown';

const NEVER_ABORTED = new AbortController().signal;

/** Counts what cannot be undone, and what a new run does again. */
export interface Changes {
	count: number;
	/** Names one of them: a request that changed something at the service, or a call of a connected tool. */
	what: 'request' | 'tool call';
}

/** Represents the state that all items share in one run of a node. */
export class RunContext {
	readonly items: INodeExecutionData[];

	/** Says whether an AI Agent or an MCP client runs the node as a tool. */
	readonly isTool: boolean;

	readonly parameters: Parameters;

	/** The signal is aborted when a person or the workflow's timeout stops the execution. */
	private readonly cancelSignal: AbortSignal;

	/** The signal is aborted when the execution is stopped, or an item's failure ends the run. Nothing new begins then. */
	readonly signal: AbortSignal;

	/** Holds the state that all calls of the run share at the rate limiters. */
	readonly calls = new RunCalls();

	/** Holds the tokens that the service has reported so far, each null if it has reported none. */
	readonly tokens: Record<'input' | 'output', number | null> = { input: null, output: null };

	/** Counts the expressions without a value, with their places, such as `{{ $json.company }} in Message 1`. */
	readonly emptyExpressions = new SentFindings();

	/** Counts the texts without expressions that only name a field, each as a JSON list of the text and the keys of the field. */
	readonly fieldNames = new SentFindings();

	/** Counts what was found of the fields that are sent. */
	readonly fieldFindings = new FieldFindings();

	readonly replacedFields = new ReplacedFields();

	readonly sentTexts = new SentTexts();

	private foundExpressions: string[] | undefined;

	/** Holds the functions that find a field in an item, by the field's name. */
	private readonly finders = new Map<string, ReturnType<typeof pathFinder>>();

	private changeCount = 0;

	private changedBy: Changes['what'] = 'request';

	private madeClient: ServiceClient | undefined;

	private readonly stopController = new AbortController();

	private runAnswers: RunAnswers | undefined;

	private tokenBudget: TokenBudget | undefined;

	/**
	 * Begins a run, without reading a parameter: a wrong one must fail its own item.
	 * @param options the option fields that every item of the node has
	 * @param billing undefined for a node whose requests cost nothing
	 */
	constructor(
		readonly context: IExecuteFunctions,
		readonly options: ItemOptions,
		private readonly billing?: BillingRules,
	) {
		// Some nodes output items without `json`, and the engine passes them on.
		this.items = context
			.getInputData()
			.map((item) => ((item.json as unknown) ? item : { ...item, json: {} }));
		// The Agent node of version 3 and later runs a tool as an ordinary execution of the node type `<name>Tool`.
		this.isTool = context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
		this.parameters = Parameters.ofItems(context, (itemIndex, { entry, label }, expression, finding) => {
			if (finding !== 'empty') {
				this.fieldFindings.add(itemIndex, finding, [expression]);
				return;
			}
			const shown = shorten(expression, MAX_EXPRESSION_CHARS);
			this.emptyExpressions.add(itemIndex, `${shown} in ${entry ?? label}`);
		});
		this.cancelSignal = context.getExecutionCancelSignal() ?? NEVER_ABORTED;
		this.signal = AbortSignal.any([this.stopController.signal, this.cancelSignal]);
	}

	/** Holds the client of the run. It is undefined until an item needs it. */
	get createdClient(): ServiceClient | undefined {
		return this.madeClient;
	}

	/** Holds the answers that the run can reuse. It is undefined until an item calls the service, and if nothing is reused. */
	get answers(): RunAnswers | undefined {
		return this.runAnswers;
	}

	/** Holds the token budget of the run. It is undefined until an item calls the service, and if there is no budget. */
	get budget(): TokenBudget | undefined {
		return this.tokenBudget;
	}

	/** Returns the keys that lead to a field in an item, or undefined if the item has no such field. */
	findPath(name: string, json: object): string[] | undefined {
		const find = this.finders.get(name) ?? pathFinder(name);
		this.finders.set(name, find);
		return find(json);
	}

	/** Ends the run after an item's failure. Billed requests that are in flight still finish. */
	stop(): void {
		this.stopController.abort();
	}

	/**
	 * Says whether a hint may contain values of items. n8n does not redact hints, so it depends on whether the execution's data
	 * is redacted. Older versions redact nothing.
	 */
	get mayShowData(): boolean {
		return this.context.isConsoleOutputRedacted?.() !== true;
	}

	/** Counts the tokens of one request. A number that is negative or not whole counts as not reported. */
	countTokens(...reported: [input: number | null, output: number | null]): void {
		const [input = null, output = null] = reported.map((tokens) =>
			Number.isSafeInteger(tokens) && tokens! >= 0 ? tokens : null,
		);
		const used = (input ?? 0) + (output ?? 0);
		this.budget?.count(used);
		if (input === null && output === null) return;
		this.tokens.input = sumKnown([this.tokens.input, input]);
		this.tokens.output = sumKnown([this.tokens.output, output]);
	}

	/** Shows the tokens of the run in n8n's own display, which older versions lack. */
	showTokens(): void {
		const { input, output } = this.tokens;
		if (input !== null || output !== null) accumulateTokenUsage?.(this.context, input ?? 0, output ?? 0);
	}

	/**
	 * Returns all expressions in what is sent, which are the same for all items.
	 * @param find finds them for the first item
	 */
	sentExpressions(find: () => string[]): string[] {
		this.foundExpressions ??= find();
		return this.foundExpressions;
	}

	/** Counts what a new run would do a second time. */
	get changes(): Changes {
		return { count: this.changeCount, what: this.changedBy };
	}

	/** Counts a request that changed something at the service, or a call of a connected tool. */
	countChange(what: Changes['what']): void {
		this.changeCount++;
		this.changedBy = what;
	}

	/** Counts the changes of earlier tries of the same pass, which failed afterwards, so that this try has made them again. */
	get earlierChanges(): number {
		return processState.changes.get(this.pass()) ?? 0;
	}

	/** Remembers the changes of a try that fails, because n8n may try again. */
	rememberChanges(): void {
		if (this.changeCount > 0) processState.changes.set(this.pass(), this.earlierChanges + this.changeCount);
	}

	/** Identifies the node and its pass in the execution. */
	private pass(): string {
		const { context, runIndex } = this;
		return JSON.stringify([
			context.getWorkflow().id,
			context.getNode().id,
			context.getExecutionId(),
			runIndex,
		]);
	}

	/** Tells the passes of a loop apart. All tries of a pass have the same. */
	private get runIndex(): unknown {
		return this.context.evaluateExpression('{{ $runIndex }}', 0);
	}

	/** Counts the earlier passes of a loop, if the node is paid for its answers. */
	get earlierPasses(): number {
		const { runIndex } = this;
		return this.billing && !this.isTool && typeof runIndex === 'number' ? runIndex : 0;
	}

	/** Returns the client that all items of the run share. It rejects with a CredentialError. */
	readonly client = once(async (): Promise<ServiceClient> => {
		this.madeClient = await createClient(this.context);
		return this.madeClient;
	});

	/**
	 * Makes `answers` and `budget`, which follow the options of the first item, before the first call.
	 * @returns the parts of the call policy that all items share
	 * @throws ParameterError
	 */
	readonly beginCalls = once((): SharedPolicy => {
		const { isTool, context, options, billing, parameters, calls } = this;
		const { cancelSignal: signal, signal: stopSignal } = this;
		const { reuseAnswers, tokenBudget } = options;
		if (isTool || !billing || !reuseAnswers || !tokenBudget) return { calls, signal, stopSignal };
		const reuse = parameters.read(reuseAnswers, 0);
		const maxTokens = parameters.read(tokenBudget, 0);
		const { id: workflowId } = context.getWorkflow();
		const { id: nodeId } = context.getNode();
		const run = once(() => ({
			executionId: context.getExecutionId() || undefined,
			index: this.runIndex,
		}));
		if (reuse !== 'never') {
			this.runAnswers = new RunAnswers({
				store: workflowId ? processState.answers : undefined,
				owner: [workflowId ?? '', nodeId],
				run,
				isManual: context.getMode() === 'manual',
				shares: billing.sharesEqualRequests,
			});
		}
		if (maxTokens === undefined) return { calls, signal, stopSignal, answers: this.answers };
		const { executionId, index } = run();
		const nodeInExecution = executionId && JSON.stringify([workflowId, nodeId, executionId]);
		this.tokenBudget = processState.tokenBudgets.budgetFor(nodeInExecution, index, maxTokens);
		return {
			calls,
			signal,
			stopSignal: AbortSignal.any([stopSignal, this.tokenBudget.usedUp]),
			answers: this.answers,
		};
	});
}

import type { ItemCalls } from '../../../client/limiter/ItemCalls';
import { ServiceError } from '../../../client/ServiceError';
import { LatestMap } from '../values/LatestMap';

/** The usage of this many executions is kept, because others may run between two tries of one. */
const MAX_EXECUTIONS = 1000;

/** By this abort reason, a budget tells a call that it has ended from one that somebody else has stopped. */
const USED_UP = new Error('The token budget is used up');

/** Describes the tokens that a node has used in one execution. */
interface TokenUsage {
	/** Counts the tokens of all tries and passes together. */
	used: number;
	/** Holds the tokens that earlier passes of a loop used. */
	usedBefore: number;
	/** Identifies the current pass of a loop. */
	pass: unknown;
}

/** Limits the tokens that a node uses in one execution, in all tries and passes of a loop together. */
export class TokenBudget {
	private uncountedAnswers = 0;

	private readonly usedUpController = new AbortController();

	private activeCalls = 0;

	private idleWaiters: Array<() => void> = [];

	/**
	 * Makes a budget that goes on from what the execution has used.
	 * @param maxTokens the limit for input and output tokens together
	 */
	constructor(
		private readonly maxTokens: number,
		private readonly usage: TokenUsage,
	) {
		this.check();
	}

	/** Counts the answers for which the service reported no token usage. */
	get answersWithoutUsage(): number {
		return this.uncountedAnswers;
	}

	/** The signal is aborted when the budget is used up. Nothing more is sent then. */
	get usedUp(): AbortSignal {
		return this.usedUpController.signal;
	}

	/**
	 * Counts one response.
	 * @param tokens the tokens that the service reported for one response. Every answer uses tokens, so 0 means that it counts none.
	 */
	count(tokens: number): void {
		if (tokens === 0) this.uncountedAnswers++;
		this.usage.used += tokens;
		this.check();
	}

	/**
	 * Makes a call within the budget. If the budget is used up before the call is sent, it fails only after all other calls have
	 * ended, so that the error can give the final number of tokens.
	 * @param item the calls of the item that makes this one
	 * @throws ServiceError
	 */
	async spend<Result>(item: ItemCalls, call: () => Promise<Result>): Promise<Result> {
		this.activeCalls++;
		try {
			return await call().finally(() => this.endCall());
		} catch (error) {
			if (error !== USED_UP) return await Promise.reject(error);
			if (this.activeCalls > 0) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
			const { attempts, mayHaveBegun, traceId, waitedMs } = item;
			const { message } = this;
			const known = { attempts, mayHaveBegun, traceId, waitedMs };
			const facts = { kind: 'budget', message, effect: 'bill', ...known } as const;
			// The linter allows a node to throw no errors but n8n's own.
			return await Promise.reject(new ServiceError(facts));
		}
	}

	private endCall(): void {
		this.activeCalls--;
		if (this.activeCalls === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
	}

	private get message(): string {
		const { used, usedBefore } = this.usage;
		const earlier =
			usedBefore > 0 ? `, ${usedBefore} of them by earlier passes of a loop, whose answers are not kept` : '';
		return `The token budget of ${this.maxTokens} is used up: ${used} tokens were used${earlier}`;
	}

	private check(): void {
		if (this.usage.used < this.maxTokens || this.usedUp.aborted) return;
		this.usedUpController.abort(USED_UP);
	}
}

/** Remembers the token usage of nodes beyond a run, so that a budget covers all tries and passes of an execution. */
export class TokenBudgets {
	private readonly usage = new LatestMap<string, TokenUsage>(MAX_EXECUTIONS);

	/**
	 * Returns the budget of a node in an execution, with what earlier tries and passes have used.
	 * @param execution identifies the node and its execution. Undefined if the execution is not known.
	 * @param pass identifies the pass of a loop; all tries of a pass have the same
	 */
	budgetFor(execution: string | undefined, pass: unknown, maxTokens: number): TokenBudget {
		const usage = this.usage.get(execution ?? '') ?? { used: 0, usedBefore: 0, pass };
		if (usage.pass !== pass) Object.assign(usage, { pass, usedBefore: usage.used });
		if (execution !== undefined) this.usage.set(execution, usage);
		return new TokenBudget(maxTokens, usage);
	}
}

import type { ItemCalls } from '../../../client/limiter/ItemCalls';
import { ServiceError } from '../../../client/ServiceError';

/** How many executions are remembered, because others may begin between two tries of one. The oldest are forgotten first. */
const MAX_EXECUTIONS = 1000;

/** The reason with which a used-up budget ends calls. */
const USED_UP = new Error('The token budget is used up');

/** What a node has used in one execution, in tokens. */
interface Spent {
	used: number;
	/** By passes of a loop before the present one. */
	usedBefore: number;
	pass: unknown;
}

/** How many tokens a node may use in one execution, in all tries and passes. */
export class TokenBudget {
	/** Answers without token usage. */
	untold = 0;

	private readonly spending = new AbortController();

	private calls = 0;

	private whenIdle: Array<() => void> = [];

	/** @param limit in tokens, input and output together */
	constructor(
		private readonly limit: number,
		private readonly spent: Spent,
	) {
		this.check();
	}

	/** Aborted when the budget is used up: nothing more is sent. */
	get usedUp(): AbortSignal {
		return this.spending.signal;
	}

	/** @param tokens that the service reported */
	count(tokens: number): void {
		this.spent.used += tokens;
		this.check();
	}

	/**
	 * Makes a call that counts. If the budget keeps it from being sent, it fails when all others have ended, and says what was
	 * used by then.
	 * @param item that makes it
	 * @throws ServiceError
	 */
	async spend<Result>(item: ItemCalls, call: () => Promise<Result>): Promise<Result> {
		this.calls++;
		try {
			return await call().finally(() => this.endCall());
		} catch (error) {
			if (error !== USED_UP) return await Promise.reject(error);
			if (this.calls > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
			const { attempts, mayHaveBegun, traceId } = item;
			const { message } = this;
			const facts = { kind: 'budget', message, effect: 'bill', attempts, mayHaveBegun, traceId } as const;
			// The linter allows a node to throw no errors but n8n's own.
			return await Promise.reject(new ServiceError(facts));
		}
	}

	private endCall(): void {
		this.calls--;
		if (this.calls === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
	}

	private get message(): string {
		const { used, usedBefore } = this.spent;
		const earlier =
			usedBefore > 0 ? `, ${usedBefore} of them by earlier passes of a loop, whose answers are not kept` : '';
		return `The token budget of ${this.limit} is used up: ${used} tokens were used${earlier}`;
	}

	private check(): void {
		if (this.spent.used < this.limit || this.usedUp.aborted) return;
		this.spending.abort(USED_UP);
	}
}

/** What nodes have used, by execution. */
export class TokenBudgets {
	private readonly spent = new Map<string, Spent>();

	/**
	 * @param execution identifies the node in its execution; undefined if tries cannot be told apart
	 * @param pass the same for all tries of one pass
	 */
	of(execution: string | undefined, pass: unknown, limit: number): TokenBudget {
		const spent = this.spent.get(execution ?? '') ?? { used: 0, usedBefore: 0, pass };
		if (spent.pass !== pass) Object.assign(spent, { pass, usedBefore: spent.used });
		if (execution !== undefined) this.remember(execution, spent);
		return new TokenBudget(limit, spent);
	}

	private remember(execution: string, spent: Spent): void {
		this.spent.delete(execution);
		this.spent.set(execution, spent);
		const [oldest] = this.spent.keys();
		if (this.spent.size > MAX_EXECUTIONS) this.spent.delete(oldest!);
	}
}

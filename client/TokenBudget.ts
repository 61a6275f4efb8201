import { ServiceError } from './ServiceError';

/** How many budgets are remembered, because other runs may begin between two tries of one run. The oldest are forgotten first. */
const MOST_RUNS = 1000;

/** How many tokens one run of a node may use, in all its tries. */
export class TokenBudget {
	private readonly spending = new AbortController();

	private used = 0;

	/** @param limit in tokens, input and output together */
	constructor(readonly limit: number) {}

	/** Aborted when the budget is used up. The reason is the ServiceError of what is not sent any more. */
	get usedUp(): AbortSignal {
		return this.spending.signal;
	}

	/** @param tokens that the service reported */
	count(tokens: number): void {
		this.used += tokens;
		if (this.used < this.limit || this.usedUp.aborted) return;
		const message = `The token budget of ${this.limit} is used up: ${this.used} tokens were used`;
		this.spending.abort(new ServiceError({ kind: 'budget', message }));
	}
}

/** The budgets of runs, the same for all tries of one. */
export class TokenBudgets {
	private readonly ofRuns = new Map<string, TokenBudget>();

	/** @param run undefined if tries cannot be told */
	ofRun(run: string | undefined, limit: number): TokenBudget {
		const budget = new TokenBudget(limit);
		if (run === undefined) return budget;
		const known = this.ofRuns.get(run);
		if (known?.limit === limit) return known;
		this.ofRuns.set(run, budget);
		for (const oldest of this.ofRuns.keys()) {
			if (this.ofRuns.size <= MOST_RUNS) break;
			this.ofRuns.delete(oldest);
		}
		return budget;
	}
}

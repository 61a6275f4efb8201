import { LoggerProxy } from 'n8n-workflow';

import { AnswerStore } from '../../../client/answers/AnswerStore';
import type { Waiting } from '../../../client/limiter/Limiter';
import { LimiterRegistry, type LimitScope } from '../../../client/limiter/LimiterRegistry';
import { TokenBudgets } from './TokenBudget';
import { countOf } from '../text/wording';
import { clock } from './clock';

/**
 * Everything of this package that outlives an execution. All nodes of the process share it, because n8n makes a new node for
 * every run, and a restart forgets it. With "Reuse Connections", Node's own fetch keeps connections too.
 */
export interface ProcessState {
	/** What is known of each rate limit, by base URL, key and model: one for each, until ten minutes after its last request. */
	limiters: LimiterRegistry;
	/** Answers of runs that failed, by workflow and node: at most 10,000 and 32 MiB, for an hour after the run. */
	answers: AnswerStore;
	/** What nodes with a token budget used, for tries and passes: the last 1,000 executions, the oldest goes first. */
	tokenBudgets: TokenBudgets;
	/** Static data that a poll has used, until n8n drops it: it makes a new object whenever a workflow starts to listen. */
	polledData: WeakSet<object>;
}

/** Tests begin with a new one. */
export function newProcessState(): ProcessState {
	return {
		limiters: new LimiterRegistry({ clock, random: Math.random, onWaiting: log }),
		answers: new AnswerStore(),
		tokenBudgets: new TokenBudgets(),
		polledData: new WeakSet(),
	};
}

export const processState = newProcessState();

/** A wait of minutes must not look like a node that hangs. */
function log(
	{ phase, waitedMs, queued, limit }: Waiting,
	{ baseUrl, modelOrEndpoint }: Omit<LimitScope, 'apiKey'>,
): void {
	const cause = limit ? `the ${limit} rate limit` : 'a rate limit, or an overloaded service';
	const seconds = Math.round(waitedMs / 1000);
	const what = {
		begins: `Waiting for ${cause}: ${countOf(queued, 'request')} queued`,
		continues: `Still waiting for ${cause} after ${seconds} s: ${countOf(queued, 'request')} queued`,
		ends: `No longer waiting for ${cause}, after ${seconds} s`,
	};
	LoggerProxy.info(`${what[phase]} (${modelOrEndpoint} at ${new URL(baseUrl).host})`);
}

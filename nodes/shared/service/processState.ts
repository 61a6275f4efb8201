import { LoggerProxy } from 'n8n-workflow';

import { AnswerStore } from '../../../client/answers/AnswerStore';
import type { Waiting } from '../../../client/limiter/WaitReport';
import { LimiterRegistry, type LimitScope } from '../../../client/limiter/LimiterRegistry';
import { ConnectionMemory } from './ConnectionMemory';
import { TokenBudgets } from './TokenBudget';
import { countOf } from '../text/wording';
import { LatestMap } from '../values/LatestMap';
import { clock } from './clock';

/** The changes in this many executions are kept, because others may run between two tries of one. */
const MAX_EXECUTIONS = 1000;

/** Makes an empty state. It is exported because each test begins with a new one. */
export function newProcessState() {
	return {
		/**
		 * Holds the rate limiters, one for each base URL, key and model. They are dropped ten minutes after their last request.
		 */
		limiters: new LimiterRegistry({ clock, random: Math.random, onWaiting: logWaiting }),
		/**
		 * Holds the answers of failed runs, by workflow and node: at most 10,000 answers and 32 MiB, for an hour after the run.
		 */
		answers: new AnswerStore(),
		/** Holds the token usage of nodes with a token budget, in the latest executions. */
		tokenBudgets: new TokenBudgets(),
		/** Counts the changes that failed tries made at the service, by node and pass, in the latest executions. */
		changes: new LatestMap<string, number>(MAX_EXECUTIONS),
		/** Holds the connections of nodes with several outputs, as of their latest executions. */
		connections: new ConnectionMemory(),
		/**
		 * Holds the static data objects that a poll has used. n8n makes a new object whenever a workflow starts to listen, so an
		 * object that is not in this set may lack what earlier polls have changed.
		 */
		polledData: new WeakSet<object>(),
	};
}

/**
 * This is everything that this package keeps in memory beyond an execution. All nodes of the process share it, because n8n makes
 * a new node object for every run. A restart clears it. With "Reuse Connections", Node's fetch also keeps connections.
 */
export const processState = newProcessState();

/** Logs long waits, because otherwise a node that waits for minutes would seem to hang. */
function logWaiting(
	{ phase, waitedMs, queued, limit }: Waiting,
	{ baseUrl, modelOrEndpoint }: LimitScope,
): void {
	const cause = limit ? `the ${limit} rate limit` : 'a rate limit, or a service that is overloaded or down';
	const seconds = Math.round(waitedMs / 1000);
	const what = {
		begins: `Waiting for ${cause}: ${countOf(queued, 'request')} queued`,
		continues: `Still waiting for ${cause} after ${seconds} s: ${countOf(queued, 'request')} queued`,
		ends: `No longer waiting for ${cause}, after ${seconds} s`,
	};
	LoggerProxy.info(`${what[phase]} (${modelOrEndpoint} at ${new URL(baseUrl).host})`);
}

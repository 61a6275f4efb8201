import { LoggerProxy } from 'n8n-workflow';

import type { Waiting } from '../../../client/limiter/Limiter';
import { LimiterRegistry, type LimitScope } from '../../../client/limiter/LimiterRegistry';
import { clock } from './clock';

/** One registry for the process: what one execution learns of a limit applies to all. */
export const limiters = new LimiterRegistry({ clock, random: Math.random, onWaiting: log });

/** A wait of minutes must not look like a node that hangs. */
function log(
	{ phase, waitedMs, queued, limit }: Waiting,
	{ baseUrl, modelOrEndpoint }: Omit<LimitScope, 'apiKey'>,
): void {
	const cause = limit ? `the rate limit ${limit}` : 'a rate limit, or an overloaded service';
	const seconds = Math.round(waitedMs / 1000);
	const what = {
		begins: `Waiting for ${cause}: ${queued} requests`,
		continues: `Still waiting for ${cause} after ${seconds} s: ${queued} requests`,
		ends: `No longer waiting for ${cause}, after ${seconds} s`,
	};
	LoggerProxy.info(`${what[phase]} (${modelOrEndpoint} at ${new URL(baseUrl).host})`);
}

import { LoggerProxy } from 'n8n-workflow';

import type { Waiting } from '../../../client/limiter/Limiter';
import { LimiterRegistry, type LimitScope } from '../../../client/limiter/LimiterRegistry';
import { countOf } from '../text/countOf';
import { clock } from './clock';

/** One registry for the process: what one execution learns of a limit applies to all. */
export const limiters = new LimiterRegistry({ clock, random: Math.random, onWaiting: log });

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

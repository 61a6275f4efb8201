import { limiter, type Design } from './design';
import type { Weather } from './randomWeather';
import { simulate } from './simulate';
import { worstSpan } from './worstSpan';

const MINUTE_MS = 60_000;

/** By then, the limiter should have learned the limit. */
const LEARNING_MS = 5 * MINUTE_MS;

const PLACES_OF_SPAN = 100;

const LEAST_SHARE = 0.5;

const MOST_STARTS_BEFORE_FORM = 2;

const MAX_WAIT_MS = 300_000;

/** Simulates a weather, and lists what the limiter did that it must never do. */
export async function findComplaints(
	{ scenario, exceptMs, windowMs, perMinute, isPlain }: Weather,
	seed: number,
	design: Design = limiter,
): Promise<string[]> {
	const complaints: string[] = [];
	let outcome;
	try {
		outcome = await simulate(scenario, seed, design);
	} catch (error) {
		return [`threw: ${(error as Error).message}`];
	}
	const { admittedMs, ideal, pausesMs, demandEndsMs } = outcome;
	if (outcome.longestWaitMs > MAX_WAIT_MS + 1000) complaints.push(`a wait of ${outcome.longestWaitMs} ms`);
	if (!scenario.othersPerMinute && outcome.pendingTimers > 0) complaints.push('a timer is left');
	if (outcome.startsBeforeForm > MOST_STARTS_BEFORE_FORM) {
		complaints.push(`${outcome.startsBeforeForm} starts before a form`);
	}
	const range = { fromMs: LEARNING_MS, untilMs: demandEndsMs, exceptMs };
	const bound = ideal.admissionsMs(demandEndsMs, pausesMs);
	const placesMs = (PLACES_OF_SPAN * MINUTE_MS) / perMinute;
	const placesSpanMs = windowMs === 0 ? placesMs : Math.max(2, Math.ceil(placesMs / windowMs)) * windowMs;
	for (const spanMs of [LEARNING_MS, placesSpanMs]) {
		const worst = worstSpan(admittedMs, bound, spanMs, range);
		if (worst < LEAST_SHARE) {
			complaints.push(`a span of ${Math.round(spanMs / 1000)} s at ${worst.toFixed(2)}`);
		}
	}
	if (isPlain && exceptMs.length === 0) {
		const after = (timesMs: number[]) =>
			timesMs.filter((atMs) => atMs > LEARNING_MS && atMs <= demandEndsMs).length;
		const share = after(admittedMs) / after(ideal.admissionsMs(demandEndsMs));
		if (share < LEAST_SHARE) {
			complaints.push(`after five minutes ${share.toFixed(2)} in all, though no refusal was needed`);
		}
	}
	return complaints;
}

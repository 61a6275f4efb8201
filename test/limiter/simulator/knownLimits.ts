import type { Scenario } from './Scenario';
import { LIMITS } from './ServiceLimit';

/** Holds the most that the time may be, in seconds or as a multiple of the ideal sender's time. */
export type MostTime = { seconds: number } | { times: number };

/** Describes a limit that somebody met, with fixed numbers, and what the limiter should reach at it. */
export interface KnownLimit {
	name: string;
	scenario: Scenario;
	/** Says what the time should be at most, as the median of several runs. */
	goal: MostTime;
	/** Holds the share of the requests that should be refused at most. */
	refused?: number;
	/** Says what the time is at most, where the goal is missed, and why it is. */
	missed?: { time: MostTime; why: string };
}

const untilWholeSecond = (leftMs: number) => Math.ceil(leftMs / 1000) * 1000;

const bucket = (perMinute: number, burst: number) => (_: number, share: number) =>
	LIMITS.bucket({ perMinute: () => perMinute * share, burst, windowMs: 60_000, edgeMs: 0 });

const none = () => LIMITS.none();

const runOf = (items: number, changes: Partial<Scenario> & Pick<Scenario, 'limit'>): Scenario => ({
	name: '',
	runs: [{ beginMs: 0, items, concurrency: 8 }],
	processesMs: [0],
	latencyMs: 50,
	maxWaitMs: 3_600_000,
	...changes,
});

const once: Scenario['mishap'] = ({ index }) =>
	index === 8 ? { status: 429, retryAfterMs: 1000 } : undefined;

const outage =
	(untilMs: number, status: 502 | undefined): Scenario['mishap'] =>
	({ atMs }) =>
		atMs < untilMs ? { status } : undefined;

const atMostFive: Omit<Scenario, 'name' | 'runs' | 'processesMs' | 'maxWaitMs'> = {
	limit: none,
	latencyMs: 300,
	mostInFlight: 5,
	mishap: ({ inFlight }) => (inFlight > 5 ? { status: 429 } : undefined),
};

export const KNOWN_LIMITS: KnownLimit[] = [
	{
		name: 'one 429 with Retry-After: 1 at the ninth of 60 requests',
		scenario: runOf(60, { limit: none, latencyMs: 60, mishap: once }),
		goal: { seconds: 4 },
	},
	{
		name: 'one such 429 that comes before any answer',
		scenario: runOf(60, { limit: none, latencyMs: 60, refusalMs: 4, mishap: once }),
		goal: { seconds: 4 },
	},
	{
		name: 'one such 429 in 1,000 items',
		scenario: runOf(1000, { limit: none, latencyMs: 60, mishap: once }),
		goal: { times: 1.25 },
	},
	...[20, 60, 120].flatMap((perMinute): KnownLimit[] => [
		{
			name: `a burst of ${perMinute}, then ${perMinute} a minute`,
			scenario: runOf(2.7 * perMinute, { limit: bucket(perMinute, perMinute) }),
			goal: { times: 1.15 },
			refused: 0.2,
		},
		{
			name: `a burst of ${perMinute}, then ${perMinute} a minute, with an exact Retry-After`,
			scenario: runOf(2.7 * perMinute, { limit: bucket(perMinute, perMinute), header: untilWholeSecond }),
			goal: { times: 1.15 },
			refused: 0.2,
		},
	]),
	{
		name: 'two models in turn, each with a burst of 60, then 60 a minute',
		scenario: runOf(320, { limit: bucket(60, 60), models: 2 }),
		goal: { times: 1.15 },
		refused: 0.2,
	},
	{
		name: 'two models in turn, each with a burst of 60, then 60 a minute, with an exact Retry-After',
		scenario: runOf(320, { limit: bucket(60, 60), models: 2, header: untilWholeSecond }),
		goal: { times: 1.15 },
		refused: 0.2,
	},
	{
		name: 'two models in turn, each with 10 a second and a burst of 10',
		scenario: runOf(1200, { limit: bucket(600, 10), models: 2 }),
		goal: { times: 1.15 },
		refused: 0.2,
	},
	{
		name: '10 a second without a burst, of which another client takes 30%',
		scenario: runOf(3000, { limit: bucket(600, 1), other: { perMinute: 180, share: 0.3 } }),
		goal: { times: 3 },
	},
	{
		name: '10 a second without a burst, of which another client takes 30%, with a Retry-After in whole seconds',
		scenario: runOf(1000, {
			limit: bucket(600, 1),
			other: { perMinute: 180, share: 0.3 },
			header: untilWholeSecond,
		}),
		goal: { times: 3 },
		missed: {
			time: { times: 7 },
			why: 'Three requests in ten are refused at most rates, so 1,000 answers cost over 400 pauses of a second: three times the ideal before anything is learned',
		},
	},
	{
		name: '60 a minute without a burst, of which another client takes 30%',
		scenario: runOf(300, { limit: bucket(60, 1), other: { perMinute: 18, share: 0.3 } }),
		goal: { times: 2 },
	},
	{
		name: '60 a minute without a burst for two processes',
		scenario: runOf(150, { limit: bucket(60, 1), processesMs: [0, 50] }),
		goal: { times: 1.6 },
		missed: {
			time: { times: 2.3 },
			why: 'Without a burst, requests of two processes meet by chance at any rate, and each process takes minutes to notice',
		},
	},
	...[
		{ perMinute: 85, restMs: 15_000 },
		{ perMinute: 150, restMs: 5000 },
	].map(({ perMinute, restMs }): KnownLimit => ({
		name: `${perMinute} in a window of a minute, of which ${restMs} ms are left, for four processes that start a second apart`,
		scenario: runOf(perMinute, {
			limit: (beginMs) =>
				LIMITS.fixed({ perMinute: () => perMinute, burst: 1, windowMs: 60_000, edgeMs: beginMs + restMs }),
			processesMs: [0, 1000, 2000, 3000],
			latencyMs: 130,
		}),
		goal: { times: 1.2 },
	})),
	{
		name: '5 a second without a burst, with a Retry-After in whole seconds',
		scenario: runOf(300, { limit: bucket(300, 1), header: untilWholeSecond }),
		goal: { times: 1.3 },
		missed: {
			time: { times: 1.45 },
			why: 'Each refusal costs a whole second, in which five requests would have got through, and the first five seconds find the rate',
		},
	},
	{
		name: '20 a second with a burst of 10, with a Retry-After in whole seconds',
		scenario: runOf(1000, { limit: bucket(1200, 10), header: untilWholeSecond }),
		goal: { times: 1.3 },
	},
	{
		name: 'at most 5 in flight, with refusals at once',
		scenario: runOf(300, { ...atMostFive, refusalMs: 5 }),
		goal: { times: 1.5 },
	},
	{
		name: 'at most 5 in flight, with refusals that take as long as answers',
		scenario: runOf(300, atMostFive),
		goal: { times: 1.5 },
		missed: {
			time: { times: 1.75 },
			why: 'A refusal that takes 300 ms is known only after the next requests have started, and takes a place until then',
		},
	},
	{
		name: 'one item in ten always refused with Retry-After: 1',
		scenario: runOf(300, {
			limit: none,
			isRefused: (item) => item % 10 === 3,
			refusedItemsHeaderMs: 1000,
			maxWaitMs: 300_000,
		}),
		// Such items are never in flight together, so that nothing is sent during 29 pauses of a second.
		goal: { seconds: 38 },
	},
	{
		name: 'one item in ten always refused with Retry-After: 1, some next to each other',
		scenario: runOf(300, {
			limit: none,
			isRefused: (item) => (item * 7919) % 101 < 10,
			refusedItemsHeaderMs: 1000,
			maxWaitMs: 300_000,
		}),
		goal: { seconds: 28 },
	},
	{
		name: 'one item in ten always refused with Retry-After: 1, and 10 a second with a burst of 10',
		scenario: runOf(600, {
			limit: bucket(600, 10),
			header: untilWholeSecond,
			isRefused: (item) => item % 10 === 3,
			refusedItemsHeaderMs: 1000,
			maxWaitMs: 300_000,
		}),
		goal: { times: 1.5 },
	},
	{
		name: 'connections refused for 5 s',
		scenario: runOf(300, { limit: none, refusalMs: 2, mishap: outage(5000, undefined) }),
		goal: { seconds: 12 },
	},
	{
		name: '502 for 30 s',
		scenario: runOf(300, { limit: none, mishap: outage(30_000, 502) }),
		goal: { seconds: 40 },
	},
];

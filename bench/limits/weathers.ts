import { exact, row, type Kind, type Row, type RowOptions } from './row';
import type { Arrival, ExecutionPlan } from './simulate';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Gives rows of one kind the same group. */
export function group(name: string, rows: RowOptions[]): Row[] {
	return rows.map((options) => row({ ...options, group: name }));
}

/**
 * Another client that takes a share of the limit, whoever else uses it. If it tries only once and the bucket has no
 * burst, it gets nothing for some time after each of our requests, whatever our pace: it loses what we take.
 */
export function beside(options: RowOptions & { share: number }): RowOptions {
	const { share, ...rest } = options;
	const isExcluded = options.burst === 1 && !options.othersTryAgain;
	return {
		...rest,
		othersPerMinute: options.perMinute * share,
		leftToOthers: share,
		label: `${options.label ?? ''}, another takes ${100 * share}%${options.othersTryAgain ? ' and tries again' : ''}`,
		spans: true,
		goal: { time: 1 / 0.7, refused: 1 / 3, othersShare: isExcluded ? share : 0.8, worstSpan: 0.7 },
	};
}

/** One in this many items is refused, whatever the limit is. */
export function everyPoisoned(each: number) {
	return (item: number): boolean => item % each === Math.floor(each / 3);
}

/** Refuses a share of all requests. */
export function atRandom(share: number, status: 429 | 503 = 429) {
	return ({ random }: Arrival) => (random() < share ? status : undefined);
}

/** Refuses requests while more than this many are in flight. */
export function beyond(most: number, status: 429 | 503 = 429) {
	return ({ inFlight }: Arrival) => (inFlight > most ? status : undefined);
}

/** Refuses everything for a while. */
export function between(fromMs: number, untilMs: number, status: 429 | 503) {
	return ({ atMs }: Arrival) => (atMs >= fromMs && atMs < untilMs ? status : undefined);
}

/** Single items, one after the other. */
export function forms(count: number, everyMs: number, options: Partial<ExecutionPlan> = {}): ExecutionPlan[] {
	return Array.from({ length: count }, (_, index) => ({
		beginMs: (index + 1) * everyMs,
		items: 1,
		concurrency: 1,
		...options,
	}));
}

const normal = (random: () => number) =>
	Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A number with this mean, at most the bound. The larger the spread, the heavier the tail. */
export function logNormal(mean: number, spread: number, most: number) {
	return (random: () => number): number =>
		Math.min(most, Math.ceil(Math.exp(Math.log(mean) - spread ** 2 / 2 + spread * normal(random))));
}

/** A number with this mean, at most the bound. The smaller the exponent (above 1), the heavier the tail. */
export function pareto(mean: number, exponent: number, most: number) {
	const least = (mean * (exponent - 1)) / exponent;
	return (random: () => number): number =>
		Math.min(most, Math.ceil(least / (1 - random()) ** (1 / exponent)));
}

const WINDOWS: Kind[] = ['clock', 'anchored', 'first', 'sliding'];

const ALL: Kind[] = [...WINDOWS, 'bucket', 'small bucket'];

/** Each window length, with a limit per minute that makes a run last some minutes. */
const LENGTHS: Array<[seconds: number, perMinute: number]> = [
	[1, 300],
	[2, 300],
	[5, 240],
	[10, 120],
	[20, 90],
	[30, 60],
];

export const weathers: Row[] = [
	...group(
		'window lengths',
		LENGTHS.flatMap(([seconds, perMinute]) =>
			(['anchored', 'first', 'sliding'] as const).map((kind) => ({
				kind,
				perMinute,
				windowMs: seconds * SECOND_MS,
				windows: 8,
				spans: true,
				goal: { time: 1.1 },
			})),
		),
	),
	...group('spacing', [
		...[60, 120, 600].flatMap((perMinute) =>
			[50, 500].map((latencyMs) => ({
				kind: 'small bucket' as const,
				perMinute,
				burst: 1,
				latencyMs,
				label: ' burst 1',
				windows: 5,
				spans: true,
				goal: { time: 1.3, refused: 0.15 },
			})),
		),
	]),
	...group('another client', [
		...[0.3, 0.5].flatMap((share) => [
			...(['clock', 'sliding', 'bucket'] as const).map((kind) =>
				beside({ kind, perMinute: 60, items: 400, share, othersTryAgain: true }),
			),
			...[60, 600].flatMap((perMinute) =>
				[false, true].map((othersTryAgain) =>
					beside({
						kind: 'small bucket',
						perMinute,
						burst: 1,
						label: ' burst 1',
						windows: 6,
						share,
						othersTryAgain,
					}),
				),
			),
		]),
		beside({
			kind: 'sliding',
			perMinute: 120,
			windowMs: 10_000,
			items: 600,
			share: 0.3,
			othersTryAgain: true,
		}),
		beside({ kind: 'small bucket', perMinute: 300, items: 1500, share: 0.4, othersTryAgain: true }),
	]),
	...group(
		'processes',
		[2, 4].flatMap((processes) => [
			...(['clock', 'sliding', 'bucket'] as const).map((kind) => ({
				kind,
				perMinute: 120,
				items: 400,
				processes,
				label: `, ${processes} processes`,
				goal: { time: 1.25, refused: 0.15, processRatio: 1.3 },
			})),
			...[60, 600].map((perMinute) => ({
				kind: 'small bucket' as const,
				perMinute,
				burst: 1,
				items: perMinute * 3,
				processes,
				label: ` burst 1, ${processes} processes`,
				goal: { time: 1.3, refused: 0.2, processRatio: 1.3 },
			})),
			...[300, 600].map((perMinute) => ({
				kind: 'small bucket' as const,
				perMinute,
				items: 200,
				processes,
				processesApartMs: 100,
				label: `, ${processes} processes 100 ms apart`,
				goal: { time: 1.25, refused: 0.15 },
			})),
		]),
	),
	...group('refused items', [
		{
			kind: 'no limit',
			perMinute: 600,
			items: 200,
			latencyMs: 250,
			isPoisoned: everyPoisoned(20),
			label: ', every 20th refused, 200 items',
			goal: { time: 2, refused: 0.35 },
		},
		...[1, 8, 64].map((concurrency) => ({
			kind: 'no limit' as const,
			perMinute: 600,
			items: concurrency * 250,
			latencyMs: 250,
			concurrency,
			isPoisoned: everyPoisoned(20),
			label: ', every 20th refused',
			goal: { time: 1.3, refused: 0.35 },
		})),
		{
			kind: 'sliding',
			perMinute: 60,
			items: 500,
			latencyMs: 250,
			concurrency: 1,
			isPoisoned: everyPoisoned(20),
			label: ', every 20th refused',
			goal: { time: 1.3, refused: 0.35 },
		},
		...(['clock', 'sliding', 'bucket', 'small bucket'] as const).map((kind) => ({
			kind,
			perMinute: 60,
			items: 500,
			isPoisoned: everyPoisoned(20),
			label: ', every 20th refused',
			goal: { time: 1.3, refused: 0.35 },
		})),
		{
			kind: 'sliding',
			perMinute: 600,
			items: 3000,
			concurrency: 32,
			isPoisoned: everyPoisoned(20),
			label: ', every 20th refused',
			goal: { time: 1.3, refused: 0.35 },
		},
		{
			kind: 'bucket',
			perMinute: 60,
			items: 500,
			isPoisoned: everyPoisoned(20),
			header: () => 5000,
			label: ', every 20th refused, Retry-After 5 s',
			goal: { time: 1.3, refused: 0.35 },
		},
	]),
	...group('random refusals', [
		...(['no limit', 'clock', 'sliding', 'bucket', 'small bucket'] as const).map((kind) => ({
			kind,
			perMinute: 120,
			items: kind === 'no limit' ? 3000 : 700,
			mishap: atRandom(0.03),
			label: ', 3% refused',
			goal: { time: 1.33 },
		})),
		{
			kind: 'no limit',
			perMinute: 120,
			items: 6000,
			latencyMs: 500,
			concurrency: 64,
			mishap: atRandom(0.03),
			label: ', 3% refused',
			goal: { time: 1.33 },
		},
	]),
	...group('in flight', [
		...[8, 64].flatMap((concurrency) =>
			[50, 1000].map((latencyMs) => ({
				kind: 'no limit' as const,
				perMinute: 600,
				items: 1000,
				latencyMs,
				concurrency,
				mishap: beyond(5),
				idealConcurrency: 5,
				label: ', at most 5 in flight',
				goal: { time: 1.65, refused: 0.1 },
			})),
		),
		{
			kind: 'sliding',
			perMinute: 600,
			items: 3000,
			latencyMs: 300,
			concurrency: 32,
			mishap: beyond(10),
			idealConcurrency: 10,
			label: ', at most 10 in flight',
			goal: { time: 1.65, refused: 0.1 },
		},
	]),
	...group('Retry-After', [
		...(['clock', 'sliding', 'bucket'] as const).map((kind) => ({
			kind,
			perMinute: 60,
			items: 1200,
			header: () => 60_000,
			label: ', Retry-After 60 s always',
			goal: { time: 1.3 },
		})),
		{
			kind: 'small bucket',
			perMinute: 60,
			burst: 2,
			items: 3600,
			header: () => 60_000,
			label: ' burst 2, Retry-After 60 s always',
			goal: { time: 1.3 },
		},
		{
			kind: 'sliding',
			perMinute: 120,
			windowMs: 10_000,
			items: 2400,
			header: () => 60_000,
			label: ', Retry-After 60 s always',
			goal: { time: 1.3 },
		},
		{
			kind: 'small bucket',
			perMinute: 600,
			burst: 1,
			items: 6000,
			header: () => 5000,
			label: ' burst 1, Retry-After 5 s always',
			goal: { time: 1.3 },
		},
		...(['clock', 'sliding', 'bucket'] as const).map((kind) => ({
			kind,
			perMinute: 60,
			items: 600,
			header: (_leftMs: number, atMs: number) => (Math.floor(atMs / 7000) % 2 === 0 ? 1000 : 45_000),
			label: ', Retry-After 1 s and 45 s in turn',
			goal: { time: 1.3 },
		})),
		...(['clock', 'sliding', 'small bucket'] as const).flatMap((kind) => [
			{
				kind,
				perMinute: 60,
				items: 600,
				header: (leftMs: number) => Math.ceil(leftMs / 2000) * 1000,
				label: ', Retry-After half of the truth',
				goal: { time: 1.15 },
			},
			{
				kind,
				perMinute: 60,
				items: 600,
				header: (leftMs: number) => 2 * exact(leftMs),
				label: ', Retry-After twice the truth',
				goal: { time: 1.3 },
			},
		]),
	]),
	...group(
		'absurd Retry-After',
		(
			[
				[2 * HOUR_MS, '2 h'],
				[1e12, '1e12 ms'],
			] as const
		).flatMap(([headerMs, name]) => [
			{
				kind: 'no limit' as const,
				perMinute: 60,
				executions: forms(180, 10 * SECOND_MS),
				mishap: between(MINUTE_MS, MINUTE_MS + 15 * SECOND_MS, 429),
				header: () => headerMs,
				label: `, Retry-After ${name} for 15 s, 180 forms in 30 min`,
				goal: { time: 1.1, lost: 12 },
			},
			{
				kind: 'no limit' as const,
				perMinute: 60,
				executions: [
					{ beginMs: 0, items: 40, concurrency: 1, maxWaitMs: DAY_MS },
					{ beginMs: 65 * SECOND_MS, items: 1, concurrency: 1, maxWaitMs: DAY_MS },
					...forms(180, 10 * SECOND_MS),
				],
				mishap: between(MINUTE_MS, MINUTE_MS + 15 * SECOND_MS, 429),
				header: () => headerMs,
				label: `, Retry-After ${name} for 15 s, one waits for a day, 180 forms in 30 min`,
				goal: { time: 1.1, lost: headerMs > DAY_MS ? 13 : 12 },
			},
		]),
	),
	...group('heavy-tailed tokens', [
		...ALL.map((kind) => ({
			kind,
			perMinute: 20_000,
			windows: 6,
			cost: logNormal(575, 1.2, 2000),
			limitName: 'TPM' as const,
			label: ', log-normal',
			goal: { time: 1.1 },
		})),
		...ALL.map((kind) => ({
			kind,
			perMinute: 40_000,
			windows: 6,
			cost: pareto(575, 1.3, kind === 'small bucket' ? 2000 : 10_000),
			limitName: 'TPM' as const,
			label: ', Pareto',
			goal: { time: 1.1 },
		})),
	]),
	...group('overload', [
		{
			kind: 'no limit',
			perMinute: 600,
			items: 3000,
			latencyMs: 200,
			mishap: atRandom(0.05, 503),
			label: ', 5% answered 503',
			goal: { time: 1.15 },
		},
		...[16, 64].map((concurrency) => ({
			kind: 'no limit' as const,
			perMinute: 600,
			items: 3000,
			latencyMs: 200,
			concurrency,
			mishap: beyond(10, 503),
			idealConcurrency: 10,
			label: ', 503 beyond 10 in flight',
			goal: { time: 1.65, refused: 0.15 },
		})),
		{
			kind: 'no limit',
			perMinute: 600,
			items: 3000,
			latencyMs: 200,
			concurrency: 32,
			mishap: between(10 * SECOND_MS, 30 * SECOND_MS, 503),
			label: ', 503 for 20 s',
			goal: { time: 2.5, refused: 0.1, lost: 60 },
		},
	]),
	...group('turns', [
		{
			kind: 'sliding',
			perMinute: 10,
			executions: [
				...Array.from({ length: 8 }, () => ({ beginMs: 0, items: 60, concurrency: 8 })),
				...forms(30, 30 * SECOND_MS),
			],
			label: ', 8 runs of 60, a form every 30 s',
			// More items wait than a limit of 10 serves in 300 s. An all-knowing sender that takes turns loses 183 to 191.
			goal: { time: 1.1, refused: 0.15, lost: 195, startsBeforeForm: 2 },
		},
		...(['clock', 'sliding', 'bucket'] as const).map((kind) => ({
			kind,
			perMinute: 60,
			executions: [{ beginMs: 0, items: 900, concurrency: 64 }, ...forms(45, 20 * SECOND_MS)],
			label: ', a run of 900 with 64 at once, a form every 20 s',
			goal: { time: 1.1, startsBeforeForm: 2 },
		})),
		{
			kind: 'small bucket',
			perMinute: 30,
			executions: [
				...Array.from({ length: 3 }, () => ({ beginMs: 0, items: 64, concurrency: 64 })),
				...forms(20, 10 * SECOND_MS),
			],
			label: ', 3 runs of 64, 20 forms',
			// An all-knowing sender that takes turns loses 61.
			goal: { time: 1.15, refused: 0.15, lost: 65, startsBeforeForm: 2 },
		},
	]),
	...group('changes', [
		...(['clock', 'sliding', 'bucket'] as const).flatMap((kind) => [
			{
				kind,
				perMinute: 60,
				items: 1500,
				changed: { atMs: 4 * MINUTE_MS, perMinute: 240 },
				label: ', four times as much after 4 min',
				goal: { time: 1.3 },
			},
			{
				kind,
				perMinute: 240,
				items: 1500,
				changed: { atMs: 3 * MINUTE_MS, perMinute: 60 },
				label: ', a quarter after 3 min',
				goal: { time: 1.15 },
			},
			{
				kind,
				perMinute: 60,
				items: 600,
				outageMs: [3 * MINUTE_MS, 5 * MINUTE_MS] as [number, number],
				label: ', nothing for 2 min',
				goal: { time: 1.15 },
			},
		]),
		{
			kind: 'sliding',
			perMinute: 60,
			items: 3600,
			countsRefused: true,
			spans: true,
			label: ', for an hour',
			goal: { time: 1.1, worstSpan: 0.7 },
		},
		{
			kind: 'sliding',
			perMinute: 92,
			items: 2000,
			countsRefused: true,
			outageMs: [5 * MINUTE_MS, 6 * MINUTE_MS] as [number, number],
			spans: true,
			label: ', nothing for 1 min',
			goal: { time: 1.15 },
		},
	]),
];

import { seededRandom } from '../../../emulator/seededRandom';
import { MINUTE_MS, type Arrival, type Scenario } from './Scenario';
import { LIMITS } from './ServiceLimit';

/** Describes the goals of a group of rows. Times are multiples of the ideal sender's time. */
export interface Goal {
	mean: number;
	worst: number;
	/** Holds the mean share of refused requests. */
	refused: number;
	/** Holds the most items that may fail in a run, as a number, or as a share if it is below 1. */
	lost: number;
}

export const GOALS = {
	RPM: { mean: 1.1, worst: 1.5, refused: 0.2, lost: 0 },
	TPM: { mean: 1.15, worst: 1.5, refused: 0.2, lost: 0 },
	changes: { mean: 1.2, worst: 1.7, refused: 0.2, lost: 0.001 },
	processes: { mean: 1.4, worst: 2.6, refused: 0.2, lost: 0.001 },
	'another client': { mean: 1.4, worst: 2, refused: 0.2, lost: 0.005 },
	'refused items': { mean: 2, worst: 4, refused: 0.2, lost: 0.001 },
	'random 429': { mean: 1.3, worst: 1.8, refused: 0.2, lost: 0.001 },
	'slow answers': { mean: 1.5, worst: 1.8, refused: 0.2, lost: 0 },
	'other limits': { mean: 1.4, worst: 2.2, refused: 0.2, lost: 0.001 },
	'503 for 10 s': { mean: 1.8, worst: 3, refused: 0.2, lost: 0.001 },
	'random 503': { mean: 4, worst: 5, refused: 0.3, lost: 0.01 },
} satisfies Record<string, Goal>;

type Group = keyof typeof GOALS;

/** Describes a kind of service and of its use, whose numbers are drawn at random. */
export interface Row {
	group: Group;
	name: string;
	/** Draws the numbers. The same seed gives the same scenario. */
	draw: (seed: number) => Scenario;
}

interface Kind {
	limit: keyof typeof LIMITS;
	/** Holds the smallest and largest capacity of the token bucket, in minutes of its rate; 0 for one request. */
	burst?: [least: number, most: number];
	tokens?: boolean;
	/** Multiplies the limit. */
	times?: number;
	header?: keyof typeof HEADERS;
	concurrency?: number;
	runs?: number;
	processes?: number;
	apartMs?: number;
	windowMs?: number;
	/** Multiplies the limit from the middle of the run on. Infinity means that there is no limit before the middle. */
	changes?: number;
	other?: number;
	/** One item in this many is always refused. */
	refusedItems?: number;
	/** Holds the share of all requests that get a 429 by chance. */
	refusedShare?: number;
	/** Counts the requests in flight beyond which all are refused. */
	mostInFlight?: number;
	outageMs?: [fromMs: number, untilMs: number];
	/** Holds the share of all requests that get a 503 by chance. */
	busyShare?: number;
	/** Holds the time that an answer takes, if refusals come at once. */
	answerMs?: number;
}

const HEADERS = {
	none: undefined,
	exact: (leftMs: number) => Math.ceil(leftMs / 1000) * 1000,
	'1 s': () => 1000,
};

const MEAN_TOKENS = 575;

const LIMITED: Kind[] = [
	{ limit: 'bucket', burst: [0.1, 0.3] },
	{ limit: 'bucket', burst: [0.3, 1] },
	{ limit: 'fixed' },
	{ limit: 'sliding' },
];

const KINDS: Kind[] = [{ limit: 'none' }, ...LIMITED];

/**
 * Makes a row of each kind with each header. Concurrency and the number of runs go round at different speeds, so that a few rows
 * have many combinations, and a kind has others with each header.
 */
const withHeaders = (kinds: Kind[]): Kind[] =>
	(['none', 'exact', '1 s'] as const).flatMap((header, headerIndex) =>
		kinds.map((kind, index) => ({
			...kind,
			header,
			concurrency: [1, 8, 16, 64][(headerIndex + index) % 4]!,
			runs: [1, 2, 8, 1, 4][(headerIndex + 2 * index) % 5]!,
		})),
	);

/**
 * New rows must come at the end of their group. A row's place is part of the seed from which its numbers are drawn, and
 * `goals.test.ts` takes every second row, so that a row in between would change all that come after it.
 */
export const ROWS: Row[] = [
	...rowsOf('RPM', [
		...withHeaders(LIMITED),
		...LIMITED,
		...LIMITED.map((kind) => ({ ...kind, runs: 3 })),
		...[10, 30, 100].map((times): Kind => ({ limit: 'bucket', burst: [0.01, 0.1], concurrency: 64, times })),
	]),
	...rowsOf(
		'TPM',
		withHeaders(LIMITED).map((kind) => ({ ...kind, tokens: true })),
	),
	...rowsOf(
		'changes',
		[Infinity, 0.1, 10].flatMap((changes) => LIMITED.map((kind) => ({ ...kind, changes }))),
	),
	...rowsOf(
		'processes',
		LIMITED.flatMap((kind) =>
			[0, 50, 1000, 5000].map((apartMs, index) => ({
				...kind,
				processes: 2 + 2 * ((index + 1) >> 1),
				apartMs,
			})),
		),
	),
	...rowsOf(
		'another client',
		[8, 16].flatMap((concurrency) => LIMITED.map((kind) => ({ ...kind, concurrency, other: 0.3 }))),
	),
	...rowsOf(
		'refused items',
		[1, 8, 64].flatMap((concurrency) => KINDS.map((kind) => ({ ...kind, concurrency, refusedItems: 20 }))),
	),
	...rowsOf(
		'random 429',
		[0.01, 0.03, 0.05].flatMap((refusedShare) => KINDS.map((kind) => ({ ...kind, refusedShare }))),
	),
	...rowsOf(
		'slow answers',
		[2, 10, 30, 90].flatMap((seconds) =>
			LIMITED.map((kind) => ({ ...kind, concurrency: 64, answerMs: 1000 * seconds })),
		),
	),
	...rowsOf(
		'random 503',
		[0.05, 0.2].flatMap((busyShare) =>
			[8, 64].map((concurrency): Kind => ({ limit: 'none', concurrency, busyShare })),
		),
	),
	...rowsOf('other limits', [
		...[1, 10, 20, 30].flatMap((seconds) =>
			(['fixed', 'sliding'] as const).map((limit) => ({ limit, windowMs: 1000 * seconds })),
		),
		...[1, 8, 32].map((concurrency): Kind => ({ limit: 'bucket', burst: [0, 0], concurrency })),
		...[3, 6, 12].map((mostInFlight): Kind => ({ limit: 'none', concurrency: 32, mostInFlight })),
	]),
	...rowsOf(
		'503 for 10 s',
		[8, 64].flatMap((concurrency) =>
			KINDS.map((kind): Kind => ({ ...kind, concurrency, outageMs: [5000, 15_000] })),
		),
	),
];

function rowsOf(group: Group, kinds: Kind[]): Row[] {
	return kinds.map((kind, index) => {
		const name = Object.entries(kind)
			.map(([key, value]) => (key === 'limit' ? value : `${key} ${value}`))
			.join(', ');
		return { group, name, draw: (seed) => scenarioOf(kind, name, seed * 1009 + index) };
	});
}

function scenarioOf(kind: Kind, name: string, seed: number): Scenario {
	const random = seededRandom(seed);
	const between = (least: number, most: number) => least * (most / least) ** random();
	const { limit, tokens, windowMs = MINUTE_MS, processes = 1, apartMs = 0 } = kind;
	const { runs = 1, changes = 1, times = 1 } = kind;
	const isUnlimited = limit === 'none';
	// A short window admits at least a few requests.
	const perMinute = Math.round(
		times * between(Math.max(30, (5 * MINUTE_MS) / windowMs), windowMs < 5000 ? 1500 : 600),
	);
	const scale = tokens ? MEAN_TOKENS : 1;
	const drawnMs = Math.round(between(30, 1000));
	const latencyMs = kind.answerMs ?? drawnMs;
	// A limit that is used well must not let an item wait longer than two minutes.
	const mostAtOnce = Math.max(1, (2 * perMinute * Math.min(1, changes)) / (runs * processes));
	const asked = kind.concurrency ?? Math.round(between(2, 64));
	const concurrency = isUnlimited ? asked : Math.floor(Math.min(asked, mostAtOnce));
	const atOnce = concurrency * runs * processes;
	const perMs = Math.min(
		isUnlimited ? Infinity : perMinute / MINUTE_MS,
		(kind.mostInFlight ?? atOnce) / latencyMs,
	);
	const lengthMs = isUnlimited ? MINUTE_MS : 4 * MINUTE_MS;
	const changeMs = changes === Infinity ? 20_000 : lengthMs / 2;
	const before = changes === Infinity ? Math.min(2000, (changeMs * atOnce) / latencyMs) : perMs * changeMs;
	const after = perMs * (lengthMs - changeMs) * (changes === Infinity ? 1 : changes);
	const items = Math.max(1, Math.round(Math.min(3000, before + after) / runs / processes));
	const [least, most] = kind.burst ?? [1, 1];
	const burst = least === 0 ? 1 : perMinute * scale * between(least, most);
	const edgeMs = random() * windowMs;
	const { outageMs, refusedShare = 0, busyShare = 0, mostInFlight = Infinity, refusedItems, other } = kind;
	const mishap = ({ atMs, inFlight, random: chance }: Arrival) => {
		if (outageMs && atMs >= outageMs[0] && atMs < outageMs[1]) return { status: 503 as const };
		if (busyShare > 0 && chance() < busyShare) return { status: 503 as const };
		const isRefused = inFlight > mostInFlight || (refusedShare > 0 && chance() < refusedShare);
		return isRefused ? { status: 429 as const } : undefined;
	};
	return {
		name: `${name}: ${Math.round(perMinute)} a minute, ${latencyMs} ms, ${processes} x ${runs} x ${items} items, ${concurrency} at once`,
		limit: (beginMs, share) => {
			const factorAt = (atMs: number) => (atMs - beginMs >= changeMs ? changes : 1);
			const perMinuteAt = (atMs: number) =>
				changes === Infinity && factorAt(atMs) === 1
					? 1e9
					: perMinute * (changes === Infinity ? 1 : factorAt(atMs));
			return LIMITS[limit]({
				perMinute: (atMs) => share * scale * perMinuteAt(atMs),
				burst,
				windowMs,
				edgeMs,
			});
		},
		runs: Array.from({ length: runs }, () => ({ beginMs: 0, items, concurrency })),
		processesMs: Array.from({ length: processes }, (_, index) => index * apartMs),
		latencyMs,
		refusalMs: drawnMs,
		header: HEADERS[kind.header ?? 'none'],
		cost: tokens ? (chance) => Math.round(150 + 850 * chance()) : undefined,
		other: other === undefined ? undefined : { perMinute: perMinute * other, share: other },
		isRefused: refusedItems === undefined ? undefined : (item) => item % refusedItems === 6,
		mishap: outageMs || refusedShare > 0 || busyShare > 0 || mostInFlight < Infinity ? mishap : undefined,
		mostInFlight: kind.mostInFlight,
		maxWaitMs: 300_000,
	};
}

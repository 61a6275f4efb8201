import { seededRandom } from '../../emulator/seededRandom';
import { exact, limitOf, tokens, type Kind } from './row';
import { AllLimits } from './ServiceLimit';
import type { Arrival, Scenario } from './simulate';
import { everyPoisoned, forms, logNormal, pareto } from './weathers';

const MINUTE_MS = 60_000;

const MEAN_TOKENS = 575;

/** How long the ideal sender is busy, in each weather. */
const LENGTH_MINUTES = 16;

const LENGTHS_MS = [1000, 2000, 5000, 10_000, 20_000, 30_000, MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS];

export interface Weather {
	scenario: Scenario;
	/** Spans in which nothing is expected: while the service lets nothing through, and five minutes after each change. */
	exceptMs: Array<[from: number, until: number]>;
	/** The length of the window; 0 for a bucket. */
	windowMs: number;
	/** What the limit lets the ideal sender send, without another client's share. */
	perMinute: number;
	/** Whether the limit is the only cause of refusals. */
	isPlain: boolean;
}

/**
 * A random combination of everything: kind and size of the limit, mistakes of the service, other clients, and what is
 * sent.
 */
export function randomWeather(seed: number): Weather {
	const random = seededRandom(seed * 104_729 + 7);
	const chance = (share: number) => random() < share;
	const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
	const between = (least: number, most: number) => least * (most / least) ** random();

	const kind = pick<Kind>([
		'clock',
		'anchored',
		'first',
		'sliding',
		'sliding',
		'bucket',
		'small bucket',
		'small bucket',
	]);
	const isBucket = kind.includes('bucket');
	const lengthMs = pick(LENGTHS_MS);
	const cost = chance(0.2)
		? pick([tokens, logNormal(MEAN_TOKENS, 1.2, 3000), pareto(MEAN_TOKENS, 1.4, 3000)])
		: undefined;
	const windowMs = isBucket ? 0 : cost ? MINUTE_MS : lengthMs;
	const perMinute = Math.max(
		(isBucket ? 1 : 2) * (MINUTE_MS / (windowMs || MINUTE_MS)),
		Math.round(between(10, 300)),
	);
	const burst = pick([1, 1, 2, 5, 20]);
	const countsRefused = chance(0.15) && !isBucket;
	const latencyMs = Math.round(between(20, 1000));
	const concurrency = Math.round(between(1, Math.min(64, Math.max(4, perMinute))));
	const scale = cost ? MEAN_TOKENS : 1;
	const share = chance(0.25) && !cost ? between(0.1, 0.5) : 0;
	const processes = chance(0.1) ? pick([2, 3]) : 1;
	const header = pick<Scenario['header']>([
		undefined,
		undefined,
		undefined,
		exact,
		() => 0,
		() => 1000,
		() => 5000,
		() => 60_000,
		(leftMs) => Math.round(leftMs / 2),
		(leftMs) => 2 * exact(leftMs),
		(_leftMs, atMs) => (Math.floor(atMs / 9000) % 3 === 0 ? 30_000 : undefined),
	]);
	const refusedShare = chance(0.15) ? between(0.005, 0.05) : 0;
	const poisonedEach = chance(0.15) ? Math.round(between(10, 60)) : 0;
	const mostInFlight = chance(0.1) ? Math.round(between(2, 20)) : Infinity;
	const secondLimit = chance(0.1) && !cost && share === 0;
	const changes: Array<{ atMs: number; factor: number; forMs: number }> = [];
	if (chance(0.15) && !cost) {
		const factor = pick([0.2, 0.5, 0.7, 1.5, 3]);
		const places = (perMinute * (1 - share) * (windowMs || MINUTE_MS)) / MINUTE_MS;
		// A window with less than one place would let nothing through any more.
		if (places * factor >= 1) changes.push({ atMs: between(1, 10) * MINUTE_MS, factor, forMs: Infinity });
	}
	if (chance(0.1)) {
		changes.push({ atMs: between(1, 10) * MINUTE_MS, factor: 0, forMs: between(5, 180) * 1000 });
	}

	const limitFor = (left: number) => (random: () => number, beginMs: number) => {
		const limit = (atMs: number) =>
			changes.reduce(
				(number, { atMs: fromMs, factor, forMs }) =>
					atMs - beginMs >= fromMs && atMs - beginMs < fromMs + forMs ? number * factor : number,
				perMinute * scale * left,
			);
		const options = {
			kind,
			limit,
			perMinute: perMinute * scale * left,
			countsRefused,
			windowMs: windowMs || undefined,
		};
		const main = limitOf({ ...options, burst: Math.max(burst * scale, cost ? 3000 : 1) })(random, beginMs);
		if (!secondLimit) return main;
		const perSecond = Math.max(1, Math.ceil(perMinute / 20));
		const second = limitOf({
			kind: 'sliding',
			limit: () => perSecond * 60,
			perMinute: perSecond * 60,
			windowMs: 1000,
		});
		return new AllLimits([
			{ limit: main, counts: 'requests' },
			{ limit: second(random, beginMs), counts: 'requests' },
		]);
	};
	const mishap = ({ inFlight, random: ofRun }: Arrival) =>
		inFlight > mostInFlight || (refusedShare > 0 && ofRun() < refusedShare) ? 429 : undefined;
	const left = perMinute * (1 - share);
	const fastest = (Math.min(concurrency * processes, mostInFlight) * MINUTE_MS) / latencyMs;
	const items = Math.ceil((Math.min(left, fastest) * LENGTH_MINUTES) / processes);
	const hasForms = chance(0.15);
	return {
		scenario: {
			name: [
				`${seed}: ${perMinute} a minute, ${kind}${isBucket ? '' : ` of ${windowMs / 1000} s`}`,
				kind === 'small bucket' && `burst ${burst}`,
				countsRefused && 'refused count',
				cost && 'tokens',
				share > 0 && `another takes ${Math.round(100 * share)}%`,
				processes > 1 && `${processes} processes`,
				header && `Retry-After ${header.toString().replace(/\s+/g, ' ')}`,
				refusedShare > 0 && `${(100 * refusedShare).toFixed(1)}% refused`,
				poisonedEach > 0 && `every ${poisonedEach}th refused always`,
				mostInFlight < Infinity && `at most ${mostInFlight} in flight`,
				secondLimit && 'and a limit a second',
				...changes.map(
					({ atMs, factor, forMs }) =>
						`times ${factor} at ${Math.round(atMs / 1000)} s for ${Math.round(forMs / 1000)} s`,
				),
				hasForms && 'forms',
				`${latencyMs} ms, ${concurrency} at once, ${items} items`,
			]
				.filter(Boolean)
				.join(', '),
			limit: limitFor(1),
			idealLimit: share > 0 ? limitFor(1 - share) : undefined,
			othersPerMinute: share > 0 ? perMinute * share : undefined,
			othersTryAgain: chance(0.5),
			items,
			executions: hasForms ? [{ beginMs: 0, items, concurrency }, ...forms(30, 25_000)] : undefined,
			concurrency,
			latencyMs,
			header,
			cost,
			limitName: cost && chance(0.7) ? 'TPM' : undefined,
			processes,
			isPoisoned: poisonedEach > 0 ? everyPoisoned(poisonedEach) : undefined,
			mishap: mostInFlight < Infinity || refusedShare > 0 ? mishap : undefined,
			idealConcurrency: mostInFlight,
		},
		exceptMs: changes.flatMap(({ atMs, forMs }): Array<[number, number]> => {
			const fromMs = atMs;
			const ends = forMs < Infinity ? fromMs + forMs : fromMs;
			return [[fromMs, ends + 5 * MINUTE_MS]];
		}),
		windowMs,
		perMinute: Math.min(left, fastest),
		isPlain: share === 0 && refusedShare === 0 && poisonedEach === 0 && mostInFlight === Infinity,
	};
}

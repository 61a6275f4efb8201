import { median } from '../support/median';
import { KNOWN_LIMITS, type KnownLimit, type MostTime } from './simulator/knownLimits';
import { simulate, type Outcome } from './simulator/simulate';

/** The limiter was not tuned on this seed and the following ones. */
const SEED = 88_001;

/** A single run may be half as slow again as the median. */
const RUNS = 5;

/** Expects that the medians of a few runs are not higher than this time, and the share that may be refused. */
async function expectAtMost({ scenario, refused = 1 }: KnownLimit, time: MostTime): Promise<void> {
	const outcomes: Outcome[] = [];
	for (let run = 0; run < RUNS; run++) outcomes.push(await simulate(scenario, SEED + run));
	expect(Math.max(...outcomes.map(({ lost }) => lost))).toBe(0);
	const timeOf = ({ timeMs, idealMs }: Outcome) => timeMs / ('seconds' in time ? 1000 : idealMs);
	expect(median(outcomes.map(timeOf))).toBeLessThanOrEqual('seconds' in time ? time.seconds : time.times);
	expect(median(outcomes.map((one) => one.refused / one.requests))).toBeLessThanOrEqual(refused);
}

test.each(KNOWN_LIMITS.filter(({ missed }) => !missed).map((known) => [known.name, known] as const))(
	'%s: no item is lost, and time and refusals are within their goals',
	async (_, known) => await expectAtMost(known, known.goal),
);

test.each(
	KNOWN_LIMITS.flatMap(({ missed, ...known }) => (missed ? [[known.name, known, missed.time] as const] : [])),
)(
	'%s: no item is lost, and although the time misses its goal, it is not longer than is known',
	async (_, known, time) => {
		await expectAtMost(known, time);
	},
);

import { KNOWN_LIMITS } from './simulator/knownLimits';
import { simulate } from './simulator/simulate';

/** The limiter was not tuned on this seed. */
const SEED = 88_001;

test.each(KNOWN_LIMITS.map((known) => [known.name, known] as const))(
	'%s: no item is lost, and time and refusals are within their goals',
	async (_, { scenario, goal, refused = 1 }) => {
		const outcome = await simulate(scenario, SEED);
		expect(outcome.lost).toBe(0);
		const maxMs = 'seconds' in goal ? 1000 * goal.seconds : goal.times * outcome.idealMs;
		expect(outcome.timeMs).toBeLessThanOrEqual(maxMs);
		expect(outcome.refused / outcome.requests).toBeLessThanOrEqual(refused);
	},
);

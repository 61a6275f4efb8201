import { fixed, spread, table } from '../../../test/support/markdown';
import { Bench, type Contender, type Result } from '../Bench';
import type { Section } from '../Section';
import type { ServiceFailure } from '../serve';

const LATENCY_MS = 60;
const CONCURRENCY = 8;

/** Describes a run during which something goes wrong with the service. */
interface Trial {
	label: string;
	items: number;
	/** Is undefined for the run with which the others are compared. */
	failure?: ServiceFailure;
	/** Holds the time, in milliseconds, of the failure itself, which no client can save. */
	lostMs: number;
	/** Holds the most that the run may take, as a multiple of the ideal. */
	atMost: number;
	/** Counts the items that may fail by chance. The default is 0. */
	mayLose?: number;
}

const EARLY_REFUSAL: ServiceFailure = { as: { skip: 8, status: 429, headers: { 'retry-after': '1' } } };

const BASE: Trial = { label: 'nothing goes wrong', items: 1000, lostMs: 0, atMost: 1 };

const TRIALS: Trial[] = [
	BASE,
	...[60, 1000].map((items) => ({
		label: 'a 429 with Retry-After: 1 at the ninth request',
		items,
		failure: EARLY_REFUSAL,
		lostMs: 1000,
		// Probes, and a rate that doubles from what the first requests showed, take a second or two.
		atMost: items === 60 ? 2.5 : 1.25,
	})),
	{
		label: 'connections refused for 5 s',
		items: 300,
		failure: { as: 'refuse connections', forMs: 5000 },
		lostMs: 5000,
		atMost: 2,
	},
	{
		label: '502 for 30 s',
		items: 300,
		failure: { as: { status: 502, body: 'Bad Gateway' }, forMs: 30_000 },
		lostMs: 30_000,
		atMost: 1.5,
	},
	{
		label: '503 for a minute',
		items: 300,
		failure: { as: { status: 503 }, forMs: 60_000 },
		lostMs: 60_000,
		atMost: 1.5,
	},
	{
		label: '503 for one request in five',
		items: 300,
		// With three retries, one item in 625 fails. In 300 items, more than two do so in one run of 80.
		mayLose: 2,
		failure: { as: { status: 503, probability: 0.2 }, forMs: Infinity },
		lostMs: 0,
		atMost: 4,
	},
];

/** Scenario 6 sends items while something goes wrong with the service, in real time. */
export async function outages(bench: Bench): Promise<Section> {
	const maxMs = bench.size(Infinity, 5000);
	const trials = TRIALS.filter(({ failure }) => (failure?.forMs ?? 0) <= maxMs);
	const contenders = trials.map(({ label, items, failure }): Contender => ({
		label: `this node, ${label}, ${items} items`,
		peer: 'inference-default',
		items,
		concurrency: CONCURRENCY,
		emulator: { latencyMs: LATENCY_MS, recordRequests: true },
		...(failure && { failure }),
	}));
	const results = await bench.together(bench.available(contenders), bench.size(3, 1));
	const trialOf = ({ contender }: Result) =>
		trials.find(({ items, failure }) => items === contender.items && failure === contender.failure)!;
	const secondsOf = (result: Result) => Bench.median(result, ({ seconds }) => seconds);
	const secondsPerItem = secondsOf(results[0]!) / BASE.items;
	const idealOf = (result: Result) => {
		const { items, lostMs } = trialOf(result);
		return lostMs / 1000 + items * secondsPerItem;
	};
	const deliveredOf = ({ samples }: Result) => Math.min(...samples.map(({ delivered }) => delivered));
	return {
		title: '6. When something goes wrong with the service',
		setting: `${CONCURRENCY} at once; the service takes ${LATENCY_MS} ms; all rows at the same time. An item is sent again up to three times. Ideal: as long as the failure, and then as fast as this node where nothing goes wrong.`,
		table: table(
			['', 'delivered', 'seconds', 'of the ideal', 'requests more than items'],
			results.map((result) => [
				result.contender.label,
				`${deliveredOf(result)} of ${result.contender.items}`,
				spread(
					secondsOf(result),
					result.samples.map(({ seconds }) => seconds),
					1,
				),
				deliveredOf(result) === result.contender.items
					? fixed(secondsOf(result) / idealOf(result), 2)
					: 'incomplete',
				fixed(
					Bench.median(result, ({ requests }) => Math.max(0, requests - result.contender.items)),
					0,
				),
			]),
		),
		goals: results
			.filter(({ contender }) => contender.packageFolder === undefined)
			.flatMap((result) => [
				{
					what: `delivered, ${result.contender.label}`,
					figure: deliveredOf(result),
					digits: 0,
					atLeast: result.contender.items - (trialOf(result).mayLose ?? 0),
				},
				{
					what: `time compared with the ideal, ${result.contender.label}`,
					figure: secondsOf(result) / idealOf(result),
					digits: 2,
					atMost: trialOf(result).atMost,
				},
			]),
	};
}

import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../markdown';
import type { Goal, Section } from '../Section';

const LATENCY_MS = 50;
const PER_SECOND = 10;
const BURST = 20;

export function limitedEmulator(retryAfter: number | false): Contender['emulator'] {
	return {
		latencyMs: LATENCY_MS,
		recordRequests: true,
		rateLimit: { perSecond: PER_SECOND, burst: BURST, limit: 'RPM', retryAfter },
	};
}

/** After how many seconds a client that knew the limit would be done. */
export function idealSeconds(items: number): number {
	return (items - BURST) / PER_SECOND;
}

/** Scenario 4: more items than the service allows. */
export async function rateLimit(bench: Bench): Promise<Section> {
	const items = bench.size(200, 60);
	const parts = [
		{ named: 'without Retry-After', retryAfter: false as const, mostTime: 1.15, mostRefused: 10 },
		{ named: 'with Retry-After: 1', retryAfter: 1, mostTime: 1.1, mostRefused: 6 },
	];
	const tables: string[] = [];
	const goals: Goal[] = [];
	const lists = parts.map(({ retryAfter }) =>
		bench.available(contendersFor(items, limitedEmulator(retryAfter))),
	);
	const all = await bench.together(lists.flat());
	for (const [part, { named, mostTime, mostRefused }] of parts.entries()) {
		const results = all.filter(({ contender }) => lists[part]!.includes(contender));
		tables.push(tableFor(named, results, items));
		for (const result of results.filter(({ contender }) => contender.peer.startsWith('inference-'))) {
			const what = `${result.contender.label}, ${named}:`;
			const delivered = Math.min(...result.samples.map((sample) => sample.delivered));
			goals.push(
				{ what: `${what} delivered`, figure: delivered, digits: 0, unit: ` of ${items}`, atLeast: items },
				{
					what: `${what} time, compared with the ideal`,
					figure: ofIdeal(result, items),
					digits: 2,
					unit: '',
					atMost: mostTime,
				},
				{
					what: `${what} refused`,
					figure: refusedPercent(result),
					digits: 1,
					unit: '%',
					atMost: mostRefused,
				},
			);
		}
	}
	return {
		title: `4. A limit of ${PER_SECOND} requests a second, burst ${BURST}, ${items} items, ${LATENCY_MS} ms service`,
		setting: `Ideal: ${idealSeconds(items)} s. All run at the same time, each against its own service and limit; they hardly use the CPU. "HTTP Request, batched" is set up by someone who knows the limit: ${PER_SECOND} items every second. The SDK has its own two retries.`,
		table: tables.join('\n\n'),
		goals,
	};
}

function contendersFor(items: number, emulator: Contender['emulator']): Contender[] {
	const contender = (label: string, peer: Contender['peer'], concurrency: number): Contender => ({
		label,
		peer,
		items,
		concurrency,
		batch: { size: PER_SECOND, intervalMs: 1000 },
		emulator,
	});
	return [
		contender('this node, default, 8', 'inference-default', 8),
		contender('this node, pooled, 8', 'inference-pooled', 8),
		contender('HTTP Request, default', 'http-request', items),
		contender('HTTP Request, batched', 'http-request-batched', PER_SECOND),
		contender('Anthropic node', 'anthropic-node', 1),
		contender('Anthropic SDK, 8', 'anthropic-sdk', 8),
		contender('Anthropic SDK, 64', 'anthropic-sdk', 64),
	];
}

function tableFor(named: string, results: Result[], items: number): string {
	return table(
		[named, 'delivered', 'seconds', 'of the ideal', 'refused'],
		results.map((result) => {
			const seconds = result.samples.map((sample) => sample.seconds);
			const delivered = result.samples.map((sample) => sample.delivered);
			const isComplete = Math.min(...delivered) === items;
			return [
				result.contender.label,
				`${spread(
					Bench.median(result, (sample) => sample.delivered),
					delivered,
					0,
				)} of ${items}`,
				spread(
					Bench.median(result, (sample) => sample.seconds),
					seconds,
					1,
				),
				isComplete ? fixed(ofIdeal(result, items), 2) : 'incomplete',
				`${fixed(refusedPercent(result), 1)}%`,
			];
		}),
	);
}

function ofIdeal(result: Result, items: number): number {
	return Bench.median(result, ({ seconds }) => seconds) / idealSeconds(items);
}

export function refusedPercent(result: Result): number {
	return Bench.median(result, ({ refused, requests }) => (100 * refused) / requests);
}

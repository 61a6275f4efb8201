import { Bench, type Contender } from '../Bench';
import { fixed, spread, table } from '../markdown';
import type { Section } from '../Section';
import { idealSeconds, limitedEmulator, refusedPercent } from './rateLimit';

const PROCESSES = 4;

/** Scenario 5: n8n workers that share a limit and do not know of each other. */
export async function workers(bench: Bench): Promise<Section> {
	const items = bench.size(200, 30);
	const contender = (label: string, retryAfter: number | false): Contender => ({
		label,
		peer: 'inference-default',
		items,
		concurrency: 8,
		emulator: limitedEmulator(retryAfter),
	});
	const all = PROCESSES * items;
	const ideal = idealSeconds(all);
	const rounds = bench.size(5, 1);
	const results = await bench.manyOfEach(
		[contender('without Retry-After', false), contender('with Retry-After: 1', 1)],
		PROCESSES,
		rounds,
	);
	const ofIdeal = (index: number) => Bench.median(results[index]!, ({ seconds }) => seconds) / ideal;
	return {
		title: `5. ${PROCESSES} processes at once, ${items} items each, one such limit`,
		setting: `Ideal: ${ideal} s until the last process is done. Default transport, 8 at once in each process. n = ${rounds}; both rows run at the same time, each with ${PROCESSES} processes and its own service.`,
		table: table(
			['', 'delivered', 'seconds', 'of the ideal', 'refused'],
			results.map((result, index) => {
				const seconds = result.samples.map((sample) => sample.seconds);
				return [
					result.contender.label,
					`${Math.min(...result.samples.map(({ delivered }) => delivered))} of ${all}`,
					spread(
						Bench.median(result, (sample) => sample.seconds),
						seconds,
						1,
					),
					fixed(ofIdeal(index), 2),
					`${fixed(refusedPercent(result), 1)}%`,
				];
			}),
		),
		goals: results.flatMap(({ contender: { label }, samples }, index) => [
			{
				what: `${label}: delivered`,
				figure: Math.min(...samples.map(({ delivered }) => delivered)),
				digits: 0,
				unit: ` of ${all}`,
				atLeast: all,
			},
			{
				what: `${label}: time, compared with the ideal`,
				figure: ofIdeal(index),
				digits: 2,
				unit: '',
				atMost: 1.25,
			},
		]),
		reason:
			'A process learns of the others by its own refusals alone. One that starts a little later finds the bucket empty, takes it for a limit that lets requests through one by one, and puts its refusals down to others; then the processes get unequal shares, and the last one is done long after the others. Nothing is lost. Version 0.1 was done in 1.01 and 1.02 of the ideal, at the price of 29% and 10% refused.',
	};
}

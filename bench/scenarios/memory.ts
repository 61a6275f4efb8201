import { Bench, type Contender } from '../Bench';
import { fixed, spread, table } from '../markdown';
import type { Section } from '../Section';

/** 6: memory of many items. */
export async function memory(bench: Bench): Promise<Section> {
	const items = bench.size(10_000, 2000);
	const contender = (label: string, peer: Contender['peer'], concurrency: number): Contender => ({
		label,
		peer,
		items,
		concurrency,
		batch: { size: 64, intervalMs: 50 },
		emulator: {},
		warmUp: false,
	});
	const results = await bench.alternately(
		bench.available([
			contender("n8n's no-op node", 'no-op', 1),
			contender('this node, default, 8', 'inference-default', 8),
			contender('this node, default, 64', 'inference-default', 64),
			contender('this node, pooled, 8', 'inference-pooled', 8),
			contender('this node, pooled, 64', 'inference-pooled', 64),
			contender('HTTP Request, batched by 64', 'http-request-batched', 64),
		]),
	);
	const peaks = results.map((result) => Bench.median(result, ({ peakMb }) => peakMb));
	const above = (index: number) => peaks[index]! - peaks[0]!;
	return {
		title: `6. ${items} items: memory`,
		setting:
			'Most resident memory of the process during the run, items and engine included; each in a fresh process. 0 ms service.',
		table: table(
			['', 'peak MB', 'MB above the no-op node', 'delivered'],
			results.map(({ contender: { label }, samples }, index) => [
				label,
				spread(
					peaks[index]!,
					samples.map(({ peakMb }) => peakMb),
					0,
				),
				fixed(above(index), 0),
				`${Math.min(...samples.map(({ delivered }) => delivered))} of ${items}`,
			]),
		),
		goals: results.flatMap(({ contender: { label, peer } }, index) =>
			peer.startsWith('inference-')
				? [
						{
							what: `${label}: above the no-op node`,
							figure: above(index),
							digits: 0,
							unit: ' MB',
							atMost: 100,
						},
					]
				: [],
		),
	};
}

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
	const contenders = bench.available([
		contender("n8n's no-op node", 'no-op', 1),
		contender('this node, default, 8', 'inference-default', 8),
		contender('this node, default, 64', 'inference-default', 64),
		contender('this node, pooled, 8', 'inference-pooled', 8),
		contender('this node, pooled, 64', 'inference-pooled', 64),
		contender("n8n's request helper alone, 64", 'bare-helper', 64),
		contender('HTTP Request, batched by 64', 'http-request-batched', 64),
	]);
	const results = await bench.alternately(contenders);
	const collected = await bench.alternately(
		contenders.map((each) => ({ ...each, label: `${each.label}, collecting`, collectGarbage: true })),
		bench.size(3, 1),
	);
	const peaks = results.map((result) => Bench.median(result, ({ peakMb }) => peakMb));
	const lives = collected.map((result) => Bench.median(result, ({ liveMb = NaN }) => liveMb));
	const above = (index: number) => peaks[index]! - peaks[0]!;
	const helper = results.findIndex(({ contender: { peer } }) => peer === 'bare-helper');
	const kept = lives.slice(1, 5).map((live) => live - lives[0]!);
	return {
		title: `6. ${items} items: memory`,
		setting:
			'Most resident memory of the process during the run, items and engine included; each in a fresh process. 0 ms service. "In use" is the most that JavaScript\'s heap and buffers held after a collection, from further runs in which garbage is collected five times a second.',
		table: table(
			['', 'peak MB', 'above the no-op node', 'in use MB', 'above the no-op node', 'delivered'],
			results.map(({ contender: { label }, samples }, index) => [
				label,
				spread(
					peaks[index]!,
					samples.map(({ peakMb }) => peakMb),
					0,
				),
				fixed(above(index), 0),
				fixed(lives[index]!, 0),
				fixed(lives[index]! - lives[0]!, 0),
				`${Math.min(...samples.map(({ delivered }) => delivered))} of ${items}`,
			]),
		),
		goals: results.flatMap(({ contender: { label, peer } }, index) =>
			peer.startsWith('inference-')
				? [
						{
							what: `${label}: peak above the no-op node`,
							figure: above(index),
							digits: 0,
							unit: ' MB',
							atMost: 100,
						},
					]
				: [],
		),
		reason: `What the node keeps in use, its output included, is ${fixed(Math.min(...kept), 0)} to ${fixed(Math.max(...kept), 0)} MB more than with the no-op node. The rest of the peak is garbage not collected yet: every request leaves objects that V8 moves to its old generation, which it collects only when that has grown to several times what was in use. A node that sends nothing makes no such garbage; n8n's request helper in a bare loop peaks ${fixed(above(helper), 0)} MB above it.`,
	};
}

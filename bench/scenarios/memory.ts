import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../markdown';
import type { Section } from '../Section';

/** These set V8's limits, which otherwise depend on the machine. */
const BOUNDS = '--max-old-space-size=128 --max-semi-space-size=4';

/** This peer uses the most memory, so it is measured last. */
const HOARDER: Contender['peer'] = 'http-request-batched';

/** Scenario 6: the memory for many items. */
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
		contender('HTTP Request, batched by 64', HOARDER, 64),
	]);
	const results = await bench.alternately(contenders);
	const bounded = await bench.alternately(
		contenders
			.filter(({ peer }) => peer !== HOARDER)
			.map((each) => ({
				...each,
				label: `${each.label}, bounded`,
				environment: { NODE_OPTIONS: BOUNDS },
			})),
	);
	const peakOf = (result: Result) => Bench.median(result, ({ peakMb }) => peakMb);
	const above = (list: Result[], index: number) => peakOf(list[index]!) - peakOf(list[0]!);
	const boundedOf = (peer: string) => bounded.findIndex(({ contender }) => contender.peer === peer);
	const helper = results.findIndex(({ contender: { peer } }) => peer === 'bare-helper');
	const peaks = (result: Result) =>
		spread(
			peakOf(result),
			result.samples.map(({ peakMb }) => peakMb),
			0,
		);
	return {
		title: `6. ${items} items: memory`,
		setting: `Most resident memory of the process during the run, items and engine included; each in a fresh process. 0 ms service. "Bounded": further runs with \`NODE_OPTIONS="${BOUNDS}"\`, without HTTP Request, which holds more than that in use.`,
		table: table(
			['', 'peak MB', 'above the no-op node', 'bounded: peak MB', 'above the no-op node', 'delivered'],
			results.map((result, index) => {
				const within = bounded[index];
				const samples = [...result.samples, ...(within?.samples ?? [])];
				return [
					result.contender.label,
					peaks(result),
					fixed(above(results, index), 0),
					...(within ? [peaks(within), fixed(above(bounded, index), 0)] : ['', '']),
					`${Math.min(...samples.map(({ delivered }) => delivered))} of ${items}`,
				];
			}),
		),
		goals: results.flatMap(({ contender: { label, peer } }, index) =>
			peer.startsWith('inference-')
				? [
						{
							what: `${label}: peak above the no-op node`,
							figure: above(results, index),
							digits: 0,
							unit: ' MB',
							atMost: 100,
						},
					]
				: [],
		),
		reason: `The peak is garbage that V8 had no reason to collect yet, not memory that the node needs: bounded, the same run peaks ${fixed(above(bounded, boundedOf('inference-default')), 0)} MB above the no-op node with the default transport, ${fixed(above(bounded, boundedOf('inference-pooled')), 0)} MB with the pooled one. A profile of what survives V8's first collections shows the objects of the HTTP stacks: requests, sockets and agents of n8n's helper, streams of the built-in fetch. A node that sends nothing makes no such garbage; n8n's request helper in a bare loop peaks ${fixed(above(results, helper), 0)} MB above it.`,
	};
}

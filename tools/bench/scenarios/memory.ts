import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../../../test/support/markdown';
import type { Section } from '../Section';

/** Without these options, V8 derives its limits from the machine, and lets garbage grow before it collects any. */
const BOUNDS = '--max-old-space-size=128 --max-semi-space-size=4';

const MAX_ABOVE_MB = 110;

/** Scenario 2 measures the memory for many items. */
export async function memory(bench: Bench): Promise<Section> {
	const items = bench.size(10_000, 1000);
	const contender = (label: string, peer: Contender['peer']): Contender => ({
		label,
		peer,
		items,
		concurrency: 64,
		emulator: {},
		environment: { NODE_OPTIONS: BOUNDS },
		warmUp: false,
	});
	const results = await bench.alternately(
		bench.available([
			contender("n8n's no-op node", 'no-op'),
			contender('this node, default', 'inference-default'),
			contender('this node, pooled', 'inference-pooled'),
			contender("n8n's request helper alone", 'bare-helper'),
		]),
		bench.size(3, 1),
	);
	const peakOf = (result: Result) => Bench.median(result, ({ peakMb }) => peakMb);
	const above = (result: Result) => peakOf(result) - peakOf(results[0]!);
	return {
		title: '2. Memory',
		setting: `Peak resident memory of a process while it sends ${items} items, 64 at once, engine and items included, with \`NODE_OPTIONS="${BOUNDS}"\`. Without these bounds, V8 lets garbage grow further.`,
		table: table(
			['', 'peak MB', 'above the no-op node', 'delivered'],
			results.map((result) => [
				result.contender.label,
				spread(
					peakOf(result),
					result.samples.map(({ peakMb }) => peakMb),
					0,
				),
				fixed(above(result), 0),
				`${Math.min(...result.samples.map(({ delivered }) => delivered))} of ${items}`,
			]),
		),
		goals: results
			.filter(({ contender }) => contender.peer.startsWith('inference-') && !contender.packageFolder)
			.map((result) => ({
				what: `MB above the no-op node, ${result.contender.label}`,
				figure: above(result),
				digits: 0,
				atMost: MAX_ABOVE_MB,
			})),
	};
}

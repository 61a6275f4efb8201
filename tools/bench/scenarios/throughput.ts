import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../../../test/support/markdown';
import type { Section } from '../Section';

/** The settings are a slow service with 8 and with 64 requests at once, and a service that answers immediately. */
const SETTINGS = [
	{ latencyMs: 50, concurrency: 8 },
	{ latencyMs: 50, concurrency: 64 },
	{ latencyMs: 0, concurrency: 64 },
];

/** A transport must reach this share of the throughput of what it is based on. */
const MIN_THROUGHPUT_SHARE = 0.9;

/** Scenario 1 measures items per second, and the CPU time of each item. */
export async function throughput(bench: Bench): Promise<Section> {
	const contenders = SETTINGS.flatMap(({ latencyMs, concurrency }) => {
		const at = (label: string, peer: Contender['peer'], atOnce = concurrency): Contender => ({
			label: `${label}, ${atOnce === Infinity ? 'all' : atOnce} at once, ${latencyMs} ms`,
			peer,
			items: bench.size(latencyMs > 0 ? 1000 : 4000, 200),
			concurrency: atOnce,
			batch: { size: concurrency, intervalMs: 50 },
			emulator: { latencyMs },
		});
		return bench.available([
			at('this node, default', 'inference-default'),
			at("n8n's request helper alone", 'bare-helper'),
			at('this node, pooled', 'inference-pooled'),
			at('built-in fetch alone', 'bare-fetch'),
			...(concurrency === 64 ? [at('HTTP Request', 'http-request', Infinity)] : []),
		]);
	});
	const results = await bench.alternately(contenders);
	return {
		title: '1. Throughput and CPU',
		setting:
			'Each item is one decision; the service takes 50 ms or no time. CPU time is that of the whole process, garbage collection included. The default transport is based on n8n\'s request helper, which opens a connection for every request; "pooled" is Reuse Connections, based on the built-in fetch. HTTP Request sends all items at once.',
		table: table(
			['', 'items/s', 'CPU ms per item', 'delivered'],
			results.map((result) => [
				result.contender.label,
				spread(
					rateOf(result),
					result.samples.map(({ seconds }) => result.contender.items / seconds),
					0,
				),
				fixed(cpuMsOf(result), 2),
				`${Math.min(...result.samples.map(({ delivered }) => delivered))} of ${result.contender.items}`,
			]),
		),
		goals: [8, 64].flatMap((concurrency) =>
			[
				{ transport: 'default', bare: 'bare-helper' },
				{ transport: 'pooled', bare: 'bare-fetch' },
			].map(({ transport, bare }) => {
				const rate = (peer: string) =>
					rateOf(
						results.find(
							({ contender }) =>
								contender.peer === peer &&
								contender.concurrency === concurrency &&
								contender.emulator.latencyMs === 50,
						)!,
					);
				return {
					what: `items/s, ${transport}, ${concurrency} at once, compared with what it is based on`,
					figure: rate(`inference-${transport}`) / rate(bare),
					digits: 2,
					atLeast: MIN_THROUGHPUT_SHARE,
				};
			}),
		),
	};
}

function rateOf(result: Result): number {
	return Bench.median(result, ({ seconds }) => result.contender.items / seconds);
}

function cpuMsOf(result: Result): number {
	return Bench.median(result, ({ cpuSeconds }) => (1000 * cpuSeconds) / result.contender.items);
}

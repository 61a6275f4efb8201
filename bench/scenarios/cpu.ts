import { Bench, type Contender } from '../Bench';
import { fixed, spread, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const CONCURRENCY = 64;

/** 2: what an item costs. */
export async function cpu(bench: Bench): Promise<Section> {
	const items = bench.size(5000, 4000);
	const contender = (label: string, peer: Contender['peer']): Contender => ({
		label,
		peer,
		items,
		concurrency: CONCURRENCY,
		batch: { size: CONCURRENCY, intervalMs: 50 },
		emulator: {},
	});
	const results = await bench.alternately(
		bench.available([
			contender('this node, default', 'inference-default'),
			contender('this node, pooled', 'inference-pooled'),
			contender('HTTP Request, default', 'http-request'),
			contender(`HTTP Request, batched by ${CONCURRENCY}`, 'http-request-batched'),
			contender("n8n's request helper alone", 'bare-helper'),
			contender('built-in fetch alone', 'bare-fetch'),
			contender('undici', 'undici'),
		]),
	);
	const perItem = results.map((result) => ({
		...result,
		cpuMs: result.samples.map(({ cpuSeconds }) => (1000 * cpuSeconds) / items),
	}));
	const cpuOf = (peer: string) =>
		median(perItem.find((result) => result.contender.peer === peer)?.cpuMs ?? []);
	const ofHttpRequest = (peer: string) => cpuOf(peer) / cpuOf('http-request');
	return {
		title: `2. ${items} items, 0 ms service, ${CONCURRENCY} at once`,
		setting: `CPU time of the whole process, garbage collection included, per item. HTTP Request's default starts all ${items} at once.`,
		table: table(
			['', 'CPU ms per item', "of HTTP Request's default", 'items/s', 'peak MB', 'delivered'],
			perItem.map((result) => [
				result.contender.label,
				spread(median(result.cpuMs), result.cpuMs, 2),
				fixed(median(result.cpuMs) / cpuOf('http-request'), 2),
				fixed(
					Bench.median(result, ({ seconds }) => items / seconds),
					0,
				),
				fixed(
					Bench.median(result, ({ peakMb }) => peakMb),
					0,
				),
				`${Math.min(...result.samples.map(({ delivered }) => delivered))} of ${items}`,
			]),
		),
		goals: bench.options.withInstalledPeers
			? [
					{
						what: "default transport: CPU per item, of HTTP Request's",
						figure: ofHttpRequest('inference-default'),
						digits: 2,
						unit: '',
						atMost: 1,
					},
					{
						what: "pooled transport: CPU per item, of HTTP Request's",
						figure: ofHttpRequest('inference-pooled'),
						digits: 2,
						unit: '',
						atMost: 0.6,
					},
				]
			: [],
		reason: `Of HTTP Request's CPU time, the built-in fetch takes ${fixed(ofHttpRequest('bare-fetch'), 2)} in a bare loop, and n8n's request helper ${fixed(ofHttpRequest('bare-helper'), 2)}. The rest of this node's is mostly the cancel signal that every request follows, the time-out that is kept for it, and the reading of its answer as a stream.`,
	};
}

import { BARE_TRANSPORTS, type TransportName } from '../bareTransports';
import { Bench, type Contender } from '../Bench';
import { fixed, spread, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const CONCURRENCY = 64;

/** Scenario 2: what an item costs. */
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
			contender("n8n's request helper, guarded", 'guarded-helper'),
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
	const peakOf = (peer: string) =>
		Bench.median(
			results.find(({ contender }) => contender.peer === peer)!,
			({ peakMb }) => peakMb,
		);
	const cpuRatio = (transport: TransportName) =>
		cpuOf(`inference-${transport}`) / cpuOf(BARE_TRANSPORTS[transport]);
	const peakRatio = (transport: TransportName) =>
		peakOf(`inference-${transport}`) / peakOf(BARE_TRANSPORTS[transport]);
	const ratio = (figure: number, atMost: number) => ({ figure, digits: 2, unit: '', atMost });
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
		goals: [
			{
				what: 'default transport: CPU per item, compared with the bare helper',
				...ratio(cpuRatio('default'), 1.1),
			},
			{
				what: 'pooled transport: CPU per item, compared with the bare fetch',
				...ratio(cpuRatio('pooled'), 1.15),
			},
			{
				what: 'default transport: peak memory, compared with the bare helper',
				...ratio(peakRatio('default'), 1.05),
			},
		],
		reason: `A node that protects its key, can be stopped and limits its answers needs more from n8n's helper than the bare loop does. That alone (the guarded helper) takes ${fixed(cpuOf('guarded-helper') / cpuOf('bare-helper'), 2)} times the CPU of the bare helper. This node takes ${fixed(cpuOf('inference-default') / cpuOf('guarded-helper'), 2)} times that of the guarded helper: parameters and state of the item, the body, the trace ID, the permit of the limiter, reading the answer strictly, redaction, and the output item with its input's fields.`,
	};
}

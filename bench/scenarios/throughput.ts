import { BARE_TRANSPORTS, type TransportName } from '../bareTransports';
import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const LATENCY_MS = 50;

/** Scenario 1: many items against a service that takes a while. */
export async function throughput(bench: Bench): Promise<Section> {
	const items = bench.size(1000, 200);
	const lists = [8, 64].map((concurrency) => bench.available(contendersAt(concurrency, items)));
	const sequential: Contender = {
		...at('Anthropic node, one after the other', 'anthropic-node', 1, items),
		items: bench.size(200, 40),
	};
	const contenders = [...lists.flat(), ...bench.available([sequential])];
	const results = await bench.alternately(contenders);
	const limit = new Map(
		[8, 64].map((concurrency) => [concurrency, rateOf(find(results, 'undici', concurrency))]),
	);
	const share = ({ contender, samples }: Result) =>
		rateOf({ contender, samples }) / limit.get(contender.concurrency)!;
	const shares = (peer: string) =>
		[8, 64].map((concurrency) => fixed(share(find(results, peer, concurrency)), 2)).join(' and ');
	const cpuMs = (peer: string) =>
		Bench.median(find(results, peer, 8), ({ cpuSeconds }) => (1000 * cpuSeconds) / items);
	const extraMs = cpuMs('inference-default') - cpuMs('bare-helper');
	const of = (peer: string, bare: string, concurrency: number) =>
		rateOf(find(results, peer, concurrency)) / rateOf(find(results, bare, concurrency));
	const goal = (transport: TransportName, concurrency: number, atLeast: number) => ({
		what: `${transport} transport, ${concurrency} at once: items/s, compared with the bare ${transport === 'pooled' ? 'fetch' : 'helper'}`,
		figure: of(`inference-${transport}`, BARE_TRANSPORTS[transport], concurrency),
		digits: 2,
		unit: '',
		atLeast,
	});
	return {
		title: `1. ${items} items, ${LATENCY_MS} ms service`,
		setting: `Each item is one decision. The Anthropic node and SDK send messages to the same service. The Anthropic node gets only ${sequential.items} items, because it is sequential. HTTP Request "batched" starts a batch every ${LATENCY_MS} ms, whether the last one has ended or not.`,
		table: table(
			['', 'items/s', 'of bare undici', 'CPU ms per item', 'most in flight', 'connections', 'delivered'],
			results.map((result) => {
				const { contender, samples } = result;
				const limited = limit.has(contender.concurrency);
				return [
					contender.label,
					spread(rateOf(result), samples.map(itemsPerSecond(contender)), 0),
					limited ? fixed(share(result), 2) : '',
					fixed(
						Bench.median(result, ({ cpuSeconds }) => (1000 * cpuSeconds) / contender.items),
						2,
					),
					String(Bench.median(result, ({ maxInFlight }) => maxInFlight)),
					String(Bench.median(result, ({ connections }) => connections)),
					`${Math.min(...samples.map(({ delivered }) => delivered))} of ${contender.items}`,
				];
			}),
		),
		goals: [
			goal('default', 8, 0.97),
			goal('default', 64, 0.92),
			goal('pooled', 8, 0.97),
			goal('pooled', 64, 0.97),
		],
		reason: `In a bare loop, at 8 and at 64 at once, the built-in fetch reaches ${shares('bare-fetch')} of undici, and n8n's request helper ${shares('bare-helper')}: it opens a connection for every request, and fetch opens another one whenever a connection is not free yet when the next request comes. The service answers a wave of requests at one moment, so that each of them waits for the work of all: at 8 at once, the ${fixed(extraMs, 2)} ms of CPU per item that this node needs beyond the bare helper make every wave about ${fixed(8 * extraMs, 1)} ms longer. The guarded helper does the least that a node must with n8n's helper (a credential, a cancel signal, an answer read as it comes), and reaches ${fixed(of('guarded-helper', 'bare-helper', 8), 2)} and ${fixed(of('guarded-helper', 'bare-helper', 64), 2)} of the bare one; what this node adds to that is the rest.`,
	};
}

function contendersAt(concurrency: number, items: number): Contender[] {
	return [
		at(`undici, ${concurrency} connections`, 'undici', concurrency, items),
		at(`this node, pooled, ${concurrency}`, 'inference-pooled', concurrency, items),
		at(`this node, default, ${concurrency}`, 'inference-default', concurrency, items),
		at(`built-in fetch alone, ${concurrency}`, 'bare-fetch', concurrency, items),
		at(`n8n's request helper alone, ${concurrency}`, 'bare-helper', concurrency, items),
		at(`n8n's request helper, guarded, ${concurrency}`, 'guarded-helper', concurrency, items),
		at(`HTTP Request, batched by ${concurrency}`, 'http-request-batched', concurrency, items),
		...(concurrency === 64 ? [at('HTTP Request, default', 'http-request', Infinity, items)] : []),
		at(`Anthropic SDK, ${concurrency}`, 'anthropic-sdk', concurrency, items),
	];
}

function at(label: string, peer: Contender['peer'], concurrency: number, items: number): Contender {
	return {
		label,
		peer,
		items,
		concurrency,
		batch: { size: concurrency, intervalMs: LATENCY_MS },
		emulator: { latencyMs: LATENCY_MS },
	};
}

function find(results: Result[], peer: string, concurrency: number): Result {
	return results.find(({ contender }) => contender.peer === peer && contender.concurrency === concurrency)!;
}

function itemsPerSecond({ items }: Contender): (sample: { seconds: number }) => number {
	return ({ seconds }) => items / seconds;
}

function rateOf({ contender, samples }: Result): number {
	return median(samples.map(itemsPerSecond(contender)));
}

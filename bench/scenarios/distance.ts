import { type Bench, type Contender } from '../Bench';
import { fixed, spread, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const CONCURRENCY = 64;
const DELAY_MS = 30;

/** Scenario 3: TLS to a service that is far away. */
export async function distance(
	bench: Bench,
	certificate: { key: string; cert: string; file: string },
): Promise<Section> {
	const items = bench.size(5000, 600);
	const contender = (label: string, peer: Contender['peer']): Contender => ({
		label,
		peer,
		items,
		concurrency: CONCURRENCY,
		batch: { size: CONCURRENCY, intervalMs: 2 * DELAY_MS },
		emulator: { tls: { key: certificate.key, cert: certificate.cert } },
		delayMs: DELAY_MS,
		environment: { NODE_EXTRA_CA_CERTS: certificate.file },
	});
	const results = await bench.alternately(
		bench.available([
			contender('undici', 'undici'),
			contender('this node, pooled', 'inference-pooled'),
			contender('this node, default', 'inference-default'),
			contender(`HTTP Request, batched by ${CONCURRENCY}`, 'http-request-batched'),
			contender(`Anthropic SDK, ${CONCURRENCY}`, 'anthropic-sdk'),
		]),
	);
	const rates = results.map(({ contender: { peer, label }, samples }) => ({
		peer,
		label,
		samples,
		rates: samples.map(({ seconds }) => items / seconds),
	}));
	const rateOf = (peer: string) => median(rates.find((result) => result.peer === peer)!.rates);
	return {
		title: `3. ${items} items over TLS, ${DELAY_MS} ms further each way, ${CONCURRENCY} at once`,
		setting: `A proxy delays every byte of an open connection. It does not delay TCP's own handshake, which on a real network would cost the default transport another ${2 * DELAY_MS} ms for each request.`,
		table: table(
			['', 'items/s', 'of the default transport', 'of undici', 'connections', 'delivered'],
			rates.map((result) => [
				result.label,
				spread(median(result.rates), result.rates, 0),
				fixed(median(result.rates) / rateOf('inference-default'), 2),
				fixed(median(result.rates) / rateOf('undici'), 2),
				String(median(result.samples.map(({ connections }) => connections))),
				`${Math.min(...result.samples.map(({ delivered }) => delivered))} of ${items}`,
			]),
		),
		goals: [
			{
				what: 'pooled transport, compared with the default',
				figure: rateOf('inference-pooled') / rateOf('inference-default'),
				digits: 2,
				unit: '',
				atLeast: 1.8,
			},
		],
	};
}

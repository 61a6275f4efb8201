import { Bench, type Contender, type Result } from '../Bench';
import { fixed, spread, table } from '../../../test/support/markdown';
import type { Section } from '../Section';

/** The service refuses more requests than this. */
const REQUESTS_PER_SECOND = 10;
const BURST = 20;
const PROCESSES = 4;

/** Scenario 3 sends more items than the service's rate limit allows at once, in real time. */
export async function rateLimit(bench: Bench): Promise<Section> {
	const items = bench.size(200, 60);
	const contender = (label: string, peer: Contender['peer'], more: Partial<Contender> = {}): Contender => ({
		label,
		peer,
		items,
		concurrency: 8,
		batch: { size: REQUESTS_PER_SECOND, intervalMs: 1000 },
		emulator: limited(false),
		...more,
	});
	const shared = { processes: PROCESSES, items: Math.floor(items / 2) };
	const results = await bench.together(
		bench.available([
			contender('this node', 'inference-default'),
			contender('HTTP Request, hand-tuned', 'http-request-batched'),
			contender('HTTP Request', 'http-request'),
			contender('this node, Retry-After: 1', 'inference-default', { emulator: limited(1) }),
			contender(`this node, ${PROCESSES} processes`, 'inference-default', shared),
			contender(`this node, ${PROCESSES} processes, Retry-After: 1`, 'inference-default', {
				...shared,
				emulator: limited(1),
			}),
		]),
		bench.size(3, 1),
	);
	return {
		title: `3. A limit of ${REQUESTS_PER_SECOND} requests a second, burst ${BURST}`,
		setting: `${items} items, or ${shared.items} in each of ${PROCESSES} processes that learn alone, like n8n's workers; 8 at once; the service takes 50 ms, and names no wait unless the row says so. Ideal: the time of a client that knows the limit. "Hand-tuned" knows it: ${REQUESTS_PER_SECOND} items every second.`,
		table: table(
			['', 'delivered', 'seconds', 'of the ideal', 'refused'],
			results.map((result) => [
				result.contender.label,
				`${deliveredOf(result)} of ${allOf(result)}`,
				spread(
					secondsOf(result),
					result.samples.map(({ seconds }) => seconds),
					1,
				),
				deliveredOf(result) === allOf(result) ? fixed(secondsOf(result) / idealOf(result), 2) : 'incomplete',
				`${fixed(
					Bench.median(result, ({ refused, requests }) => (100 * refused) / requests),
					1,
				)}%`,
			]),
		),
		goals: results
			.filter(({ contender }) => contender.peer.startsWith('inference-') && !contender.packageFolder)
			.flatMap((result) => {
				const { label, processes } = result.contender;
				return [
					{ what: `delivered, ${label}`, figure: deliveredOf(result), digits: 0, atLeast: allOf(result) },
					{
						what: `time compared with the ideal, ${label}`,
						figure: secondsOf(result) / idealOf(result),
						digits: 2,
						atMost: processes === undefined ? 1.15 : 1.5,
					},
				];
			}),
	};
}

function limited(retryAfter: number | false): Contender['emulator'] {
	return {
		latencyMs: 50,
		recordRequests: true,
		rateLimit: { perSecond: REQUESTS_PER_SECOND, burst: BURST, limit: 'RPM', retryAfter },
	};
}

function allOf({ contender: { items, processes = 1 } }: Result): number {
	return items * processes;
}

function idealOf(result: Result): number {
	return (allOf(result) - BURST) / REQUESTS_PER_SECOND;
}

function deliveredOf({ samples }: Result): number {
	return Math.min(...samples.map(({ delivered }) => delivered));
}

function secondsOf(result: Result): number {
	return Bench.median(result, ({ seconds }) => seconds);
}

import type { Bench, Contender, Sample } from '../Bench';
import { fixed, table } from '../markdown';
import { median } from '../median';
import type { Section } from '../Section';

const EVERY_MS = 20;

/** Scenario 7: how soon a chunk is passed on. */
export async function streaming(bench: Bench): Promise<Section> {
	const executions = 50;
	const events = bench.size(200, 60);
	const contender: Contender = {
		label: 'Message node',
		peer: 'stream',
		items: executions,
		concurrency: 1,
		emulator: {},
		warmUp: false,
	};
	const samples: Sample[] = [];
	for (let round = 0; round < bench.rounds; round++) {
		const service = await bench.startStream(events, EVERY_MS);
		samples.push(await bench.sample(contender, round, service));
		bench.log(`round ${round + 1} of ${bench.rounds}`);
	}
	const medians = samples.map(({ delaysMs = [] }) => median(delaysMs));
	return {
		title: `7. ${executions} streams at once`,
		setting: `${executions} executions of one item each, in one process, under a trigger that streams; each stream has ${events} chunks, one every ${EVERY_MS} ms. Each chunk carries the moment at which the service writes it, so the time includes the way over the loopback and the work of the service's process.`,
		table: table(
			['round', 'chunks', 'median ms', '95% within ms', 'longest ms', 'completed'],
			samples.map(({ delaysMs = [], delivered }, round) => [
				String(round + 1),
				String(delaysMs.length),
				fixed(median(delaysMs), 2),
				fixed(delaysMs.toSorted((a, b) => a - b)[Math.floor(delaysMs.length * 0.95)] ?? NaN, 2),
				fixed(
					delaysMs.reduce((most, value) => Math.max(most, value), 0),
					2,
				),
				`${delivered} of ${executions}`,
			]),
		),
		goals: [
			{
				what: 'median from the writing of a chunk to `sendChunk`',
				figure: median(medians),
				digits: 2,
				unit: ' ms',
				atMost: 5,
			},
		],
	};
}

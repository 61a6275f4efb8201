import { resolve } from 'node:path';

import type { EmulatorOptions } from '../../emulator/Emulator';
import { Child } from './Child';
import type { Job, Measurement, PeerName, Service } from './Job';
import { median } from '../../test/support/median';
import type { MeasureQuestion } from './measure';
import type { Counts, HostQuestion, ServiceFailure } from './serve';

const MEASURE = resolve(__dirname, 'measure.ts');
const SERVE = resolve(__dirname, 'serve.ts');

export interface BenchOptions {
	packageFolder: string;
	/** Says whether to use small counts and few rounds, to see whether the bench itself works. */
	quick: boolean;
	/** Says whether n8n's own nodes are installed, so that they can be measured too. */
	withInstalledPeers: boolean;
	/** Holds the folder of another built and unpacked package, to compare this one with. */
	besideFolder?: string;
}

/** Describes a node with its settings and its service: one line of a table. */
export interface Contender {
	label: string;
	peer: PeerName;
	items: number;
	concurrency: number;
	batch?: Job['batch'];
	/** Holds the folder of a built and unpacked package other than this one. */
	packageFolder?: string;
	/** Holds the options of the emulator that is the service. */
	emulator: EmulatorOptions;
	/** Says what goes wrong with the service while the time is measured. */
	failure?: ServiceFailure;
	environment?: NodeJS.ProcessEnv;
	/** Says whether to run unmeasured items first, so that what is measured is compiled code. The default is true. */
	warmUp?: boolean;
	/** Counts the processes that share the service. The default is 1. A sample adds up their figures, or takes the largest. */
	processes?: number;
}

export type Sample = Measurement & Counts;

/** Describes a contender with its samples, in the order of the rounds. */
export interface Result {
	contender: Contender;
	samples: Sample[];
}

/** These peers need n8n's own nodes. */
const INSTALLED: PeerName[] = ['http-request', 'http-request-batched'];

/** Runs contenders, each in its own process, against services that share another process. */
export class Bench {
	/** Holds the service that gets the unmeasured items. */
	private warmService: Service | undefined;

	private constructor(
		readonly options: BenchOptions,
		private readonly host: Child,
	) {}

	static async start(options: BenchOptions): Promise<Bench> {
		const bench = new Bench(options, Child.start(SERVE));
		bench.warmService = await bench.askHost<Service>({ do: 'start', options: {} });
		return bench;
	}

	async end(): Promise<void> {
		await this.host.end();
	}

	/** Returns the value for a full or a quick run, whichever this is. */
	size(full: number, quick: number): number {
		return this.options.quick ? quick : full;
	}

	/**
	 * Returns the contenders whose packages are installed. With `besideFolder`, each one of this package is followed by its twin.
	 */
	available(contenders: Contender[]): Contender[] {
		const { withInstalledPeers, besideFolder: packageFolder } = this.options;
		return contenders
			.filter(({ peer }) => withInstalledPeers || !INSTALLED.includes(peer))
			.flatMap((each) =>
				packageFolder !== undefined && each.peer.startsWith('inference-')
					? [each, { ...each, label: each.label.replace('this node', 'other version'), packageFolder }]
					: [each],
			);
	}

	/** Runs every contender once in every round, one at a time. Each round begins with a different one. */
	async alternately(contenders: Contender[], rounds = this.size(5, 2)): Promise<Result[]> {
		const results: Result[] = contenders.map((contender) => ({ contender, samples: [] }));
		for (let round = 0; round < rounds; round++) {
			for (let turn = 0; turn < results.length; turn++) {
				const { contender, samples } = results[(round + turn) % results.length]!;
				const trial = await this.prepare(contender);
				samples.push(await trial());
				const { seconds } = samples.at(-1)!;
				console.log(`  round ${round + 1} of ${rounds}: ${contender.label}, ${seconds.toFixed(2)} s`);
			}
		}
		return results;
	}

	/** Runs all contenders at once in every round, each against its own service. */
	async together(contenders: Contender[], rounds: number): Promise<Result[]> {
		const results: Result[] = contenders.map((contender) => ({ contender, samples: [] }));
		for (let round = 0; round < rounds; round++) {
			const trials = [];
			for (const contender of contenders) trials.push(await this.prepare(contender));
			const samples = await Promise.all(trials.map(async (trial) => await trial()));
			for (const [index, sample] of samples.entries()) results[index]!.samples.push(sample);
			console.log(`  round ${round + 1} of ${rounds}: ${contenders.length} at once`);
		}
		return results;
	}

	/** Returns the median of a figure over the rounds. */
	static median({ samples }: Result, figure: (sample: Sample) => number): number {
		return median(samples.map(figure));
	}

	/** Starts the contender's service and processes, and lets them load everything before the time is measured. */
	private async prepare(contender: Contender): Promise<() => Promise<Sample>> {
		const { label, peer, items, concurrency, environment, processes = 1 } = contender;
		const { batch = { size: 1, intervalMs: 0 }, failure, warmUp = true } = contender;
		const service = await this.askHost<Service>({ do: 'start', options: contender.emulator });
		const job: Job = {
			peer,
			service,
			packageFolder: contender.packageFolder ?? this.options.packageFolder,
			items,
			concurrency,
			batch,
			...(warmUp && this.warmService ? { warmUp: this.warmService } : {}),
		};
		const children = Array.from({ length: processes }, () => Child.start(MEASURE, environment));
		const askAll = async <Content>(question: MeasureQuestion) =>
			await Promise.all(children.map(async (child) => await child.ask<Content>(question))).catch(
				(error: unknown) => {
					throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`);
				},
			);
		await askAll({ do: 'load', job });
		return async () => {
			if (failure) await this.askHost({ do: 'fail', url: service.url, failure });
			const measured = await askAll<Measurement>({ do: 'run' });
			await Promise.all(children.map(async (child) => await child.end()));
			const sumOf = (figure: (one: Measurement) => number) =>
				measured.reduce((sum, one) => sum + figure(one), 0);
			return {
				seconds: Math.max(...measured.map(({ seconds }) => seconds)),
				cpuSeconds: sumOf(({ cpuSeconds }) => cpuSeconds),
				peakMb: Math.max(...measured.map(({ peakMb }) => peakMb)),
				delivered: sumOf(({ delivered }) => delivered),
				...(await this.askHost<Counts>({ do: 'stop', url: service.url })),
			};
		};
	}

	private async askHost<Content>(question: HostQuestion): Promise<Content> {
		return await this.host.ask<Content>(question);
	}
}

import { resolve } from 'node:path';

import type { EmulatorOptions } from '../emulator/Emulator';
import { Child } from './Child';
import type { Job, Measurement, PeerName, Service } from './Job';
import { median } from './median';
import type { MeasureQuestion } from './measure';
import type { Counts, HostQuestion } from './serve';

const MEASURE = resolve(__dirname, 'measure.ts');
const SERVE = resolve(__dirname, 'serve.ts');

export interface BenchOptions {
	packageFolder: string;
	/** Small counts and two rounds, to see whether the bench itself works. */
	quick: boolean;
	/** Whether n8n's own nodes and Anthropic's SDK are installed. */
	withInstalledPeers: boolean;
	/** Another built package, unpacked. Scenarios that can do so compare it with this one. */
	besideFolder?: string;
	/** Folder for CPU profiles of the first round. */
	profileFolder?: string;
}

/** What is measured for one line of a table. */
export interface Contender {
	label: string;
	peer: PeerName;
	items: number;
	concurrency: number;
	batch?: Job['batch'];
	forms?: Job['forms'];
	/** A built package other than this one, unpacked. */
	packageFolder?: string;
	/** The options of the service. */
	emulator: EmulatorOptions;
	/** How many milliseconds later every byte arrives, each way. */
	delayMs?: number;
	environment?: NodeJS.ProcessEnv;
	/** Whether unmeasured items go first, so that compiled code is measured. Default true. */
	warmUp?: boolean;
}

export type Sample = Measurement & Counts;

/** A contender with its measurements, in the order of the rounds. */
export interface Result {
	contender: Contender;
	samples: Sample[];
}

const INSTALLED: PeerName[] = ['http-request', 'http-request-batched', 'anthropic-node', 'anthropic-sdk'];

/** Runs contenders, each in its own process, against services in one further process. */
export class Bench {
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

	/** The full value, or the one for a quick run. */
	size(full: number, quick: number): number {
		return this.options.quick ? quick : full;
	}

	get rounds(): number {
		return this.size(5, 2);
	}

	/** The contenders whose packages are installed. */
	available(contenders: Contender[]): Contender[] {
		return contenders.filter(({ peer }) => this.options.withInstalledPeers || !INSTALLED.includes(peer));
	}

	/** Runs every contender once in every round, one at a time. Each round begins with another one. */
	async alternately(contenders: Contender[], rounds = this.rounds): Promise<Result[]> {
		const results: Result[] = contenders.map((contender) => ({ contender, samples: [] }));
		for (let round = 0; round < rounds; round++) {
			for (let turn = 0; turn < results.length; turn++) {
				const { contender, samples } = results[(round + turn) % results.length]!;
				samples.push(await this.sample(contender, round));
				this.log(
					`round ${round + 1} of ${rounds}: ${contender.label}, ${samples.at(-1)!.seconds.toFixed(2)} s`,
				);
			}
		}
		return results;
	}

	/** Runs all contenders at once in every round, each against its own service. */
	async together(contenders: Contender[], rounds = this.rounds): Promise<Result[]> {
		const results: Result[] = contenders.map((contender) => ({ contender, samples: [] }));
		for (let round = 0; round < rounds; round++) {
			const trials: Trial[] = [];
			for (const contender of contenders) {
				const service = await this.startService(contender);
				trials.push(await this.prepare(contender, service, round));
			}
			const measurements = await Promise.all(trials.map(async (trial) => await trial.run()));
			for (const [index, { service }] of trials.entries()) {
				results[index]!.samples.push({ ...measurements[index]!, ...(await this.stopService(service)) });
			}
			this.log(`round ${round + 1} of ${rounds}: ${contenders.length} at once`);
		}
		return results;
	}

	/**
	 * Runs this many processes of each contender at once, against one service for each contender. A sample is the sum of
	 * its processes.
	 */
	async manyOfEach(contenders: Contender[], processes: number, rounds: number): Promise<Result[]> {
		const results: Result[] = contenders.map((contender) => ({ contender, samples: [] }));
		for (let round = 0; round < rounds; round++) {
			const groups: Trial[][] = [];
			for (const contender of contenders) {
				const service = await this.startService(contender);
				const group: Trial[] = [];
				for (let index = 0; index < processes; index++) {
					group.push(await this.prepare(contender, service, round));
				}
				groups.push(group);
			}
			const measured = await Promise.all(
				groups.map(async (group) => await Promise.all(group.map(async (trial) => await trial.run()))),
			);
			for (const [index, measurements] of measured.entries()) {
				results[index]!.samples.push({
					seconds: Math.max(...measurements.map(({ seconds }) => seconds)),
					cpuSeconds: sum(measurements.map(({ cpuSeconds }) => cpuSeconds)),
					peakMb: Math.max(...measurements.map(({ peakMb }) => peakMb)),
					delivered: sum(measurements.map(({ delivered }) => delivered)),
					...(await this.stopService(groups[index]![0]!.service)),
				});
			}
			this.log(`round ${round + 1} of ${rounds}: ${contenders.length} times ${processes} processes at once`);
		}
		return results;
	}

	/** @returns the median of a figure over the rounds */
	static median({ samples }: Result, figure: (sample: Sample) => number): number {
		return median(samples.map(figure));
	}

	async startStream(events: number, everyMs: number): Promise<Service> {
		return await this.askHost<Service>({ do: 'start-stream', events, everyMs });
	}

	async stopService({ url }: Service): Promise<Counts> {
		const counts = await this.askHost<Counts>({ do: 'count', url });
		await this.askHost({ do: 'stop', url });
		return counts;
	}

	async sample(contender: Contender, round: number, service?: Service): Promise<Sample> {
		const target = service ?? (await this.startService(contender));
		try {
			const trial = await this.prepare(contender, target, round);
			const measurement = await trial.run();
			return { ...measurement, ...(await this.askHost<Counts>({ do: 'count', url: target.url })) };
		} finally {
			await this.askHost({ do: 'stop', url: target.url });
		}
	}

	log(text: string): void {
		console.log(`  ${text}`);
	}

	private async startService({ emulator, delayMs }: Contender): Promise<Service> {
		return await this.askHost<Service>({ do: 'start', options: emulator, delayMs });
	}

	/** Starts the contender's process, and has it load everything. */
	private async prepare(contender: Contender, service: Service, round: number): Promise<Trial> {
		const { label, peer, items, concurrency, forms } = contender;
		const { batch = { size: 1, intervalMs: 0 }, warmUp = true } = contender;
		const { profileFolder } = this.options;
		const { packageFolder = this.options.packageFolder } = contender;
		const child = Child.start(MEASURE, contender.environment);
		const fileName = `${label.replaceAll(/\W+/g, '-')}.cpuprofile`;
		const job: Job = {
			peer,
			service,
			packageFolder,
			items,
			concurrency,
			forms,
			batch,
			...(warmUp && this.warmService ? { warmUp: this.warmService } : {}),
			...(profileFolder !== undefined && round === 0 ? { profile: resolve(profileFolder, fileName) } : {}),
		};
		const ask = async <Content>(question: MeasureQuestion): Promise<Content> =>
			await child.ask<Content>(question).catch(async (error: unknown) => {
				await child.end();
				throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`);
			});
		await ask({ do: 'load', job });
		return {
			service,
			run: async () => {
				const measurement = await ask<Measurement>({ do: 'run' });
				await child.end();
				return measurement;
			},
		};
	}

	private async askHost<Content>(question: HostQuestion): Promise<Content> {
		return await this.host.ask<Content>(question);
	}
}

interface Trial {
	service: Service;
	run(): Promise<Measurement>;
}

function sum(values: number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

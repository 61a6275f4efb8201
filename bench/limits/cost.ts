import { parseArgs } from 'node:util';

import { ServiceError } from '../../client/ServiceError';
import { fixed, table } from '../markdown';
import { median } from '../median';
import { limiter, loadDesign, type Design, type Gate } from './design';
import { row } from './row';
import { simulate, type Scenario } from './simulate';
import { VirtualClock } from './VirtualClock';

const USAGE = `Usage: npx tsx bench/limits/cost.ts [options]

  --design NAME=DIR  another checkout's limiter to compare with; as often as you like
  --without-own      leave out this checkout's limiter`;

const ROUNDS = 3;

const KINDS = ['clock', 'sliding', 'bucket'] as const;

const QUEUES = [20, 2000, 20_000];

/** The CPU time, which other processes do not lengthen as they lengthen the elapsed time. */
async function cpuMicrosecondsOf(work: () => Promise<unknown>): Promise<number> {
	const begin = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begin);
	return user + system;
}

/** What the simulation costs without a limiter. */
const open: Design = {
	...limiter,
	newGate: (): Gate => {
		const permit = { succeeded: () => undefined, throttled: () => true, overloaded: () => undefined };
		return { acquire: () => Promise.resolve(permit) };
	},
};

/** The microseconds for a request when the limit is met, including the timers of its waits. */
async function costOfRequest(scenario: Scenario, unlimited: Scenario, design: Design): Promise<number> {
	const costs: number[] = [];
	for (let seed = 1; seed <= ROUNDS; seed++) {
		let requests = 1;
		const withLimiter = await cpuMicrosecondsOf(async () => {
			({ requests } = await simulate(scenario, seed, design));
		});
		let bareRequests = 1;
		const bare = await cpuMicrosecondsOf(async () => {
			({ requests: bareRequests } = await simulate(unlimited, seed, open));
		});
		costs.push(withLimiter / requests - bare / bareRequests);
	}
	return median(costs);
}

interface QueueCost {
	enqueue: number;
	abort: number;
	start: number;
}

/** The microseconds for each of this many calls that wait at the same time. */
async function costOfQueue(calls: number, design: Design): Promise<QueueCost> {
	const costs: QueueCost[] = [];
	const repetitions = Math.max(1, Math.round(2000 / calls));
	for (let round = 0; round < ROUNDS; round++) {
		const cost: QueueCost = { enqueue: 0, abort: 0, start: 0 };
		for (let repetition = 0; repetition < repetitions; repetition++) {
			const clock = new VirtualClock(1e9);
			const gate = design.newGate(clock, () => 0.5);
			const execution = new design.budgets.ExecutionBudget(calls);
			const newItem = () => new design.budgets.WaitBudget(execution, 3_600_000);
			const never = new AbortController().signal;
			const refused = await gate.acquire(newItem(), never);
			const facts = { kind: 'status', httpStatus: 429, message: '', retryAfterMs: 1000 } as const;
			refused.throttled(new ServiceError(facts));
			const waiting: Array<Promise<unknown>> = [];
			const controllers = Array.from({ length: calls }, () => new AbortController());
			cost.enqueue += await cpuMicrosecondsOf(async () => {
				for (const { signal } of controllers) {
					waiting.push(gate.acquire(newItem(), signal).then((permit) => permit.succeeded()));
				}
				await Promise.resolve();
			});
			const all = Promise.allSettled(waiting);
			const half = controllers.filter((_, index) => index % 2 === 1);
			cost.abort += await cpuMicrosecondsOf(async () => {
				for (const controller of half) controller.abort();
				await Promise.resolve();
			});
			cost.start += await cpuMicrosecondsOf(() => clock.run(all));
		}
		const perCall = calls * repetitions;
		costs.push({
			enqueue: cost.enqueue / perCall,
			abort: cost.abort / (perCall / 2),
			start: cost.start / (perCall / 2),
		});
	}
	return {
		enqueue: median(costs.map(({ enqueue }) => enqueue)),
		abort: median(costs.map(({ abort }) => abort)),
		start: median(costs.map(({ start }) => start)),
	};
}

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			design: { type: 'string', multiple: true, default: [] },
			'without-own': { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	const designs = flags['without-own'] ? [] : [limiter];
	for (const design of flags.design) {
		const [name, folder] = design.split('=');
		designs.push(await loadDesign(name!, folder!));
	}
	const ofRequests: string[][] = [];
	const ofQueues: string[][] = [];
	for (const design of designs) {
		const figures: string[] = [];
		for (const kind of KINDS) {
			const options = { perMinute: 600, items: 6000 };
			const { scenario } = row({ ...options, kind });
			const unlimited = row({ ...options, kind: 'no limit' }).scenario;
			figures.push(fixed(await costOfRequest(scenario, unlimited, design), 1));
		}
		ofRequests.push([design.name, ...figures]);
		for (const calls of QUEUES) {
			const { enqueue, abort, start } = await costOfQueue(calls, design);
			ofQueues.push([design.name, String(calls), fixed(enqueue, 1), fixed(abort, 1), fixed(start, 1)]);
		}
	}
	console.log('Microseconds of CPU for a request where a limit of 600 a minute is met:\n');
	console.log(table(['design', ...KINDS], ofRequests));
	console.log('\nMicroseconds of CPU for each of this many calls that wait at once:\n');
	console.log(table(['design', 'calls', 'to wait', 'to abort', 'to start'], ofQueues));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

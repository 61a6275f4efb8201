import type { RateLimit } from '../../emulator/Emulator';
import type { Bench, Contender, Result } from '../Bench';
import { median } from '../median';
import { fixed, table } from '../markdown';
import type { FormArrivals } from '../Job';
import type { Goal, Section } from '../Section';
import { refusedPercent } from './rateLimit';

const MINUTE_S = 60;

interface Load {
	label: string;
	/** How many items one execution has. */
	items: number;
	forms?: FormArrivals;
	limit: RateLimit;
	/** After how many seconds a client that knew the limit would be done. */
	idealSeconds: number;
	mostRefused: number;
}

/** Scenario 10: executions that share a limit, in real time. */
export async function sharedLimit(bench: Bench): Promise<Section> {
	const loads = loadsOf(bench);
	const { besideFolder } = bench.options;
	const ofThis = loads.map((load) => contenderOf(load, 'this node'));
	const ofOther =
		besideFolder === undefined ? [] : loads.map((load) => contenderOf(load, 'other clone', besideFolder));
	const results = await bench.together([...ofThis, ...ofOther], 1);
	const rows = loads.flatMap((load, index) =>
		results
			.filter((_, position) => position % loads.length === index)
			.map((result) => [result.contender.label, ...cellsOf(load, result)]),
	);
	return {
		title: '10. Executions that share a limit, over sockets, in real time',
		setting: `Default transport, 8 at once in an execution, 50 ms service, one run of each, all at the same time, each against its own service and limit. A form submission is an execution of one item. Ideal: the time that a client needs if it knows the limit. The first 8 refusals, one for each request that may be in flight, are not counted. A machine that is busy with other things makes the figures worse: requests then start late, and the places that have come back meanwhile are lost.${besideFolder === undefined ? '' : ' "Other clone" is the package of another commit.'}`,
		table: table(
			[
				'',
				'delivered',
				'seconds',
				'of the ideal',
				'refused',
				'most in flight',
				'wait of a form: median, s',
				'longest, s',
			],
			rows,
		),
		goals: loads.flatMap((load, index) => goalsOf(load, results[index]!)),
	};
}

function loadsOf(bench: Bench): Load[] {
	const rush = { count: bench.size(150, 20), everyMs: bench.size(67, 20) };
	const steady = { count: bench.size(24, 4), everyMs: 5000 };
	const perMinute = { rush: bench.size(60, 10), run: bench.size(120, 30) };
	const run = bench.size(300, 60);
	const besideForms = bench.size(240, 40);
	const sliding = (max: number, countsRefused = false): RateLimit => ({
		kind: 'sliding-window',
		max,
		windowMs: 60_000,
		countsRefused,
		limit: 'RPM',
	});
	const burst = 20;
	return [
		{
			label: `${rush.count} forms at a rush, RPM ${perMinute.rush} sliding`,
			items: 0,
			forms: rush,
			limit: sliding(perMinute.rush),
			idealSeconds: windowsBefore(rush.count, perMinute.rush),
			mostRefused: 10,
		},
		{
			label: `${rush.count} forms at a rush, RPM ${perMinute.rush} sliding, refused requests count`,
			items: 0,
			forms: rush,
			limit: sliding(perMinute.rush, true),
			idealSeconds: windowsBefore(rush.count, perMinute.rush),
			mostRefused: 15,
		},
		{
			label: `${run} items, RPM ${perMinute.run} sliding`,
			items: run,
			limit: sliding(perMinute.run),
			idealSeconds: windowsBefore(run, perMinute.run),
			mostRefused: 10,
		},
		{
			label: `${besideForms} items and a form every 5 s, RPM ${perMinute.run} sliding`,
			items: besideForms,
			forms: steady,
			limit: sliding(perMinute.run),
			idealSeconds: windowsBefore(besideForms + steady.count, perMinute.run),
			mostRefused: 10,
		},
		{
			label: `${besideForms} items and a form every 5 s, ${perMinute.run / MINUTE_S}/s, burst ${burst}`,
			items: besideForms,
			forms: steady,
			limit: { perSecond: perMinute.run / MINUTE_S, burst, limit: 'RPM' },
			idealSeconds: ((besideForms + steady.count - burst) * MINUTE_S) / perMinute.run,
			mostRefused: 10,
		},
	];
}

/** How many seconds pass before the last of this many requests may start. */
function windowsBefore(requests: number, perMinute: number): number {
	return Math.floor((requests - 1) / perMinute) * MINUTE_S;
}

function contenderOf({ label, items, forms, limit }: Load, by: string, packageFolder?: string): Contender {
	return {
		label: `${by}: ${label}`,
		peer: 'inference-forms',
		items: items + (forms?.count ?? 0),
		forms,
		concurrency: 8,
		packageFolder,
		emulator: { latencyMs: 50, recordRequests: true, rateLimit: limit },
		// When forms arrive during a run, they are too rare to wait for them twice.
		warmUp: forms === undefined || items === 0,
	};
}

function cellsOf({ items, forms, idealSeconds }: Load, result: Result): string[] {
	const { delivered, seconds, maxInFlight, delaysMs = [] } = result.samples[0]!;
	const all = items + (forms?.count ?? 0);
	const waits = forms ? [median(delaysMs), Math.max(...delaysMs)] : [];
	return [
		`${delivered} of ${all}`,
		fixed(seconds, 1),
		delivered === all ? fixed(seconds / idealSeconds, 2) : 'incomplete',
		`${fixed(refusedPercent(withoutFirst(result)), 1)}%`,
		String(maxInFlight),
		...(forms ? waits.map((wait) => fixed(wait / 1000, 1)) : ['', '']),
	];
}

/**
 * When a limit is first met, requests in flight are refused. These refusals cannot be avoided, so they do not count.
 */
function withoutFirst({ contender, samples }: Result): Result {
	const known = samples.map((sample) => ({
		...sample,
		refused: Math.max(0, sample.refused - contender.concurrency),
	}));
	return { contender, samples: known };
}

function goalsOf({ items, forms, idealSeconds, mostRefused }: Load, result: Result): Goal[] {
	const { label } = result.contender;
	const all = items + (forms?.count ?? 0);
	const of = (name: string) => `${label}: ${name}`;
	return [
		{
			what: of('delivered'),
			figure: result.samples[0]!.delivered,
			digits: 0,
			unit: ` of ${all}`,
			atLeast: all,
		},
		{
			what: of('time, compared with the ideal'),
			figure: result.samples[0]!.seconds / idealSeconds,
			digits: 2,
			unit: '',
			atMost: 1.15,
		},
		{
			what: of('refused'),
			figure: refusedPercent(withoutFirst(result)),
			digits: 1,
			unit: '%',
			atMost: mostRefused,
		},
	];
}

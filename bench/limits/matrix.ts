import { median } from '../median';
import { simulate, type GateFactory, type Outcome, type Scenario } from './simulate';
import {
	ClockWindow,
	FirstRequestWindow,
	SlidingWindow,
	TokenBucket,
	type LimitAt,
	type ServiceLimit,
} from './ServiceLimit';

const MINUTE_MS = 60_000;

type Kind = 'clock' | 'anchored' | 'first' | 'sliding' | 'bucket' | 'small bucket';

function limitOf(kind: Kind, limit: LimitAt, perMinute: number, countsRefused = false, burst?: number) {
	return (random: () => number, beginMs: number): ServiceLimit => {
		switch (kind) {
			case 'clock':
				return new ClockWindow({ limit, countsRefused, offsetMs: (random() - 0.5) * 1000 });
			case 'anchored':
				return new ClockWindow({
					limit,
					countsRefused,
					offsetMs: (beginMs % MINUTE_MS) + random() * MINUTE_MS,
				});
			case 'first':
				return new FirstRequestWindow({ limit, countsRefused });
			case 'sliding':
				return new SlidingWindow({ limit, countsRefused });
			case 'bucket':
				return new TokenBucket({ limit, countsRefused, burst: perMinute });
			case 'small bucket':
				return new TokenBucket({
					limit,
					countsRefused,
					burst: burst ?? (perMinute >= 20_000 ? 2000 : Math.max(2, Math.round(perMinute / 30))),
				});
		}
	};
}

export interface Row {
	scenario: Scenario;
	goal: { time: number; refused: number };
}

const exact = (leftMs: number) => Math.ceil(leftMs / 1000) * 1000;

interface RowOptions extends Partial<Scenario> {
	kind: Kind;
	perMinute: number;
	windows?: number;
	countsRefused?: boolean;
	/** Of a small bucket. */
	burst?: number;
	changed?: { atMs: number; perMinute: number };
	goal?: { time?: number; refused?: number };
	label?: string;
}

function row(options: RowOptions): Row {
	const {
		kind,
		perMinute,
		windows = 4.4,
		countsRefused,
		burst,
		changed,
		goal,
		label = '',
		...rest
	} = options;
	const limitFor = (share: number) => (random: () => number, beginMs: number) => {
		const limit: LimitAt = (atMs) =>
			share * (changed && atMs - beginMs >= changed.atMs ? changed.perMinute : perMinute);
		return limitOf(kind, limit, perMinute * share, countsRefused, burst)(random, beginMs);
	};
	const { latencyMs = 50 } = rest;
	const concurrency = rest.concurrency ?? concurrencyFor(perMinute / (rest.cost ? 575 : 1), latencyMs);
	const items = rest.items ?? Math.ceil((perMinute / (rest.cost ? 575 : 1)) * windows);
	const time = goal?.time ?? (rest.cost ? 1.2 : kind.includes('bucket') || rest.header ? 1.1 : 1.15);
	const header = rest.header ? (label.includes('Retry-After') ? '' : ', exact Retry-After') : '';
	return {
		scenario: {
			name: `${rest.cost ? 'TPM' : 'RPM'} ${perMinute} ${kind}${header}${countsRefused ? ', refused count' : ''}${label}, ${latencyMs} ms, ${concurrency} at once`,
			limit: limitFor(1),
			idealLimit: rest.othersPerMinute ? limitFor(0.5) : undefined,
			...rest,
			items,
			concurrency,
			latencyMs,
		},
		goal: { time, refused: goal?.refused ?? (rest.cost || countsRefused ? 0.15 : 0.1) },
	};
}

/** Enough to meet the limit. */
function concurrencyFor(perMinute: number, latencyMs: number): number {
	const needed = (perMinute / 60) * (latencyMs / 1000) * 2;
	return needed <= 8 ? 8 : needed <= 32 ? 32 : 64;
}

const tokens = (random: () => number) => Math.round(150 + 850 * random());

const KINDS: Kind[] = ['clock', 'anchored', 'first', 'sliding', 'bucket', 'small bucket'];

export const matrix: Row[] = [
	...[50, 1000].flatMap((latencyMs) => [
		...KINDS.map((kind) => row({ kind, perMinute: 60, latencyMs })),
		...KINDS.map((kind) => row({ kind, perMinute: 60, latencyMs, header: exact })),
		...KINDS.map((kind) => row({ kind, perMinute: 10, latencyMs, windows: 6 })),
		...KINDS.map((kind) => row({ kind, perMinute: 1000, latencyMs, windows: 4.4 })),
		...KINDS.map((kind) => row({ kind, perMinute: 20_000, latencyMs, cost: tokens, limitName: 'TPM' })),
		...KINDS.map((kind) =>
			row({ kind, perMinute: 60, latencyMs, formsOverMs: 10_000, items: 200, label: ', 200 forms in 10 s' }),
		),
	]),
	...KINDS.filter((kind) => !kind.includes('bucket')).map((kind) =>
		row({ kind, perMinute: 60, countsRefused: true }),
	),
	row({
		kind: 'sliding',
		perMinute: 60,
		countsRefused: true,
		formsOverMs: 10_000,
		items: 200,
		label: ', 200 forms in 10 s',
	}),
	row({
		kind: 'clock',
		perMinute: 60,
		header: exact,
		formsOverMs: 10_000,
		items: 200,
		label: ', 200 forms in 10 s',
	}),
	row({
		kind: 'sliding',
		perMinute: 60,
		header: exact,
		formsOverMs: 10_000,
		items: 200,
		label: ', 200 forms in 10 s',
	}),
	row({ kind: 'sliding', perMinute: 120, formsOverMs: 200_000, items: 600, label: ', 3 forms a second' }),
	row({ kind: 'small bucket', perMinute: 600, items: 200, label: ' burst 20' }),
	...[{}, { latencyMs: 1000 }, { header: () => 1000 }].map((options) =>
		row({
			kind: 'small bucket',
			perMinute: 600,
			items: 200,
			processes: 4,
			...options,
			label: ` burst 20${options.header ? ', Retry-After 1 s' : ''}, 4 processes`,
			goal: { time: 1.25, refused: 0.15 },
		}),
	),
	row({ kind: 'small bucket', perMinute: 6000, items: 1500, burst: 10, label: ' burst 10' }),
	row({ kind: 'clock', perMinute: 6000, windows: 3.3 }),
	row({ kind: 'sliding', perMinute: 6000, windows: 3.3 }),
	row({ kind: 'bucket', perMinute: 6000, windows: 3.3 }),
	...(['clock', 'sliding', 'bucket'] as const).flatMap((kind) => [
		row({ kind, perMinute: 60, header: () => 1000, label: ', Retry-After 1 s' }),
		row({ kind, perMinute: 60, header: () => 0, label: ', Retry-After 0' }),
		row({
			kind,
			perMinute: 60,
			othersPerMinute: 30,
			label: ', another takes half',
			goal: { time: 1.25, refused: 0.15 },
		}),
		row({ kind, perMinute: 60, items: 400, changed: { atMs: 130_000, perMinute: 120 }, label: ', doubled' }),
		row({ kind, perMinute: 120, items: 400, changed: { atMs: 130_000, perMinute: 60 }, label: ', halved' }),
		row({
			kind,
			perMinute: 300,
			items: 300,
			processes: 4,
			label: ', 4 processes',
			goal: { time: 1.25, refused: 0.15 },
		}),
	]),
];

/** Medians of the runs of a row, and the most items that one of them lost. */
export interface Figures {
	items: number;
	lost: number;
	/** Of the ideal. */
	time: number;
	/** Share of the requests. */
	refused: number;
}

/** @param seeds how many runs */
export async function measureRow({ scenario }: Row, seeds: number, gates?: GateFactory): Promise<Figures> {
	const outcomes: Outcome[] = [];
	for (let seed = 1; seed <= seeds; seed++) outcomes.push(await simulate(scenario, seed, gates));
	return {
		items: outcomes[0]!.items,
		lost: Math.max(...outcomes.map(({ failed }) => failed)),
		time: median(outcomes.map(({ timeMs, idealMs }) => timeMs / idealMs)),
		refused: median(outcomes.map(({ refusedShare }) => refusedShare)),
	};
}

/** Whether the figures reach the row's goals. */
export function isKept({ goal }: Row, { lost, time, refused }: Figures): boolean {
	return lost === 0 && time <= goal.time && refused <= goal.refused;
}

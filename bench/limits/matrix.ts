import { exact, row, tokens, type Kind, type Row } from './row';

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

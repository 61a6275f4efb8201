import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from '../Bench';
import { measureMatrix } from '../limits/measureMatrix';
import type { Section } from '../Section';

const REASON = `What falls short, and why:

- A bucket of two at 1 s of latency: a refusal is known only a second after it, and so is the end of an outage. For that time nothing starts, and the bucket, which holds two, overflows. Going on meanwhile would win the time and cost more refusals than the goal allows.
- RPM 10: a minute has ten requests, so that the few refusals by which the limit is learned are a large share of all.
- RPM 6000 as a bucket of ten: it is empty and full again within a tenth of a second. The first outages tell a lower bound of its rate only, which then grows.
- 4 processes at one bucket: together they use the limit in full, until the first of them are done. Their shares are unequal, though, and the rate of those that are left grows too slowly to take what has become free; now and then one of them takes the bucket for a window.

Beyond the rows:

- A run in which every tenth item is refused whatever the limit is: these hold their places until their Max Wait is over, so that 200 items, 8 at once, take some 800 s.
- A bucket of two at RPM 60 and 1 s of latency serves 200 forms in 210 to 295 s, which comes close to the default Max Wait of 300 s: single forms may fail there.`;

/** 11: the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const { besideFolder } = bench.options;
	const seeds = bench.size(9, 1);
	const hasGates = besideFolder !== undefined && existsSync(join(besideFolder, 'client', 'RateGate.ts'));
	const measured = await measureMatrix({ seeds, oldFolder: hasGates ? besideFolder : undefined });
	return {
		title: '11. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service; medians of ${seeds} seeds. "clock" and "anchored": fixed windows that turn with the clock's minute, and at any moment of it; "first": windows that begin with the first request; "small bucket": a burst of a thirtieth of the limit, two at least. Time: of the ideal, what a client needs that knows the limit and when it has places. The first refusals, one for each request that may be in flight, are not counted. "Another takes half": the ideal has the other half only, and a client that pushes the other aside is faster than that.${hasGates ? ' "Beside": a commit with a limiter for each execution.' : ''}`,
		table: measured.table,
		goals: [
			{
				what: 'rows that reach their goals',
				figure: measured.kept,
				digits: 0,
				unit: ` of ${measured.rows}`,
				atLeast: measured.rows,
			},
		],
		reason: REASON,
	};
}

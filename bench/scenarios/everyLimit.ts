import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from '../Bench';
import { limiter, loadDesign } from '../limits/design';
import { matrix } from '../limits/matrix';
import { measureMatrix } from '../limits/measureMatrix';
import { weathers } from '../limits/weathers';
import type { Section } from '../Section';

const REASON = `Why a row may fall short:

- Processes at one bucket: none can know what the others get. A refusal meets whoever sends just then, and says only that all of them together were too fast, so how unequal the shares become is a matter of luck. Of 100 seeds at RPM 600 with a burst of 20, one in ten takes 1.42 of the ideal or more, and the slowest 2.46. Beyond the rows: 8 processes take 1.62, and 4 of 60 items each at a bucket of two at RPM 60 take 1.87, where 3% of the items wait longer than their Max Wait of 300 s (the ideal is 238 s).
- RPM 10: a minute has ten requests, so that one refusal more is 1.2% of all. To learn the rate of a bucket takes a refusal that finds it empty and another that ends the first stretch; a client that does not know the limit cannot do without these.`;

/** Scenario 11: the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const { besideFolder } = bench.options;
	const seeds = bench.size(9, 1);
	const hasLimiter =
		besideFolder !== undefined && existsSync(join(besideFolder, 'client', 'limiter', 'Limiter.ts'));
	const rows = [...matrix, ...weathers];
	const designs = hasLimiter ? [limiter, await loadDesign('other clone', besideFolder)] : [limiter];
	const measured = await measureMatrix(rows, { designs, seeds });
	return {
		title: '11. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service; medians of ${seeds} seeds. "clock" and "anchored": fixed windows that turn with the clock's minute, and at any moment of it; "first": windows that begin with the first request; "small bucket": a burst of a thirtieth of the limit, two at least. Time: of the ideal, what a client needs that knows the limit and when it has places. The first refusals, one for each request that may be in flight, are not counted. "Another takes half": the ideal has the other half only, and a client that pushes the other aside is faster than that.${hasLimiter ? ' "Other clone": the limiter of another commit.' : ''}`,
		table: `${measured.groups}\n\n${measured.rows}`,
		goals: [
			{
				what: 'rows that reach their goals',
				figure: measured.kept[0]!,
				digits: 0,
				unit: ` of ${rows.length}`,
				atLeast: rows.length,
			},
		],
		reason: REASON,
	};
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from '../Bench';
import { measureMatrix } from '../limits/measureMatrix';
import type { Section } from '../Section';

const REASON = `Why a row may fall short:

- 4 processes at one bucket: none can know what the others get. A refusal meets whoever sends just then, and says only that all of them together were too fast. How unequal the shares become is a matter of luck, and so is how long the last process takes to find that the others are done.
- RPM 10: a minute has ten requests, so that one refusal more is 1.2 % of all. To learn the rate of a bucket takes a refusal that finds it empty and another that ends the first stretch; a client that does not know the limit cannot do without these.`;

/** What the rows do not show. */
const BEYOND = `An item that is refused whatever the limit is waits until its Max Wait is over, as its settings ask for, and holds its place in the run meanwhile: with every tenth of 200 items, 8 at once, and 300 s of Max Wait, that makes 750 s at least, as 20 such items share 8 places. Those that are well are all delivered. Where each item is an execution of its own, as with forms, nobody waits for a place, and these are done within 311 s.`;

/** 11: the limiter alone, against every kind of limit, in virtual time. */
export async function everyLimit(bench: Bench): Promise<Section> {
	const { besideFolder } = bench.options;
	const seeds = bench.size(9, 1);
	const hasGates = besideFolder !== undefined && existsSync(join(besideFolder, 'client', 'RateGate.ts'));
	const measured = await measureMatrix({ seeds, oldFolder: hasGates ? besideFolder : undefined });
	return {
		title: '11. Every kind of limit, in virtual time',
		setting: `The limiter alone against a simulated service; medians of ${seeds} seeds. "clock" and "anchored": fixed windows that turn with the clock's minute, and at any moment of it; "first": windows that begin with the first request; "small bucket": a burst of a thirtieth of the limit, two at least. Time: of the ideal, what a client needs that knows the limit and when it has places. The first refusals, one for each request that may be in flight, are not counted. "Another takes half": the ideal has the other half only, and a client that pushes the other aside is faster than that. ${BEYOND}${hasGates ? ' "Beside": a commit with a limiter for each execution.' : ''}`,
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

import { median } from '../median';
import type { Row } from './row';
import { limiter } from './design';
import { simulate, type Outcome } from './simulate';

/** Medians of the runs of a row, and the worst figures for what must never happen. */
export interface Figures {
	items: number;
	/** The largest number of items that one of the runs lost. */
	lost: number;
	/** The time as a multiple of the ideal sender's. */
	time: number;
	/** The share of the requests that were refused. */
	refused: number;
	othersShare: number;
	processRatio: number;
	worstSpan: number;
	/** The highest number in any run. */
	startsBeforeForm: number;
	/** In milliseconds; NaN without forms. */
	formWaitMs: number;
	/** The error that ended a run early. */
	error?: Error;
}

/**
 * @param seeds how many runs
 * @param firstSeed of the first run
 */
export async function measureRow(
	{ scenario }: Row,
	seeds: number,
	design = limiter,
	firstSeed = 1,
): Promise<Figures> {
	const outcomes: Outcome[] = [];
	let failure: Error | undefined;
	for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
		try {
			outcomes.push(await simulate(scenario, seed, design));
		} catch (error) {
			failure = error as Error;
		}
	}
	const medianOf = (figure: (outcome: Outcome) => number) => median(outcomes.map(figure));
	return {
		...(failure && { error: failure }),
		items: outcomes[0]?.items ?? NaN,
		lost: Math.max(...outcomes.map(({ lost }) => lost)),
		time: medianOf(({ timeMs, idealMs }) => timeMs / idealMs),
		refused: medianOf(({ refusedShare }) => refusedShare),
		othersShare: medianOf(({ othersShare }) => othersShare),
		processRatio: medianOf(({ processRatio }) => processRatio),
		worstSpan: medianOf(({ worstSpan }) => worstSpan),
		startsBeforeForm: Math.max(...outcomes.map(({ startsBeforeForm }) => startsBeforeForm)),
		formWaitMs: medianOf(({ formWaitsMs }) => median(formWaitsMs)),
	};
}

type GoalName = 'threw' | 'lost' | 'time' | 'refused' | 'others' | 'processes' | 'span' | 'turns';

/** The goals that the row does not reach. */
export function missedGoals({ goal }: Row, figures: Figures): GoalName[] {
	const { lost = 0, othersShare = 0, processRatio = Infinity, worstSpan = 0 } = goal;
	const { startsBeforeForm = Infinity } = goal;
	const missed: GoalName[] = [];
	if (figures.error) missed.push('threw');
	if (figures.lost > lost) missed.push('lost');
	if (!(figures.time <= goal.time)) missed.push('time');
	if (!(figures.refused <= goal.refused)) missed.push('refused');
	if (figures.othersShare < othersShare) missed.push('others');
	if (figures.processRatio > processRatio) missed.push('processes');
	if (figures.worstSpan < worstSpan) missed.push('span');
	if (figures.startsBeforeForm > startsBeforeForm) missed.push('turns');
	return missed;
}

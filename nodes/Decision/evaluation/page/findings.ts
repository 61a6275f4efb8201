import { countOf } from '../../../shared/text/countOf';
import { grouped } from '../../../shared/text/grouped';
import type { Figures } from '../evaluateRows';
import { percent, precisePercent } from '../percent';
import { TRUSTED_ROWS, type ThresholdFigures } from '../thresholds';
import { observationsToShow } from '../wilsonInterval';
import { html, type Html } from './html';
import { decimal } from './wording';

/** What the rows say about thresholds, in a sentence. */
export function thresholdFinding(figures: Figures): Html {
	const { rows, unanswered, recommended, targetAccuracy, thresholds } = figures;
	if (unanswered === rows) return html`${noneOf(rows, 'an answer')}`;
	if (recommended) {
		const shares = `${percent(recommended.coverage)} of rows are decided, ${percent(recommended.accuracy!)} of them correctly`;
		return recommended === thresholds[0]
			? html`No threshold is needed: ${shares}`
			: html`At a threshold of ${decimal(recommended.threshold)}, ${shares}`;
	}
	if (!hasConfidence(figures)) return html`${noneOf(rows, 'a confidence')}, so no threshold can be shown`;
	return html`${these(rows)} cannot show a threshold at which ${percent(targetAccuracy)} of decided rows are
	correct`;
}

/** What a threshold does to the share of correct answers, in a sentence. */
export function thresholdEffect({ recommended, thresholds, targetAccuracy }: Figures): Html {
	const [all] = thresholds;
	if (recommended && recommended !== all) {
		return html`A threshold of ${decimal(recommended.threshold)} raises the share of correct answers from
		${percent(all!.accuracy!)} to ${percent(recommended.accuracy!)}`;
	}
	if (recommended) return html`The target of ${percent(targetAccuracy)} is reached without a threshold`;
	const best = strongest(thresholds);
	return html`At best, at a threshold of ${decimal(best.threshold)}, at least
	${precisePercent(best.accuracy_low!)} of decided rows are correct`;
}

/** The reason for the finding, or why the rows cannot show more. */
export function thresholdReason({ rows, recommended, targetAccuracy, thresholds }: Figures): Html {
	if (recommended) {
		return html`${decimal(recommended.threshold)} is the lowest threshold at which
		${rows === 1 ? 'this row shows' : 'these rows show'} that at least ${percent(targetAccuracy)} of decided
		rows are correct: with 95% confidence, at least ${precisePercent(recommended.accuracy_low!)} are.`;
	}
	const needed = observationsToShow(targetAccuracy);
	if (needed === Infinity) return html`No number of rows can show that every answer is correct.`;
	const { acted_on: actedOn } = strongest(thresholds);
	const shown = html`This is what ${countOf(actedOn, 'decided row shows', 'decided rows show')} with 95%
	confidence.`;
	return rows < needed
		? html`${shown} Even without a mistake, it takes ${grouped(needed)} decided rows to show
			${percent(targetAccuracy)}.`
		: html`${shown} Improve the questions, add rows, or accept less than ${percent(targetAccuracy)}.`;
}

/** How far a recommended threshold can be trusted; nothing if none is recommended. */
export function secondLook({ recommended, thresholds }: Figures): Html | undefined {
	if (!recommended) return undefined;
	const rows = thresholds[0]!.acted_on;
	if (rows >= TRUSTED_ROWS) {
		return html`This threshold was chosen from these rows, so check it once on others.`;
	}
	return html`<b>Check this threshold on other rows:</b> it was chosen from only ${countOf(rows, 'row')}. If a
		model is overconfident, up to one in five thresholds chosen from 150 rows misses its target. From
		${grouped(TRUSTED_ROWS)} rows, fewer than one in ten does, and mostly by less than a point.`;
}

function strongest(thresholds: ThresholdFigures[]): ThresholdFigures {
	return thresholds.reduce((a, b) => ((b.accuracy_low ?? -1) > (a.accuracy_low ?? -1) ? b : a));
}

/** Whether any answer can be compared with a threshold. */
export function hasConfidence({ calibration }: Figures): boolean {
	return calibration.some(({ count }) => count > 0);
}

function these(rows: number): string {
	return rows === 1 ? 'This row' : `These ${grouped(rows)} rows`;
}

function noneOf(rows: number, what: string): string {
	return rows === 1 ? `This row does not have ${what}` : `None of these ${grouped(rows)} rows has ${what}`;
}

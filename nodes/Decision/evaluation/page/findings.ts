import type { Figures } from '../evaluateRows';
import { percent, precisePercent } from '../percent';
import type { ThresholdFigures } from '../thresholds';
import { observationsToShow } from '../wilsonInterval';
import { html, type Html } from './html';
import { countOf, decimal, whole } from './wording';

/** What the rows say about thresholds, in a sentence. */
export function thresholdFinding(figures: Figures): Html {
	const { rows, unanswered, recommended, targetAccuracy, thresholds } = figures;
	if (unanswered === rows) return html`${noneOf(rows, 'an answer')}`;
	if (recommended) {
		const shares = `${percent(recommended.coverage)} of rows are decided, ${percent(recommended.accuracy!)} of them right`;
		return recommended === thresholds[0]
			? html`No threshold is needed: ${shares}`
			: html`At ${decimal(recommended.threshold)}, ${shares}`;
	}
	if (!hasConfidence(figures)) return html`${noneOf(rows, 'a confidence')}, so no threshold can be shown`;
	return html`${these(rows)} cannot show a threshold at which ${percent(targetAccuracy)} of decided rows are
	right`;
}

/** What a threshold does to the share that is right, in a sentence. */
export function thresholdEffect({ recommended, thresholds, targetAccuracy }: Figures): Html {
	const [all] = thresholds;
	if (recommended && recommended !== all) {
		return html`A threshold of ${decimal(recommended.threshold)} takes the share that is right from
		${percent(all!.accuracy!)} to ${percent(recommended.accuracy!)}`;
	}
	if (recommended) return html`The target of ${percent(targetAccuracy)} is reached without a threshold`;
	const best = strongest(thresholds);
	return html`At best, at ${decimal(best.threshold)}, at least ${precisePercent(best.accuracy_low!)} of
	decided rows are right`;
}

/** What stands behind the finding, or keeps the rows from showing more. */
export function thresholdReason({ rows, recommended, targetAccuracy, thresholds }: Figures): Html {
	if (recommended) {
		return html`${decimal(recommended.threshold)} is the lowest threshold at which at least
		${percent(targetAccuracy)} of decided rows are right with 95 % confidence: here, at least
		${precisePercent(recommended.accuracy_low!)}. It was chosen on ${rows === 1 ? 'this row' : 'these rows'},
		so check it on others.`;
	}
	const needed = observationsToShow(targetAccuracy);
	if (needed === Infinity) return html`No number of rows can show that every answer is right.`;
	const { acted_on: actedOn } = strongest(thresholds);
	return html`That is shown with 95 % confidence by ${countOf(actedOn, 'decided row')}. Even without a single
	mistake, it takes ${whole(needed)} of them to show ${percent(targetAccuracy)}.`;
}

function strongest(thresholds: ThresholdFigures[]): ThresholdFigures {
	return thresholds.reduce((a, b) => ((b.accuracy_low ?? -1) > (a.accuracy_low ?? -1) ? b : a));
}

/** Whether any answer can be compared with a threshold. */
export function hasConfidence({ calibration }: Figures): boolean {
	return calibration.some(({ count }) => count > 0);
}

function these(rows: number): string {
	return rows === 1 ? 'This row' : `These ${whole(rows)} rows`;
}

function noneOf(rows: number, what: string): string {
	return rows === 1 ? `This row does not have ${what}` : `None of these ${whole(rows)} rows has ${what}`;
}

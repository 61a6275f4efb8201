import type { Figures } from '../evaluateRows';
import { observationsToShow } from '../wilsonInterval';
import { html, type Html } from './html';
import { countOf, decimal, percent, precisePercent, whole } from './wording';

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

/** What stands behind the finding, or keeps the rows from showing more. */
export function thresholdReason(figures: Figures): Html | undefined {
	const { recommended, targetAccuracy, rows } = figures;
	if (!hasConfidence(figures)) return undefined;
	if (recommended) {
		return html`It is the lowest threshold at which at least ${percent(targetAccuracy)} of decided rows are
		right with 95 % confidence (here at least ${precisePercent(recommended.accuracy_low!)}). It was chosen on
		these rows, so check it on others.`;
	}
	const needed = observationsToShow(targetAccuracy);
	const demand =
		needed === Infinity
			? html`No number of rows can show that every answer is right.`
			: html`Without a single mistake, it takes at least ${countOf(needed, 'decided row')} to show
				${percent(targetAccuracy)} with 95 % confidence.`;
	const best = figures.thresholds.reduce((a, b) => ((b.accuracy_low ?? -1) > (a.accuracy_low ?? -1) ? b : a));
	return html`The most that ${rows === 1 ? 'it shows' : 'they show'} is at least
	${precisePercent(best.accuracy_low!)} at ${decimal(best.threshold)}, where ${whole(best.acted_on)} of
	${countOf(rows, 'row')} ${best.acted_on === 1 ? 'is' : 'are'} decided. ${demand}`;
}

/** Whether any answer can be compared with a threshold. */
export function hasConfidence({ calibration }: Figures): boolean {
	return calibration.some(({ count }) => count > 0);
}

function these(rows: number): string {
	return rows === 1 ? 'This 1 row' : `These ${whole(rows)} rows`;
}

function noneOf(rows: number, what: string): string {
	return rows === 1 ? `This 1 row does not have ${what}` : `None of these ${whole(rows)} rows has ${what}`;
}

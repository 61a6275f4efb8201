import { countOf, formatNumber } from '../../../shared/text/wording';
import type { CertainType, EvaluatedFields } from '../evaluatedFields';
import type { Figures } from '../evaluateRows';
import type { ThresholdFigures } from '../thresholds';
import { observationsToShow } from '../wilsonInterval';
import { figureTable, plot } from './drawing';
import { areMisspelt } from './explainNoMatch';
import { html, percent, percentOrNone, precisePercent, quoted, type Html } from './html';

/** The vertical axis starts at 0, 20, 40, 60 or 80%, so that its quarter marks are whole percentages. */
const AXIS_STEPS = 5;

/**
 * From here on, rows below have probably been removed. In the editor, Minimum Confidence starts at 0.7, and ordinary rows often have none
 * below 0.5. For a probability of yes, where thresholds begin at 0.5, it is half of the scale.
 */
const LEAST_UNTESTED: Record<CertainType, number> = { choice: 0.7, noul: 0.75 };

/** Shows how many rows each threshold decides, and how many of those are correct. */
export function thresholdSection(figures: Figures, fields: EvaluatedFields): Html {
	const finding = thresholdFinding(figures, fields);
	if (!hasConfidence(figures)) return html`<section><p>${finding}.</p></section>`;
	const { recommended } = figures;
	return html`<section>
		<h2>Accuracy and coverage by threshold</h2>
		<p>
			${finding}. ${describeRowsNeeded(figures)} ${describeUncertain(figures)} ${describeUntested(figures)}
		</p>
		<p class="muted">
			A row is decided when its answer reaches the threshold: the answer is used without a check. All other
			rows go to a person. ${recommended ? describeRecommended(figures, recommended) : undefined}
		</p>
		<div class="split">${coveragePlot(figures)} ${thresholdTable(figures)}</div>
	</section>`;
}

function describeRecommended({ answerType }: Figures, recommended: ThresholdFigures): Html {
	const threshold = decimal(recommended);
	const setting =
		answerType === 'noul'
			? html`In Route, set 'Yes at or Above' to ${threshold} and 'No Below' to
				${(1 - recommended.threshold).toFixed(2)}.`
			: undefined;
	return html`With 95% confidence, at least ${precisePercent(recommended.accuracy_low!)} of the rows that a
	threshold of ${threshold} decides are correct. It was chosen from these rows: check it on others. ${setting}`;
}

/** Returns the finding on the threshold as a sentence, without the final full stop. */
export function thresholdFinding(figures: Figures, { confidenceField }: EvaluatedFields): Html {
	const { rows, recommended, targetAccuracy, thresholds } = figures;
	if (recommended) {
		const { coverage, accuracy } = recommended;
		return html`${recommended === thresholds[0] ? 'No threshold is needed:' : `At a threshold of ${decimal(recommended)},`}
		${percent(coverage)} of rows are decided, ${percent(accuracy!)} of them correctly`;
	}
	if (!hasConfidence(figures)) {
		const where = confidenceField ? html` in ${quoted(confidenceField)}` : undefined;
		return html`No row has a confidence${where}, so no threshold can be shown`;
	}
	return html`${countOf(rows, 'row')} cannot show a threshold at which ${percent(targetAccuracy)} of decided
	rows are correct`;
}

/** Says in a sentence what is missing for a threshold. Returns undefined if there is one, or if no row has a confidence. */
export function describeRowsNeeded(figures: Figures): Html | undefined {
	const { rows, recommended, targetAccuracy } = figures;
	if (recommended || !hasConfidence(figures)) return undefined;
	const needed = observationsToShow(targetAccuracy);
	if (needed === Infinity) return html`No number of rows can show that every answer is correct.`;
	return rows < needed
		? html`Even without a mistake, it takes ${formatNumber(needed)} decided rows to show
			${percent(targetAccuracy)}.`
		: html`${areMisspelt(figures) ? 'Correct the labels' : 'Improve the questions'}, add rows, or set 'Target
			Accuracy' below ${percent(targetAccuracy)}.`;
}

/**
 * Says in a sentence that the rows have no low confidence, as if a filter or the threshold of a Route had removed them. Returns undefined
 * unless no threshold is recommended, because else the answers below it are not used.
 */
export function describeUntested({ recommended, thresholds, answerType }: Figures): Html | undefined {
	if (recommended === null || recommended !== thresholds[0]) return undefined;
	// Rows without an answer reach no threshold.
	const highest = thresholds.findLast(({ acted_on: actedOn }) => actedOn === recommended.acted_on)!.threshold;
	if (highest < LEAST_UNTESTED[answerType as CertainType]) return undefined;
	const what =
		answerType === 'noul'
			? html`a probability between ${(1 - highest).toFixed(2)} and ${highest.toFixed(2)}`
			: html`a confidence below ${highest.toFixed(2)}`;
	return html`No row has ${what}, so these rows show nothing about such answers. If you filtered them out by a
	threshold, keep it.`;
}

/** Says in a sentence how many rows lack a confidence. Returns undefined if none does, or if all do. */
export function describeUncertain(figures: Figures): Html | undefined {
	const { rows, uncertain } = figures;
	if (uncertain === 0 || !hasConfidence(figures)) return undefined;
	const [have, go] = uncertain === 1 ? ['has', 'it goes'] : ['have', 'they go'];
	return html`${formatNumber(uncertain)} of ${countOf(rows, 'row')} ${have} no confidence that can be read: at
	every threshold above 0, ${go} to a person.`;
}

/** Plots accuracy by coverage: a dot for each threshold, with a line down to the lower bound of its accuracy. */
function coveragePlot({ thresholds, targetAccuracy, recommended }: Figures): Html {
	const dots = thresholds
		// Of several thresholds that decide the same rows, only the lowest gets a dot.
		.filter(({ acted_on: actedOn }, index, all) => actedOn > 0 && actedOn !== all[index - 1]?.acted_on)
		.map((figures) => ({
			x: figures.coverage,
			y: figures.accuracy!,
			to: figures.accuracy_low!,
			label: figures === recommended ? decimal(figures) : undefined,
		}));
	// This is below 1, because the lower bound of an accuracy always is.
	const lowest = Math.min(targetAccuracy, ...dots.map(({ to }) => to));
	return plot({
		yTitle: 'Share of decided rows that are correct. Lines end at what is shown with 95% confidence.',
		xTitle: 'Share of rows that are decided. Each dot is a threshold.',
		from: Math.floor(lowest * AXIS_STEPS) / AXIS_STEPS,
		target: { share: targetAccuracy, name: `target ${percent(targetAccuracy)}` },
		dots,
	});
}

function thresholdTable({ thresholds, recommended }: Figures): Html {
	return figureTable(
		['Threshold', 'Decided', 'Correct', 'At least'],
		thresholds.map((figures) => ({
			name: decimal(figures),
			value: percent(figures.coverage),
			share: figures.coverage,
			figures: [percentOrNone(figures.accuracy), percentOrNone(figures.accuracy_low, precisePercent)],
			isChosen: figures === recommended,
		})),
	);
}

/** Returns whether any row has a confidence to compare with a threshold. */
function hasConfidence({ thresholds }: Figures): boolean {
	return thresholds.length > 0 && thresholds[0]!.acted_on > 0;
}

function decimal({ threshold }: ThresholdFigures): string {
	return threshold.toFixed(2);
}

import { countOf, grouped } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import { TRUSTED_ROWS, type ThresholdFigures } from '../thresholds';
import { observationsToShow } from '../wilsonInterval';
import { figureTable, plot } from './drawing';
import { html, type Html } from './html';
import { decimal, percent, precisePercent } from './wording';

/** The vertical axis begins at a fifth, so that a quarter of its length is a whole percentage. */
const FIFTHS = 5;

/** What each threshold decides, and how much of that is correct. */
export function thresholdSection(figures: Figures): Html | undefined {
	if (!hasConfidence(figures)) return undefined;
	const chosen = figures.recommended ?? strongest(figures);
	return html`<section>
		<h2>${effect(figures)}</h2>
		<p class="muted">
			A row is decided when its answer reaches the threshold: the answer is used without a check. All other
			rows go to a person. ${reason(figures)}
		</p>
		<p>${secondLook(figures)}</p>
		<div class="split">${coveragePlot(figures, chosen)} ${thresholdTable(figures, chosen)}</div>
	</section>`;
}

/** What the rows say about thresholds, in a sentence without its full stop. */
export function thresholdFinding(figures: Figures): Html {
	const { rows, unanswered, recommended, targetAccuracy, thresholds } = figures;
	const noneHas = (what: string) =>
		rows === 1 ? `This row does not have ${what}` : `None of these ${grouped(rows)} rows has ${what}`;
	if (unanswered === rows) return html`${noneHas('an answer')}`;
	if (recommended) {
		const { threshold, coverage, accuracy } = recommended;
		return html`${recommended === thresholds[0] ? 'No threshold is needed:' : `At a threshold of ${decimal(threshold)},`}
		${percent(coverage)} of rows are decided, ${percent(accuracy!)} of them correctly`;
	}
	if (!hasConfidence(figures)) return html`${noneHas('a confidence')}, so no threshold can be shown`;
	return html`${rows === 1 ? 'This row' : `These ${grouped(rows)} rows`} cannot show a threshold at which
	${percent(targetAccuracy)} of decided rows are correct`;
}

/** What would show a threshold, in a sentence; nothing if one is shown, or if no answer could be compared with any. */
export function whatItTakes(figures: Figures): Html | undefined {
	const { rows, recommended, targetAccuracy } = figures;
	if (recommended || !hasConfidence(figures)) return undefined;
	const needed = observationsToShow(targetAccuracy);
	if (needed === Infinity) return html`No number of rows can show that every answer is correct.`;
	return rows < needed
		? html`Even without a mistake, it takes ${grouped(needed)} decided rows to show
			${percent(targetAccuracy)}.`
		: html`Improve the questions, add rows, or accept less than ${percent(targetAccuracy)}.`;
}

/** What a threshold does to the share of correct answers. */
function effect(figures: Figures): Html {
	const { recommended, thresholds, targetAccuracy } = figures;
	if (!recommended) {
		const { threshold, accuracy_low: low } = strongest(figures);
		return html`At best, at a threshold of ${decimal(threshold)}, at least ${precisePercent(low!)} of decided
		rows are correct`;
	}
	const [all] = thresholds;
	if (recommended === all) {
		return html`The target of ${percent(targetAccuracy)} is reached without a threshold`;
	}
	return html`A threshold of ${decimal(recommended.threshold)} raises the share of correct answers from
	${percent(all!.accuracy!)} to ${percent(recommended.accuracy!)}`;
}

function reason(figures: Figures): Html {
	const { rows, recommended, targetAccuracy } = figures;
	if (recommended) {
		return html`${decimal(recommended.threshold)} is the lowest threshold at which
		${rows === 1 ? 'this row shows' : 'these rows show'} that at least ${percent(targetAccuracy)} of decided
		rows are correct: with 95% confidence, at least ${precisePercent(recommended.accuracy_low!)} are.`;
	}
	const decided = countOf(strongest(figures).acted_on, 'decided row shows', 'decided rows show');
	return html`This is what ${decided} with 95% confidence. ${whatItTakes(figures)}`;
}

/** How far a recommended threshold can be trusted. */
function secondLook({ recommended, thresholds }: Figures): Html | undefined {
	if (!recommended) return undefined;
	const rows = thresholds[0]!.acted_on;
	if (rows >= TRUSTED_ROWS) {
		return html`This threshold was chosen from these rows, so check it once on others.`;
	}
	return html`<b>Check this threshold on other rows:</b> it was chosen from only ${countOf(rows, 'row')}. If a
		model is overconfident, up to one in five thresholds chosen from 150 rows misses its target. From
		${grouped(TRUSTED_ROWS)} rows, fewer than one in ten does, and mostly by less than a point.`;
}

/** Accuracy against coverage: a dot for each threshold, with a line down to what is shown with 95% confidence. */
function coveragePlot({ thresholds, targetAccuracy }: Figures, chosen: ThresholdFigures): Html {
	const dots = thresholds
		// Of thresholds that decide the same rows, only the lowest.
		.filter(({ acted_on: actedOn }, index, all) => actedOn > 0 && actedOn !== all[index - 1]?.acted_on)
		.map((figures) => ({
			x: figures.coverage,
			y: figures.accuracy!,
			to: figures.accuracy_low!,
			label: figures === chosen ? decimal(figures.threshold) : undefined,
		}));
	const lowest = Math.min(targetAccuracy, ...dots.map(({ to }) => to));
	return plot({
		yTitle: 'Share of decided rows that are correct. Lines end at what is shown with 95% confidence.',
		xTitle: 'Share of rows that are decided. Each dot is a threshold.',
		from: Math.min(FIFTHS - 1, Math.floor(lowest * FIFTHS)) / FIFTHS,
		target: { share: targetAccuracy, name: `target ${percent(targetAccuracy)}` },
		dots,
	});
}

function thresholdTable({ thresholds }: Figures, chosen: ThresholdFigures): Html {
	return figureTable(
		['Threshold', 'Decided', 'Correct', 'At least'],
		thresholds.map((figures) => ({
			name: decimal(figures.threshold),
			count: figures.acted_on === 0 ? '0' : percent(figures.coverage),
			share: figures.coverage,
			figures: [
				figures.accuracy === null ? '–' : percent(figures.accuracy),
				figures.accuracy_low === null ? '–' : precisePercent(figures.accuracy_low),
			],
			isChosen: figures === chosen,
		})),
	);
}

function strongest({ thresholds }: Figures): ThresholdFigures {
	return thresholds.reduce((a, b) => ((b.accuracy_low ?? -1) > (a.accuracy_low ?? -1) ? b : a));
}

/** Whether any answer can be compared with a threshold. */
function hasConfidence({ thresholds }: Figures): boolean {
	return thresholds[0]!.acted_on > 0;
}

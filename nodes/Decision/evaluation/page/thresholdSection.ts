import { grouped } from '../../../shared/text/grouped';
import type { Figures } from '../evaluateRows';
import { percent, precisePercent } from '../percent';
import type { ThresholdFigures } from '../thresholds';
import { coveragePlot } from './coveragePlot';
import { hasConfidence, secondLook, thresholdEffect, thresholdReason } from './findings';
import { html, type Html } from './html';
import { toPercent } from './plot';
import { decimal } from './wording';

/** What each threshold decides, and how much of that is correct. */
export function thresholdSection(figures: Figures): Html | undefined {
	if (!hasConfidence(figures)) return undefined;
	return html`<section>
		<h2>${thresholdEffect(figures)}</h2>
		<p class="muted">
			A row is decided when its answer reaches the threshold: the answer is used without a check. All other
			rows go to a person. ${thresholdReason(figures)}
		</p>
		<p>${secondLook(figures)}</p>
		<div class="split">${coveragePlot(figures)} ${thresholdTable(figures)}</div>
	</section>`;
}

function thresholdTable({ thresholds, recommended }: Figures): Html {
	return html`<table class="figures">
		<thead>
			<tr>
				<th>Threshold</th>
				<th>Decided</th>
				<th></th>
				<th>Correct</th>
				<th>At least</th>
			</tr>
		</thead>
		<tbody>
			${thresholds.map((figures) => thresholdRow(figures, figures === recommended))}
		</tbody>
	</table>`;
}

function thresholdRow(figures: ThresholdFigures, isChosen: boolean): Html {
	const { threshold, acted_on: actedOn, coverage, accuracy, accuracy_low: accuracyLow } = figures;
	return html`<tr${isChosen ? html` class="chosen"` : undefined}>
		<th>${decimal(threshold)}</th>
		<td>${actedOn === 0 ? grouped(0) : percent(coverage)}</td>
		<td class="bar-cell"><div class="bar" style="width:${toPercent(coverage)}"></div></td>
		<td>${accuracy === null ? '–' : percent(accuracy)}</td>
		<td>${accuracyLow === null ? '–' : precisePercent(accuracyLow)}</td>
	</tr>`;
}

import type { Figures } from '../evaluateRows';
import type { ThresholdFigures } from '../thresholds';
import { hasConfidence, thresholdReason } from './findings';
import { html, type Html } from './html';
import { at, band, line, toPercent, type Point } from './plot';
import { decimal, percent, precisePercent, whole } from './wording';

/** What can be drawn: a threshold at which something is acted on. */
type Drawn = ThresholdFigures & { accuracy: number; accuracy_low: number };

/** Dots closer than this share of the width do not both get a label. */
const LABEL_DISTANCE = 0.11;

const TENTH = 0.1;

/** What each threshold decides, and how much of that is right. The page's title is its finding. */
export function thresholdSection(figures: Figures): Html | undefined {
	if (!hasConfidence(figures)) return undefined;
	return html`<section>
		<h2>The more is decided, the less of it is right: choose where to stop</h2>
		<p class="muted">${thresholdReason(figures)}</p>
		<div class="split">${coveragePlot(figures)} ${thresholdTable(figures)}</div>
	</section>`;
}

function coveragePlot({ thresholds, recommended, targetAccuracy }: Figures): Html {
	const drawn = pointsOf(thresholds);
	const lowest = Math.min(targetAccuracy, ...drawn.map((figures) => figures.accuracy_low));
	const bottom = Math.min(1 - TENTH, Math.max(0, Math.floor(lowest / TENTH - 1e-9) * TENTH));
	const height = (share: number) => (share - bottom) / (1 - bottom);
	const accuracyAt = (figures: Drawn): Point => ({ x: figures.coverage, y: height(figures.accuracy) });
	const lowAt = (figures: Drawn): Point => ({ x: figures.coverage, y: height(figures.accuracy_low) });
	const last = drawn.at(-1)!;
	return html`<div class="figure">
		<div class="axis-title">Share of decided rows that is right</div>
		<div class="plot">
			${gridLines(bottom, height)}
			<div class="target" style="bottom:${toPercent(height(targetAccuracy))}">
				<span>target ${percent(targetAccuracy)}</span>
			</div>
			${band(drawn.map(accuracyAt), drawn.map(lowAt), 'area band')} ${line(drawn.map(lowAt), 'area low')}
			${line(drawn.map(accuracyAt), 'area accuracy')}
			${recommended ? chosenLines(recommended, height) : undefined}
			${drawn.map((figures) => dot(accuracyAt(figures), figures === recommended))}
			${labelled(drawn, recommended).map((figures) => dotLabel(accuracyAt(figures), figures, figures === recommended))}
			<div
				class="low-label"
				style="right:${toPercent(1 - last.coverage)};top:${toPercent(1 - height(last.accuracy_low))}"
			>
				at least, with 95 % confidence
			</div>
		</div>
		<div class="x-axis">
			${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span style="left:${toPercent(share)}">${percent(share)}</span>`)}
		</div>
		<div class="axis-title x-title">Share of rows that is decided. Each dot is a threshold.</div>
	</div>`;
}

/** From the highest threshold to the lowest, so from left to right; of those that decide the same, the lowest. */
function pointsOf(thresholds: ThresholdFigures[]): Drawn[] {
	return thresholds
		.filter((figures): figures is Drawn => figures.accuracy !== null)
		.filter((figures, index, all) => figures.acted_on !== all[index - 1]?.acted_on)
		.reverse();
}

function gridLines(bottom: number, height: (share: number) => number): Html[] {
	const tenths = Math.round((1 - bottom) / TENTH);
	const every = tenths > 6 ? 2 : 1;
	const shares = Array.from({ length: tenths + 1 }, (_, index) => 1 - index * TENTH);
	return shares
		.filter((_, index) => index % every === 0)
		.map(
			(share) =>
				html`<div class="grid" style="bottom:${toPercent(height(share))}">
					<span>${percent(share)}</span>
				</div>`,
		);
}

function chosenLines({ coverage, accuracy }: ThresholdFigures, height: (share: number) => number): Html {
	return html`<div
		class="chosen-line"
		style="left:${toPercent(coverage)};height:${toPercent(height(accuracy!))}"
	></div>`;
}

function dot(point: Point, isChosen: boolean): Html {
	return html`<div class="dot${isChosen ? ' chosen' : ''}" style="${at(point)}"></div>`;
}

function dotLabel(point: Point, { threshold }: Drawn, isChosen: boolean): Html {
	return html`<div class="dot-label${isChosen ? ' chosen' : ''}" style="${at(point)}">
		${decimal(threshold)}
	</div>`;
}

/** The chosen threshold, the ends, and of the others as many as have room. */
function labelled(drawn: Drawn[], chosen: ThresholdFigures | null): Drawn[] {
	const byImportance = [...drawn.filter((figures) => figures === chosen), drawn.at(-1)!, drawn[0]!, ...drawn];
	const kept = new Set<Drawn>();
	for (const candidate of byImportance) {
		const hasRoom = [...kept].every(
			(other) => Math.abs(other.coverage - candidate.coverage) >= LABEL_DISTANCE,
		);
		if (hasRoom) kept.add(candidate);
	}
	return [...kept];
}

function thresholdTable({ thresholds, recommended }: Figures): Html {
	return html`<table class="thresholds">
		<thead>
			<tr>
				<th>Threshold</th>
				<th>Decided</th>
				<th></th>
				<th>Right</th>
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
		<td>${actedOn === 0 ? whole(0) : percent(coverage)}</td>
		<td class="bar-cell"><div class="bar" style="width:${toPercent(coverage)}"></div></td>
		<td>${accuracy === null ? '–' : percent(accuracy)}</td>
		<td>${accuracyLow === null ? '–' : precisePercent(accuracyLow)}</td>
	</tr>`;
}

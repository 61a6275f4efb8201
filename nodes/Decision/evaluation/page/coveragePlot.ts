import type { Figures } from '../evaluateRows';
import { percent } from '../percent';
import type { ThresholdFigures } from '../thresholds';
import { html, type Html } from './html';
import { at, band, line, toPercent, xAxis, yAxis, type Point } from './plot';
import { decimal } from './wording';

/** What can be drawn: a threshold at which something is acted on. */
type Drawn = ThresholdFigures & { accuracy: number; accuracy_low: number };

/** The position of a share in the plot, which begins above 0 to show differences. */
interface Scale {
	height: (share: number) => number;
	/** The shares that are shown along the axis. */
	shares: number[];
}

/** Dots closer than this share of the width do not both get a label. */
const LABEL_DISTANCE = 0.11;

/** The name of the lower line takes this share of the width, at the right. */
const NAME_WIDTH = 0.55;

/** How much room the name of the lower line needs below the lowest value, as a share of a tenth. */
const ROOM_BELOW = 0.4;

const MOST_GRID_LINES = 7;

const COVERAGES = [0, 0.25, 0.5, 0.75, 1];

/** Accuracy against coverage: a dot for each threshold, the recommended one marked. */
export function coveragePlot({ thresholds, recommended, targetAccuracy }: Figures): Html {
	const drawn = drawable(thresholds);
	const { height, shares } = scaleFor(drawn, targetAccuracy);
	const accuracies = drawn.map(({ coverage, accuracy }): Point => ({ x: coverage, y: height(accuracy) }));
	const lows = drawn.map(({ coverage, accuracy_low: low }): Point => ({ x: coverage, y: height(low) }));
	const isLabelled = chooseLabels(drawn, recommended);
	return html`<div class="figure">
		<div class="axis-title">Share of decided rows that are correct</div>
		<div class="plot">
			${yAxis(shares, height)} ${target(targetAccuracy, height)} ${band(accuracies, lows, 'area band')}
			${line(lows, 'area low')} ${line(accuracies, 'area accuracy')} ${lineName(lows)}
			${drawn.map((figures, index) => {
				const kind = figures === recommended ? ' chosen' : '';
				return dot(
					accuracies[index]!,
					kind,
					isLabelled.has(figures) ? decimal(figures.threshold) : undefined,
				);
			})}
		</div>
		${xAxis(COVERAGES)}
		<div class="axis-title x-title">Share of rows that are decided. Each dot is a threshold.</div>
	</div>`;
}

/**
 * The thresholds from high to low, which is from left to right. Of those that decide the same rows, only the lowest.
 */
function drawable(thresholds: ThresholdFigures[]): Drawn[] {
	return thresholds
		.filter((figures): figures is Drawn => figures.accuracy !== null)
		.filter((figures, index, all) => figures.acted_on !== all[index - 1]?.acted_on)
		.reverse();
}

function scaleFor(drawn: Drawn[], targetAccuracy: number): Scale {
	const lowest = Math.min(targetAccuracy, ...drawn.map(({ accuracy_low: low }) => low));
	const bottom = Math.min(9, Math.max(0, Math.floor(lowest * 10 - ROOM_BELOW)));
	const step = 10 - bottom < MOST_GRID_LINES ? 1 : 2;
	const tenths = Array.from(
		{ length: Math.floor((10 - bottom) / step) + 1 },
		(_, index) => 10 - index * step,
	);
	return {
		height: (share) => (share * 10 - bottom) / (10 - bottom),
		shares: tenths.map((tenth) => tenth / 10),
	};
}

function target(targetAccuracy: number, height: Scale['height']): Html {
	return html`<div class="target" style="bottom:${toPercent(height(targetAccuracy))}">
		<span>target ${percent(targetAccuracy)}</span>
	</div>`;
}

/** The name of the lower line, below its right end. */
function lineName(lows: Point[]): Html {
	const end = lows.at(-1)!;
	const above = lows.filter(({ x }) => x >= end.x - NAME_WIDTH);
	const lowest = Math.min(...above.map(({ y }) => y));
	return html`<div class="line-name" style="right:${toPercent(1 - end.x)};top:${toPercent(1 - lowest)}">
		at least, with 95% confidence
	</div>`;
}

function dot(point: Point, kind: string, label: string | undefined): Html {
	const drop = html`<div class="drop" style="left:${toPercent(point.x)};height:${toPercent(point.y)}"></div>`;
	const name = html`<div class="dot-label${kind}" style="${at(point)}">${label}</div>`;
	return html`${kind === '' ? undefined : drop}
		<div class="dot${kind}" style="${at(point)}"></div>
		${label === undefined ? undefined : name}`;
}

/** The chosen threshold, both ends, and as many of the others as fit. */
function chooseLabels(drawn: Drawn[], chosen: ThresholdFigures | null): Set<Drawn> {
	const byImportance = [...drawn.filter((figures) => figures === chosen), drawn.at(-1)!, drawn[0]!, ...drawn];
	const kept = new Set<Drawn>();
	for (const candidate of byImportance) {
		const hasRoom = [...kept].every(
			({ coverage }) => Math.abs(coverage - candidate.coverage) >= LABEL_DISTANCE,
		);
		if (hasRoom) kept.add(candidate);
	}
	return kept;
}

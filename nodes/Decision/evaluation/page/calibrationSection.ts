import { grouped } from '../../../shared/text/grouped';
import { summarizeCalibration, type Calibration, type CalibrationBin } from '../calibration';
import type { Figures } from '../evaluateRows';
import { percent } from '../percent';
import type { AnswerType } from '../evaluatedFields';
import { html, type Html } from './html';
import { at, line, toPercent, xAxis, yAxis } from './plot';

/** The words for what is compared. */
interface Terms {
	subject: string;
	/** What the predicted share is called. */
	predicted: string;
	/** What the observed share is called in a sentence, along an axis, and as the heading of a column. */
	observed: string;
	axis: string;
	heading: string;
}

type FilledBin = CalibrationBin & { predicted: number; observed: number };

/** Smaller differences are not mentioned. */
const NOTABLE = 0.03;

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

const DIAGONAL = [
	{ x: 0, y: 0 },
	{ x: 1, y: 1 },
];

const TERMS: Record<AnswerType, Terms> = {
	choice: {
		subject: 'Confidence',
		predicted: 'confidence',
		observed: 'of answers are correct',
		axis: 'Share of answers that are correct',
		heading: 'Correct',
	},
	noul: {
		subject: 'The probability of yes',
		predicted: 'probability of yes',
		observed: 'of expected answers are yes',
		axis: 'Share of expected answers that are yes',
		heading: 'Yes',
	},
};

/** Whether confidence can be trusted: a reliability diagram. */
export function calibrationSection({ calibration: bins, answerType }: Figures): Html | undefined {
	const overall = summarizeCalibration(bins);
	if (!overall) return undefined;
	const terms = TERMS[answerType];
	return html`<section>
		<h2>${calibrationFinding(overall, terms)}</h2>
		<p class="muted">
			Dots on the diagonal are well calibrated; dots below it are overconfident. On average, a dot is
			${points(overall.error)} away from it.
		</p>
		<div class="split">${diagram(bins, terms)} ${tenthsTable(bins, overall.count, terms)}</div>
	</section>`;
}

function diagram(bins: CalibrationBin[], { axis, predicted }: Terms): Html {
	const filled = bins.filter((bin): bin is FilledBin => bin.count > 0);
	return html`<div class="figure">
		<div class="axis-title">${axis}</div>
		<div class="plot">
			${yAxis(QUARTERS)} ${line(DIAGONAL, 'area diagonal-line')} ${filled.map(gap)} ${filled.map(dot)}
		</div>
		${xAxis(QUARTERS)}
		<div class="axis-title x-title">Mean ${predicted}. Each dot is a tenth of the scale.</div>
	</div>`;
}

function dot({ predicted, observed }: FilledBin): Html {
	return html`<div class="dot" style="${at({ x: predicted, y: observed })}"></div>`;
}

function tenthsTable(bins: CalibrationBin[], total: number, { heading }: Terms): Html {
	return html`<table class="figures">
		<thead>
			<tr>
				<th>Tenth</th>
				<th>Rows</th>
				<th></th>
				<th>Mean</th>
				<th>${heading}</th>
			</tr>
		</thead>
		<tbody>
			${bins.map((bin) => tenth(bin, total))}
		</tbody>
	</table>`;
}

function tenth({ from, to, count, predicted, observed }: CalibrationBin, total: number): Html {
	return html`<tr>
		<th>${from.toFixed(1)} to ${to.toFixed(1)}</th>
		<td>${grouped(count)}</td>
		<td class="bar-cell"><div class="bar" style="width:${toPercent(count / total)}"></div></td>
		<td>${predicted === null ? '–' : percent(predicted)}</td>
		<td>${observed === null ? '–' : percent(observed)}</td>
	</tr>`;
}

function calibrationFinding({ predicted, observed }: Calibration, terms: Terms): Html {
	const shares = html`on average it is ${percent(predicted)}, and ${percent(observed)} ${terms.observed}`;
	const difference = predicted - observed;
	if (Math.abs(difference) < NOTABLE) return html`${terms.subject} is accurate: ${shares}`;
	const direction = difference > 0 ? 'high' : 'low';
	return html`${terms.subject} is ${points(Math.abs(difference))} too ${direction}: ${shares}`;
}

/** A line from the predicted share to the observed one. */
function gap({ predicted, observed }: FilledBin): Html {
	const from = Math.min(predicted, observed);
	const height = Math.abs(predicted - observed);
	return html`<div class="gap" style="${at({ x: predicted, y: from })};height:${toPercent(height)}"></div>`;
}

function points(share: number): string {
	const rounded = Math.round(share * 100);
	return share > 0 && rounded === 0
		? 'less than a point'
		: `${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}

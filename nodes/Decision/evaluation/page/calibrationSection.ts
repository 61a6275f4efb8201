import { summarizeCalibration, type Calibration, type CalibrationBin } from '../calibration';
import type { Figures } from '../evaluateRows';
import type { AnswerType } from '../readRows';
import { html, type Html } from './html';
import { at, line, toPercent } from './plot';
import { percent, whole } from './wording';

/** What is compared, in words. */
interface Terms {
	subject: string;
	/** What `predicted` is of. */
	predicted: string;
	/** What `observed` is of. */
	observed: string;
	axis: string;
}

/** A difference below this is not worth a word. */
const NOTABLE = 0.03;

const TERMS: Record<AnswerType, Terms> = {
	choice: {
		subject: 'Confidence',
		predicted: 'confidence',
		observed: 'of answers are right',
		axis: 'Share that is right',
	},
	noul: {
		subject: 'The probability of yes',
		predicted: 'probability of yes',
		observed: 'of rows expect yes',
		axis: 'Share that expects yes',
	},
};

type FilledBin = CalibrationBin & { predicted: number; observed: number };

/** Whether confidence can be taken at its word: a reliability diagram. */
export function calibrationSection({ calibration: bins, answerType }: Figures): Html | undefined {
	const overall = summarizeCalibration(bins);
	if (!overall) return undefined;
	const terms = TERMS[answerType];
	const filled = bins.filter((bin): bin is FilledBin => bin.count > 0);
	return html`<section>
		<h2>${calibrationFinding(overall, terms)}</h2>
		<p class="muted">
			Dots on the diagonal keep what they promise; below it, they promise too much. On average, a dot is
			${points(overall.error)} away from it. The numbers beneath count the rows of each tenth.
		</p>
		<div class="figure reliability">
			<div class="axis-title">${terms.axis}</div>
			<div class="plot">
				${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<div class="grid" style="bottom:${toPercent(share)}"><span>${percent(share)}</span></div>`)}
				${line(
					[
						{ x: 0, y: 0 },
						{ x: 1, y: 1 },
					],
					'area diagonal-line',
				)}
				${filled.map(gap)}
				${filled.map(({ predicted, observed }) => html`<div class="dot" style="${at({ x: predicted, y: observed })}"></div>`)}
			</div>
			<div class="x-axis">
				${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span style="left:${toPercent(share)}">${percent(share)}</span>`)}
			</div>
			<div class="counts">
				${bins.map(({ count }) => html`<span>${count === 0 ? '' : whole(count)}</span>`)}
			</div>
			<div class="axis-title x-title">Mean ${terms.predicted}, and rows in each tenth of it</div>
		</div>
	</section>`;
}

function calibrationFinding({ predicted, observed }: Calibration, terms: Terms): Html {
	const said = html`it says ${percent(predicted)}, and ${percent(observed)} ${terms.observed}`;
	const difference = predicted - observed;
	if (Math.abs(difference) < NOTABLE) return html`${terms.subject} is right on average: ${said}`;
	const direction = difference > 0 ? 'high' : 'low';
	return html`${terms.subject} is ${points(Math.abs(difference))} too ${direction} on average: ${said}`;
}

/** From what was promised to what came. */
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

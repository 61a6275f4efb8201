import { countOf, grouped } from '../../../shared/text/wording';
import { summarizeCalibration } from '../calibration';
import type { AnswerType } from '../evaluatedFields';
import type { Figures } from '../evaluateRows';
import { figureTable, plot } from './drawing';
import { html, type Html } from './html';
import { percent } from './wording';

/** Smaller differences are not mentioned. */
const NOTABLE = 0.03;

const TERMS: Record<AnswerType, Record<'subject' | 'predicted' | 'observed' | 'heading', string>> = {
	choice: {
		subject: 'Confidence',
		predicted: 'confidence',
		observed: 'of answers are correct',
		heading: 'Correct',
	},
	noul: {
		subject: 'The probability of yes',
		predicted: 'probability of yes',
		observed: 'of expected answers are yes',
		heading: 'Yes',
	},
};

/** Whether confidence can be trusted: a reliability diagram. */
export function calibrationSection({ calibration: bins, answerType }: Figures): Html | undefined {
	const overall = summarizeCalibration(bins);
	if (!overall) return undefined;
	const { subject, predicted, observed, heading } = TERMS[answerType];
	const tooHigh = overall.predicted - overall.observed;
	const accuracy =
		Math.abs(tooHigh) < NOTABLE
			? 'accurate'
			: `${points(Math.abs(tooHigh))} too ${tooHigh > 0 ? 'high' : 'low'}`;
	const diagram = plot({
		yTitle: `Share ${observed}`,
		xTitle: `Mean ${predicted}. Each dot is a tenth of the scale.`,
		hasDiagonal: true,
		dots: bins.flatMap(({ predicted: x, observed: y }) => (x === null || y === null ? [] : { x, y, to: x })),
	});
	const tenths = figureTable(
		['Tenth', 'Rows', 'Mean', heading],
		bins.map(({ from, to, count, ...bin }) => ({
			name: `${from.toFixed(1)} to ${to.toFixed(1)}`,
			count: grouped(count),
			share: count / overall.count,
			figures: [shareOrNone(bin.predicted), shareOrNone(bin.observed)],
		})),
	);
	return html`<section>
		<h2>
			${subject} is ${accuracy}: on average it is ${percent(overall.predicted)}, and
			${percent(overall.observed)} ${observed}
		</h2>
		<p class="muted">
			Dots on the diagonal are well calibrated; dots below it are overconfident. On average, a dot is
			${points(overall.error)} away from it.
		</p>
		<div class="split">${diagram} ${tenths}</div>
	</section>`;
}

function shareOrNone(share: number | null): string {
	return share === null ? '–' : percent(share);
}

function points(share: number): string {
	const rounded = Math.round(share * 100);
	return share > 0 && rounded === 0 ? 'less than a point' : countOf(rounded, 'point');
}

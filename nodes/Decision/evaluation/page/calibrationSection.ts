import { formatNumber } from '../../../shared/text/wording';
import type { CertainType } from '../evaluatedFields';
import type { Figures } from '../evaluateRows';
import { figureTable, plot } from './drawing';
import { html, percent, percentOrNone, type Html } from './html';

const TERMS: Record<CertainType, Record<'predicted' | 'observed' | 'heading', string>> = {
	choice: { predicted: 'confidence', observed: 'of answers are correct', heading: 'Correct' },
	noul: { predicted: 'probability of yes', observed: 'of expected answers are yes', heading: 'Yes' },
};

/** Shows whether confidence can be trusted, as a reliability diagram. */
export function calibrationSection({ calibration: bins, answerType }: Figures): Html | undefined {
	const filled = bins.filter(({ count }) => count > 0);
	if (filled.length === 0 || answerType === 'tags') return undefined;
	const total = filled.reduce((sum, { count }) => sum + count, 0);
	const mean = (of: 'predicted' | 'observed') =>
		percent(filled.reduce((sum, bin) => sum + bin.count * bin[of]!, 0) / total);
	const { predicted, observed, heading } = TERMS[answerType];
	const diagram = plot({
		yTitle: `Share ${observed.replace('are', 'that are')}`,
		xTitle: `Mean ${predicted}. Each dot is a tenth of the scale.`,
		hasDiagonal: true,
		dots: filled.map(({ predicted: x, observed: y }) => ({ x: x!, y: y!, to: x! })),
	});
	const tenths = figureTable(
		['Tenth', 'Rows', 'Mean', heading],
		bins.map(({ from, to, count, ...bin }) => ({
			name: `${from.toFixed(1)} to ${to.toFixed(1)}`,
			value: formatNumber(count),
			share: count / total,
			figures: [percentOrNone(bin.predicted), percentOrNone(bin.observed)],
		})),
	);
	return html`<section>
		<h2>The mean ${predicted} is ${mean('predicted')}, and ${mean('observed')} ${observed}</h2>
		<p class="muted">Dots on the diagonal are well calibrated; dots below it are overconfident.</p>
		<div class="split">${diagram} ${tenths}</div>
	</section>`;
}

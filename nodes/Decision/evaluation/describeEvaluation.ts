import { countOf, hintValue } from '../../shared/text/wording';
import type { Execution } from '../../shared/run/Execution';
import type { EvaluatedFields } from './evaluatedFields';
import type { Figures } from './evaluateRows';
import { comparisonFinding, incompleteRows, namesOf, whatDiffers } from './page/comparisonSection';
import { Html, html, percent } from './page/html';
import { thresholdFinding, whatItTakes } from './page/thresholdSection';
import { whyNothingFits } from './page/whyNothingFits';

/** What an evaluation keeps: its figures and the fields they are of, once there are some. */
export interface EvaluationRun {
	result?: { figures: Figures; fields: EvaluatedFields };
}

/** What a person should know after an evaluation, as HTML. */
export function describeEvaluation({ result }: EvaluationRun, execution: Execution): string | undefined {
	if (!result) return undefined;
	const { figures, fields } = result;
	const { rows, skipped, accuracy, baseline, comparison } = figures;
	if (!execution.mayShowData) return `${countOf(rows, 'row')} evaluated.`;
	const left = skipped === 0 ? '' : ` ${countOf(skipped, 'item')} without an expected value left out.`;
	const names = namesOf(fields, bold);
	const unfit = whyNothingFits(figures, fields, bold);
	const lines = [
		html`${countOf(rows, 'row')}: ${percent(accuracy)} correct. Always giving the most frequent label:
		${percent(baseline)}.${left}`,
		...(comparison
			? [
					html`${comparisonFinding(comparison, names)}: ${whatDiffers(comparison, names)}
					${incompleteRows(comparison)}`,
				]
			: []),
		unfit
			? html`${unfit.finding}. ${unfit.advice}`
			: html`${thresholdFinding(figures)}. ${whatItTakes(figures)}`,
	];
	return lines.map(({ markup }) => markup.trim()).join('<br>');
}

function bold(name: string): Html {
	return new Html(`<b>${hintValue(name)}</b>`);
}

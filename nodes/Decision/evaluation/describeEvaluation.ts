import { countOf, hintValue } from '../../shared/text/wording';
import type { Execution } from '../../shared/run/Execution';
import type { EvaluatedFields } from './evaluatedFields';
import type { Figures } from './evaluateRows';
import { comparisonFinding, incompleteRows, namesOf, describeDifference } from './page/comparisonSection';
import { accuracyFinding } from './page/evaluationPage';
import { Html, html, percent } from './page/html';
import { thresholdFinding, describeRowsNeeded } from './page/thresholdSection';
import { explainNoMatch } from './page/explainNoMatch';

/** Returns the hint above the output of an evaluation, as HTML. */
export function describeEvaluation(figures: Figures, fields: EvaluatedFields, execution: Execution): string {
	const { rows, skipped, accuracy, baseline, comparison } = figures;
	if (!execution.mayShowData) return `${countOf(rows, 'row')} evaluated.`;
	const left = skipped === 0 ? '' : ` ${countOf(skipped, 'item')} without an expected value left out.`;
	const names = namesOf(fields, bold);
	const mismatch = explainNoMatch(figures, fields, bold);
	const lines = [
		html`${accuracyFinding(figures)} (${percent(accuracy)}). Always giving the most frequent label:
		${percent(baseline)}.${left}`,
		...(comparison
			? [
					html`${comparisonFinding(comparison, names)}: ${describeDifference(comparison, names)}
					${incompleteRows(comparison)}`,
				]
			: []),
		mismatch
			? html`${mismatch.finding}. ${mismatch.advice}`
			: html`${thresholdFinding(figures)}. ${describeRowsNeeded(figures)}`,
	];
	return lines.map(({ markup }) => markup.trim()).join('<br>');
}

function bold(name: string): Html {
	return new Html(`<b>${hintValue(name)}</b>`);
}

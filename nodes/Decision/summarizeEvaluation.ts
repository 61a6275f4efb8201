import { countOf } from '../shared/text/countOf';
import { grouped } from '../shared/text/grouped';
import type { Execution } from '../shared/run/Execution';
import type { Figures } from './evaluation/evaluateRows';
import { comparisonFinding, incompleteRows, whatDiffers } from './evaluation/page/comparisonSection';
import { Html, html } from './evaluation/page/html';
import { percent } from './evaluation/percent';
import type { EvaluatedFields } from './evaluation/evaluatedFields';
import { observationsToShow } from './evaluation/wilsonInterval';
import { hintValue } from './hintValue';

/** What an evaluation keeps: its figures and the fields they are of, once there are some. */
export interface EvaluationState {
	result?: { figures: Figures; fields: EvaluatedFields };
}

/** What a person should know after an evaluation. */
export function describeEvaluation({ result }: EvaluationState, execution: Execution): string | undefined {
	if (!result) return undefined;
	const { figures, fields } = result;
	const { rows, skipped, accuracy, baseline } = figures;
	if (!execution.mayShowData) return `${countOf(rows, 'row')} evaluated.`;
	const left = skipped === 0 ? '' : ` ${countOf(skipped, 'item')} without an expected value left out.`;
	return [
		`${countOf(rows, 'row')}: ${percent(accuracy)} correct. Always giving the most frequent label: ${percent(baseline)}.${left}`,
		isAnotherField(figures)
			? `No answer in ${bold(fields.answerField).markup} is one of the expected values: check 'Answer Field'.`
			: describeThreshold(figures),
		...describeComparison(figures, fields),
	].join('<br>');
}

/** Whether the answers look like those of another field, or of none. */
function isAnotherField({ answerType, rows, unanswered, labels }: Figures): boolean {
	if (answerType === 'noul') return unanswered === rows;
	return rows > 1 && labels.every(({ support, precision }) => support === 0 || precision === null);
}

function describeThreshold({ rows, recommended, targetAccuracy }: Figures): string {
	if (!recommended) {
		const needed = observationsToShow(targetAccuracy);
		if (rows < needed && needed < Infinity) {
			return `Too few rows for a threshold: to show that ${percent(targetAccuracy)} are correct, it takes at least ${grouped(needed)}.`;
		}
		return `${rows === 1 ? 'This row' : 'These rows'} cannot show a threshold at which ${percent(targetAccuracy)} are correct.`;
	}
	const { threshold, coverage, accuracy } = recommended;
	return `At a threshold of <b>${threshold}</b>, ${percent(coverage)} of rows are decided, ${percent(accuracy!)} of them correctly.`;
}

function describeComparison({ comparison }: Figures, fields: EvaluatedFields): string[] {
	if (!comparison) return [];
	const names = { answer: bold(fields.answerField), other: bold(fields.compareField) };
	const { markup } = html`${comparisonFinding(comparison, names)}: ${whatDiffers(comparison, names)}
	${incompleteRows(comparison)}`;
	return [markup];
}

function bold(name: string): Html {
	return new Html(`<b>${hintValue(name)}</b>`);
}

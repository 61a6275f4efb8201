import { countOf, grouped, hintValue } from '../../shared/text/wording';
import { findPath } from '../../shared/fields/fieldPath';
import type { Execution } from '../../shared/run/Execution';
import type { Figures } from './evaluateRows';
import { comparisonFinding, incompleteRows, whatDiffers } from './page/comparisonSection';
import { Html, html } from './page/html';
import { thresholdFinding, whatItTakes } from './page/thresholdSection';
import { strangeLabels } from './page/strangeLabels';
import { percent } from './page/wording';
import type { EvaluatedFields } from './evaluatedFields';

/** What an evaluation keeps: its figures and the fields they are of, once there are some. */
export interface EvaluationRun {
	result?: { figures: Figures; fields: EvaluatedFields };
}

export function describeEvaluation({ result }: EvaluationRun, execution: Execution): string | undefined {
	if (!result) return undefined;
	const { figures, fields } = result;
	const { rows, skipped, accuracy, baseline } = figures;
	if (!execution.mayShowData) return `${countOf(rows, 'row')} evaluated.`;
	const left = skipped === 0 ? '' : ` ${countOf(skipped, 'item')} without an expected value left out.`;
	return [
		`${countOf(rows, 'row')}: ${percent(accuracy)} correct. Always giving the most frequent label: ${percent(baseline)}.${left}`,
		...describeComparison(figures, fields),
		strangeLabels(figures, bold)?.markup ??
			(figures.unanswered === rows
				? describeNoAnswer(figures, fields, execution)
				: describeThreshold(figures)),
	].join('<br>');
}

function describeNoAnswer(
	{ rows, mistakes, answerType }: Figures,
	{ answerField }: EvaluatedFields,
	{ items }: Execution,
): string {
	const name = bold(answerField).markup;
	const inputs = mistakes.map(({ index }) => items[index]!.json);
	if (inputs.some((json) => findPath(json, answerField))) {
		const what = answerType === 'noul' ? 'a probability' : 'an answer';
		return `No row has ${what} in ${name}: check 'Answer Field'.`;
	}
	if (inputs.every(({ error }) => error !== undefined)) {
		const all = rows === 1 ? 'This row has' : `All ${grouped(rows)} rows have`;
		return `${all} an error and no field ${name}: find out why they failed.`;
	}
	return `No row has the field ${name}: check 'Answer Field'.`;
}

function describeThreshold(figures: Figures): string {
	return html`${thresholdFinding(figures)}. ${whatItTakes(figures)}`.markup.trim();
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

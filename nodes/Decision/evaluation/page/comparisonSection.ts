import { countOf, formatNumber } from '../../../shared/text/wording';
import type { Comparison } from '../compareAnswers';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import { barTable } from './drawing';
import { html, percent, quoted, type Html } from './html';

/** Holds the names of both fields, as markup. */
interface Names {
	answer: Html;
	other: Html;
}

export function namesOf({ answerField, compareField }: EvaluatedFields): Names {
	return { answer: quoted(answerField), other: quoted(compareField) };
}

/** Shows how two sets of answers to the same rows differ, for people who know no statistics. */
export function comparisonSection({ comparison, correct }: Figures, names: Names): Html | undefined {
	if (!comparison) return undefined;
	const { answer, other } = names;
	const counts: Array<[name: Html, count: number]> = [
		[html`<b>${answer} is correct</b>`, correct],
		[html`<b>${other} is correct</b>`, comparison.correct],
		[html`Both are correct`, comparison.both_correct],
		[html`Only ${answer} is correct`, comparison.only_answer_correct],
		[html`Only ${other} is correct`, comparison.only_compared_correct],
		[html`Both are wrong`, comparison.neither_correct],
	];
	return html`<section>
		<h2>How the two differ</h2>
		<p>${describeDifference(comparison, names)} ${describeChance(comparison)}</p>
		<p>${incompleteRows(comparison)}</p>
		${barTable(
			counts.map(([name, count]) => {
				const share = count / comparison.rows;
				return {
					name,
					share,
					figure: html`${formatNumber(count)} <span class="muted">(${percent(share)})</span>`,
				};
			}),
		)}
	</section>`;
}

/** Returns which set of answers is better, as a sentence without the final full stop. */
export function comparisonFinding(comparison: Comparison, { answer, other }: Names): Html {
	const { verdict } = comparison;
	if (verdict !== 'cannot tell') return html`${answer} is ${verdict} than ${other}`;
	return isEven(comparison)
		? html`${answer} and ${other} do equally well here`
		: html`These rows cannot tell whether ${answer} is better than ${other}`;
}

/** Says in a sentence where the two sets differ. */
export function describeDifference(comparison: Comparison, { answer, other }: Names): Html {
	const { only_answer_correct: gained, only_compared_correct: lost } = comparison;
	if (gained + lost === 0) return html`Both are correct in the same rows, and wrong in the same rows.`;
	return html`${answer} is correct in ${countOf(gained, 'row')} where ${other} is wrong, and wrong in
	${formatNumber(lost)} where ${other} is correct.`;
}

function isEven(comparison: Comparison): boolean {
	return comparison.only_answer_correct === comparison.only_compared_correct;
}

/** Returns how often chance alone causes such a difference, and gives advice if it may have done so here. */
function describeChance(comparison: Comparison): Html {
	const { p_value: pValue, verdict } = comparison;
	if (isEven(comparison)) return html`Keep the one that is simpler or cheaper.`;
	const often = pValue < 0.001 ? 'less than 0.1%' : percent(pValue);
	const chance = html`If the two were equally good, chance alone would produce a difference at least this
	large in ${often} of cases`;
	return verdict === 'cannot tell'
		? html`${chance}, so this may be chance. Add rows of the same kind, or treat the two as equally good.`
		: html`${chance}.`;
}

/** Says in a sentence how many rows lack an answer. Returns undefined if none does. */
export function incompleteRows({ incomplete }: Comparison): Html | undefined {
	if (incomplete === 0) return undefined;
	return html`${countOf(incomplete, 'row lacks', 'rows lack')} one of the two answers, or both, and a missing
	answer counts as wrong: if requests failed, answer those rows again before you compare.`;
}

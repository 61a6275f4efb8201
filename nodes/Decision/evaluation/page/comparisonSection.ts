import { countOf, grouped } from '../../../shared/text/wording';
import { rowsToTell, type Comparison } from '../compareAnswers';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import { barTable } from './drawing';
import { html, type Html } from './html';
import { percent, quoted } from './wording';

/** A difference that only more rows than this would show is too small to act on. */
const MOST_ROWS_TO_TELL = 100_000;

/** Anything rarer than once in this many tries is shown as "less than". */
const RAREST = 1_000_000;

/** Which of two answers to the same rows is better, for people who know no statistics. */
export function comparisonSection(figures: Figures, fields: EvaluatedFields): Html | undefined {
	const { comparison } = figures;
	if (!comparison) return undefined;
	const names = namesOf(fields);
	return html`<section>
		<h2>How the two differ</h2>
		<p>${whatDiffers(comparison, names)} ${byChance(comparison)}</p>
		${whatItTakes(comparison)}
		${comparison.incomplete === 0 ? undefined : html`<p>${incompleteRows(comparison)}</p>`}
		${barTable(
			[
				{ name: html`<b>${names.answer} is correct</b>`, count: figures.correct },
				{ name: html`<b>${names.other} is correct</b>`, count: comparison.correct },
				{ name: html`Both are correct`, count: comparison.both_correct },
				{ name: html`Only ${names.answer} is correct`, count: comparison.only_answer_correct },
				{ name: html`Only ${names.other} is correct`, count: comparison.only_compared_correct },
				{ name: html`Both are wrong`, count: comparison.neither_correct, isWrong: true },
			].map(({ count, ...row }) => ({
				...row,
				share: count / comparison.rows,
				figure: html`${grouped(count)} <span class="muted">(${percent(count / comparison.rows)})</span>`,
			})),
		)}
	</section>`;
}

interface Names {
	answer: Html;
	other: Html;
}

export function namesOf({ answerField, compareField }: EvaluatedFields): Names {
	return { answer: quoted(answerField), other: quoted(compareField) };
}

/** Which is better, in a sentence without its full stop. */
export function comparisonFinding(comparison: Comparison, { answer, other }: Names): Html {
	const { verdict, rows } = comparison;
	if (verdict !== 'cannot tell') return html`${answer} is ${verdict} than ${other}`;
	return isEven(comparison)
		? html`${answer} and ${other} do equally well here`
		: html`${rows === 1 ? 'This row' : 'These rows'} cannot tell whether ${answer} is better than ${other}`;
}

/** Where the two differ, in a sentence. */
export function whatDiffers(comparison: Comparison, { answer, other }: Names): Html {
	const { only_answer_correct: gained, only_compared_correct: lost } = comparison;
	if (gained + lost === 0) return html`Both are correct in the same rows, and wrong in the same rows.`;
	return html`${answer} is correct in ${countOf(gained, 'row')} where ${other} is wrong, and wrong in
	${grouped(lost)} where ${other} is correct.`;
}

function isEven(comparison: Comparison): boolean {
	return comparison.only_answer_correct === comparison.only_compared_correct;
}

/** How often chance alone causes such a difference, in a sentence; nothing if there is no difference. */
function byChance(comparison: Comparison): Html | undefined {
	if (isEven(comparison)) return undefined;
	const { p_value: pValue, verdict } = comparison;
	const soMany = html`If the two were equally good, chance alone would cause a difference of this size`;
	if (verdict !== 'cannot tell') return html`${soMany} only ${onceIn(pValue)}.`;
	const times = Math.round(pValue * 100);
	return times === 100
		? html`${soMany} nearly every time.`
		: html`${soMany} ${times} times in 100, so this may be chance.`;
}

function onceIn(pValue: number): string {
	const tries = 1 / pValue;
	return tries > RAREST
		? `less than once in ${grouped(RAREST)} tries`
		: `once in ${grouped(rounded(tries, Math.floor))} tries`;
}

function whatItTakes(comparison: Comparison): Html | undefined {
	const { verdict, rows } = comparison;
	if (verdict !== 'cannot tell') return undefined;
	if (isEven(comparison)) {
		return html`<p>These rows show no difference. Keep the one that is simpler or cheaper.</p>`;
	}
	const needed = rowsToTell(comparison.only_answer_correct / rows, comparison.only_compared_correct / rows);
	if (needed > MOST_ROWS_TO_TELL) {
		return html`<p>
			It would take more than ${grouped(MOST_ROWS_TO_TELL)} rows to see a difference this small. Treat the two
			as equally good.
		</p>`;
	}
	const more = rounded(needed - rows, Math.ceil);
	return html`<p>
		To find out, add about <b>${countOf(more, 'row')}</b> of the same kind to
		${rows === 1 ? 'this' : `these ${grouped(rows)}`}. If the difference is as large as it looks here, that
		many rows show it in at least 4 of 5 cases.
	</p>`;
}

/** How many rows lack an answer, in a sentence; nothing if none does. */
export function incompleteRows({ incomplete }: Comparison): Html | undefined {
	if (incomplete === 0) return undefined;
	return html`${countOf(incomplete, 'row lacks', 'rows lack')} one of the two answers, or both, and a missing
	answer counts as wrong: if requests failed, answer those rows again before you compare.`;
}

/** Rounds to two digits, because further digits would mean nothing. */
function rounded(number: number, round: (value: number) => number): number {
	const unit = 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1);
	return round(number / unit) * unit;
}

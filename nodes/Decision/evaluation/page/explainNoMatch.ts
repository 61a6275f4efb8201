import { listFirst, listNames } from '../../../shared/text/lists';
import { countOf, formatNumber } from '../../../shared/text/wording';
import type { EvaluatedFields } from '../evaluatedFields';
import type { Figures } from '../evaluateRows';
import type { UnusedLabel } from '../unusedLabels';
import { html, Html, quoted } from './html';

/**
 * Explains why no answer can be correct: either no row has an answer, or no expected label occurs among the answers. The likely
 * reason is a wrong name of a field or of an option. Returns a finding without its full stop, and advice. Returns undefined if
 * some answer can be correct.
 */
export function explainNoMatch(
	figures: Figures,
	fields: EvaluatedFields,
): { finding: Html; advice: Html } | undefined {
	const { answerType, rows, unanswered, correct, classes } = figures;
	const { answerField } = fields;
	if (unanswered === rows) {
		const what = answerType === 'noul' ? 'a probability' : 'an answer';
		const unreadable = describeUnreadable(figures, fields);
		return {
			finding: html`No row has ${what} in ${quoted(answerField)}`,
			advice: unreadable ?? html`Check 'Answer Field', and whether the rows failed in an earlier node.`,
		};
	}
	if (correct > 0) return undefined;
	const expected = classes.filter(({ support }) => support > 0);
	const answered = classes.filter(({ precision }) => precision !== null);
	if (expected.length === 0 || answered.some(({ support }) => support > 0)) return undefined;
	const listOf = (some: typeof classes) => {
		const labels = some.map(({ label }) => label);
		return new Html(listNames(labels, (label) => quoted(label).markup, 'label') || 'none');
	};
	return {
		finding: html`No expected label occurs among the answers`,
		advice: html`Expected: ${listOf(expected)}. Answered: ${listOf(answered)}. Check 'Answer Field' and
		'Expected Field'${answerType === 'noul' ? '' : html`, the 'Answer Type', and the names of the options`}.`,
	};
}

/** Says what an answer of each type is, in the words of the editor. */
const ANSWER_NOUNS = { choice: 'an option or a level', noul: 'a probability', tags: 'a list of tags' };

/** Says how many rows count as unanswered although they hold a value. Returns undefined if there are none. */
export function describeUnreadable(
	{ answerType, unreadable: { count, example } }: Figures,
	{ answerField }: EvaluatedFields,
): Html | undefined {
	if (example === undefined) return undefined;
	return html`${countOf(count, 'row has', 'rows have')} a value in ${quoted(answerField)}, such as
	${quoted(example)}, that is not ${ANSWER_NOUNS[answerType]}. Check 'Answer Field' and 'Answer Type'.`;
}

/**
 * Names the expected labels that no answer is although others are answered as expected, and says what to check. Returns undefined if
 * there are none.
 */
export function explainUnusedLabels({ unusedLabels }: Pick<Figures, 'unusedLabels'>): Html | undefined {
	if (unusedLabels.length === 0) return undefined;
	const describe = ({ label, rows, answered, alike }: UnusedLabel) => {
		const are = answered?.rows === 1 ? 'is' : 'are';
		const instead =
			answered &&
			html` ${formatNumber(answered.rows)} of ${formatNumber(rows)} ${are} answered ${quoted(answered.label)},
			which no row expects.`;
		const option =
			alike !== undefined && alike !== answered?.label ? html` It looks like ${quoted(alike)}.` : undefined;
		return html`${countOf(rows, 'row expects', 'rows expect')} ${quoted(label)}, which is never the
		answer.${option}${instead}`.markup;
	};
	const sentences = listFirst(
		unusedLabels,
		'sentence',
		describe,
		(others) => `${countOf(others, 'more label')} like this.`,
	);
	return html`${new Html(sentences.join(' '))} Check that labels are spelled like the options.`;
}

/** Returns whether expected labels are probably options in another spelling, so that right answers count as wrong. */
export function areMisspelt({ unusedLabels }: Pick<Figures, 'unusedLabels'>): boolean {
	return unusedLabels.some(({ alike }) => alike !== undefined);
}

/**
 * Says the same of the answers in the field to compare with. If an option was renamed with the wording, these answers are wrong by their
 * spelling alone.
 */
export function explainUnusedByCompared(
	{ unusedByCompared }: Figures,
	{ compareField }: EvaluatedFields,
): Html | undefined {
	const explained = explainUnusedLabels({ unusedLabels: unusedByCompared });
	return (
		explained && html`In ${quoted(compareField)}, ${explained} Until they are, the comparison means nothing.`
	);
}
